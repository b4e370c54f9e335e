import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { HashThreads } from './hash-threads.js';

/** Minimum length of a new password of the panel's accounts, in characters. */
export const MIN_PASSWORD = 6;
/** Maximum length of a password at a sign-in to the panel, in characters. */
export const MAX_PASSWORD = 256;
/** bcrypt cost: about 64 ms of one core. The OWASP Password Storage Cheat Sheet requires 10 or more. */
export const PASSWORD_COST = 10;
/** Salt and hash that no password matches: checked for unknown accounts, so that they take as long as known ones. */
const DUMMY_HASH = 'CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS';

/** One pool per process, shared like its cores. It does not keep the process alive. */
const threads = new HashThreads();

/**
 * Hashes and verifies passwords off the event loop, see {@link HashThreads}. bcrypt ignores everything after byte 72, so the
 * SHA-256 of the password is hashed.
 */
@Injectable()
export class PasswordHasher {
  /** Cost of new hashes; lowered only by specs that do not test it, see test/support/setup.ts. */
  static cost = PASSWORD_COST;

  /** Returns the hash to store, 60 characters. */
  async hash(password: string): Promise<string> {
    return String(await threads.run({ digest: digest(password), stored: null, cost: PasswordHasher.cost }));
  }

  /** Verifies `password` against `stored`; takes equally long without a stored hash (null). */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await threads.run({ digest: digest(password), stored: stored ?? dummyHash() }).catch(() => false);
    return matches === true && stored !== null;
  }
}

function dummyHash(): string {
  return `$2b$${String(PasswordHasher.cost).padStart(2, '0')}$${DUMMY_HASH}`;
}

function digest(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('base64');
}
