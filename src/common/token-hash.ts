import { hash } from 'node:crypto';

/**
 * Returns the hash of a random token for storage: SHA-256 as hexadecimal digits. Not for passwords, which can be guessed: use
 * `PasswordHasher` for those.
 * @example
 * ```ts
 * await this.insert.run(hashToken(token), expiresAt, accountId);
 * ```
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
