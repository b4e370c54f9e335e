import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets of a task, sealed to its node: AES-256-GCM with a key derived by HKDF-SHA-256 from the node's secret (salt: the node's id; info:
 * `svc-agent task secrets`), bound to node, task and action. Text format: `v1.<nonce>.<ciphertext with tag>` in base64url.
 */
const INFO = 'svc-agent task secrets';
const NONCE = 12;
const TAG = 16;

/** Node, task and action that secrets are bound to. */
export interface SealedTask {
  readonly nodeId: string;
  readonly nodeSecret: string;
  readonly taskId: string;
  readonly action: string;
}

/** Seals secrets of a task. */
export function sealSecrets(secrets: Readonly<Record<string, unknown>>, to: SealedTask): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(to), nonce).setAAD(boundTo(to));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Decrypts sealed secrets. @throws Error if they were sealed to something else or modified */
export function openSecrets(text: string, of: SealedTask): Record<string, unknown> {
  const [form, nonce = '', sealed = ''] = text.split('.');
  const whole = Buffer.from(sealed, 'base64url');
  if (form !== 'v1' || whole.length < TAG) throw new Error('The encrypted secrets of the task are malformed.');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(of), Buffer.from(nonce, 'base64url'), { authTagLength: TAG }).setAAD(boundTo(of));
  decipher.setAuthTag(whole.subarray(-TAG));
  const opened = Buffer.concat([decipher.update(whole.subarray(0, -TAG)), decipher.final()]);
  return JSON.parse(opened.toString('utf8')) as Record<string, unknown>;
}

function keyOf({ nodeId, nodeSecret }: SealedTask): Buffer {
  return Buffer.from(hkdfSync('sha256', nodeSecret, nodeId, INFO, 32));
}

function boundTo({ nodeId, taskId, action }: SealedTask): Buffer {
  return Buffer.from(`${nodeId}\n${taskId}\n${action}`);
}
