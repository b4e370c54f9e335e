import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';

import { Turns } from '../common/index.js';

/** bcrypt cost: about 64 ms of one core. Source: OWASP Password Storage Cheat Sheet asks for 10 or more. */
const COST = 10;
/** Hash of nothing anybody can type: checked for unknown accounts, so that they cost what known ones do. */
const NOBODY = '$2b$10$CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS';

/**
 * Hashes and checks passwords off the event loop. bcrypt ignores whatever stands behind byte 72, so it gets the SHA-256 of the
 * password; and one core stays free however many people sign in at once.
 */
@Injectable()
export class PasswordHasher {
  private readonly turns = new Turns(Math.max(1, availableParallelism() - 1));

  /** The hash to store, 60 characters. */
  hash(password: string): Promise<string> {
    return this.turns.take(() => bcrypt.hash(digest(password), COST));
  }

  /** Whether `password` is the one behind `stored`; takes as long where there is none (null). */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await this.turns.take(() => bcrypt.compare(digest(password), stored ?? NOBODY).catch(() => false));
    return matches && stored !== null;
  }
}

function digest(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('base64');
}
