import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Maximum length of a token in a URL. */
const MAX_TOKEN_LENGTH = 2_000;
/** Prefix of every encrypted text. */
export const SEALED_MARK = 'sealed:1:';

/**
 * Encrypts secrets that the panel has to read again, such as the password of a mail server, with the installation's key.
 * Secrets that are only compared are hashed instead.
 */
@Injectable()
export class Secrets {
  /** @param key 32 bytes, see {@link loadSecretKey} */
  constructor(private readonly key: Buffer) {}

  /**
   * Encrypts with AES-256-GCM.
   *
   * @param place where it is stored, such as `mail.password`: a value copied to another place cannot be decrypted there
   * @example secrets.open(secrets.seal('s3cret', 'mail.password'), 'mail.password') // 's3cret'
   */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return SEALED_MARK + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Decrypts the result of {@link seal}; null if it was encrypted with another key or for another place, or is not encrypted at all. */
  open(sealed: string, place: string): string | null {
    if (!sealed.startsWith(SEALED_MARK)) return null;
    const bytes = Buffer.from(sealed.slice(SEALED_MARK.length), 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  /** As {@link seal}, in the form of a token for a URL, such as that of a link in a mail. */
  sealToken(text: string, place: string): string {
    return this.seal(text, place).slice(SEALED_MARK.length);
  }

  /** Decrypts the result of {@link sealToken}; null as in {@link open}, and for an invalid token. */
  openToken(token: unknown, place: string): string | null {
    return typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH ? this.open(SEALED_MARK + token, place) : null;
  }
}
