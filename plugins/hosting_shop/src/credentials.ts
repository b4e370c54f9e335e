import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

import type { SvcFacade } from '@svc/sdk';

/**
 * Encrypts the password a buyer chose until the account is opened: AES-256-GCM with a key of this installation. It is deleted as soon as
 * the account exists.
 */
export class Credentials {
  /** @param key 32 bytes */
  constructor(private readonly key: Buffer) {}

  /** Loads the installation's key, created at the first start. */
  static async load(svc: SvcFacade): Promise<Credentials> {
    const stored = await svc.svc_plugin_option_get(svc.slug, 'sealing_key', '');
    if (stored) return new Credentials(Buffer.from(String(stored), 'hex'));
    const key = randomBytes(32);
    await svc.svc_plugin_option_set(svc.slug, 'sealing_key', key.toString('hex'));
    return new Credentials(key);
  }

  seal(password: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Returns a keyed hash of a text: 64 hex digits. */
  fingerprint(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }

  open(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }
}
