import { createHash, hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { HashThreads } from './hash-threads.js';

/** bcrypt cost: about 64 ms of one core. Source: OWASP Password Storage Cheat Sheet asks for 10 or more. */
export const PASSWORD_COST = 10;
/** Salt and hash of nothing anybody can type: checked for unknown accounts, so that they cost what known ones do. */
const NOBODY = 'CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS';

/** Of the process, as cores are: whoever hashes shares them. They keep nothing running, and end with it. */
const threads = new HashThreads();

/**
 * Hashes and checks passwords off the event loop, see {@link HashThreads}. bcrypt ignores whatever stands behind byte 72, so it
 * gets the SHA-256 of the password.
 */
@Injectable()
export class PasswordHasher {
  /** Cost of hashes from now on; only specs that are not about it take another, see test/support/setup.ts. */
  static cost = PASSWORD_COST;

  /** The hash to store, 60 characters. */
  async hash(password: string): Promise<string> {
    return String(await threads.run({ digest: digest(password), stored: null, cost: PasswordHasher.cost }));
  }

  /** Whether `password` is the one behind `stored`; takes as long where there is none (null). */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await threads.run({ digest: digest(password), stored: stored ?? nobody() }).catch(() => false);
    return matches === true && stored !== null;
  }
}

/** What a link holds of the password it was made under: the link ends with it, and does not tell it. */
export function passwordMark(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

function nobody(): string {
  return `$2b$${String(PasswordHasher.cost).padStart(2, '0')}$${NOBODY}`;
}

function digest(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('base64');
}
