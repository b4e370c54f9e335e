import { createDecipheriv } from 'node:crypto';

const TAG_BYTES = 16;

/**
 * Decrypts a `resource` (AEAD_AES_256_GCM); null if it is invalid or encrypted with another key. Source:
 * https://pay.weixin.qq.com/doc/v3/merchant/4012071382
 */
export function openResource(key: Buffer, resource: unknown): string | null {
  const { algorithm, ciphertext, nonce, associated_data = '' } = (resource ?? {}) as Record<string, unknown>;
  if (algorithm !== 'AEAD_AES_256_GCM' || ![ciphertext, nonce, associated_data].every((part) => typeof part === 'string')) return null;
  const bytes = Buffer.from(ciphertext as string, 'base64');
  if (bytes.length <= TAG_BYTES || nonce === '') return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce as string), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(associated_data as string)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
