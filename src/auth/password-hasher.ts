import { createHash } from 'node:crypto';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { HashThreads } from './hash-threads.js';

/** bcrypt cost: about 64 ms of one core. Source: OWASP Password Storage Cheat Sheet asks for 10 or more. */
const COST = 10;
/** Hash of nothing anybody can type: checked for unknown accounts, so that they cost what known ones do. */
const NOBODY = '$2b$10$CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS';

/**
 * Hashes and checks passwords off the event loop, see {@link HashThreads}. bcrypt ignores whatever stands behind byte 72, so it
 * gets the SHA-256 of the password.
 */
@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  private readonly threads = new HashThreads();

  /** The hash to store, 60 characters. */
  async hash(password: string): Promise<string> {
    return String(await this.threads.run({ digest: digest(password), stored: null, cost: COST }));
  }

  /** Whether `password` is the one behind `stored`; takes as long where there is none (null). */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await this.threads.run({ digest: digest(password), stored: stored ?? NOBODY }).catch(() => false);
    return matches === true && stored !== null;
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}

function digest(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('base64');
}
