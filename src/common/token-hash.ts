import { hash } from 'node:crypto';

/**
 * What a table keeps of a random token: its SHA-256 in hexadecimal digits. Not for passwords, which can be guessed: those are the
 * `PasswordHasher`'s.
 *
 * @example
 * ```ts
 * await this.insert.run(hashToken(token), expiresAt, accountId);
 * ```
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
