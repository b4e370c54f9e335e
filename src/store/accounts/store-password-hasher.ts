import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../../auth/index.js';
import { Semaphore } from '../../common/index.js';

/** Passwords hashed at a time, so that fifty sign-ins at once do not hold up the panel's sign-ins in the same process. */
const CONCURRENT_HASHES = 4;

/** Hashes and verifies passwords of store accounts, a few at a time. */
@Injectable()
export class StorePasswordHasher {
  private readonly slots = new Semaphore(CONCURRENT_HASHES);

  constructor(private readonly hasher: PasswordHasher) {}

  /** Returns the hash to store. */
  hash(password: string): Promise<string> {
    return this.slots.take(() => this.hasher.hash(password));
  }

  /** Verifies `password` against `stored`; takes equally long without a stored hash (null). */
  verify(password: string, stored: string | null): Promise<boolean> {
    return this.slots.take(() => this.hasher.verify(password, stored));
  }
}
