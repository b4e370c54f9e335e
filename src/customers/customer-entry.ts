import { Injectable } from '@nestjs/common';

import { SignInEntry, signedInCookies } from '../auth/index.js';
import { Clock, localeOf } from '../common/index.js';
import { Database } from '../database/index.js';
import { Preferences } from '../notify/index.js';
import type { CallContext } from '../sdk/index.js';

import { Customer } from './entities/index.js';

const SIDE = 'customer';

/** Opens and ends customers' sessions: seven days each, stored as rows, with known devices. Returns `Set-Cookie` lines. */
@Injectable()
export class CustomerEntry {
  constructor(
    private readonly entry: SignInEntry,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly preferences: Preferences,
  ) {}

  /**
   * Opens a session under a new id; the browser's previous one ends.
   *
   * @returns null if the password was changed meanwhile, or the account is locked
   */
  async open(customer: Pick<Customer, 'id' | 'passwordHash'>, call: CallContext, proven = false): Promise<string[] | null> {
    const signedIn = await this.entry.enter(SIDE, customer, call, proven);
    if (signedIn === null) return null;
    const { id } = customer;
    await this.database.repository(Customer).update({ id }, { signedInAt: this.clock.now() });
    // Later mails use the language of the last sign-in.
    await this.preferences.noteLocale(SIDE, id, localeOf(call.locale));
    return signedInCookies(SIDE, signedIn, call);
  }

  /** After a password change: ends every session and known device, and opens a new session for the caller. */
  async renew(id: number, call: CallContext): Promise<string[]> {
    return signedInCookies(SIDE, await this.entry.renew(SIDE, id, call), call);
  }

  /** Ends the session of the request, if it has one. */
  async close(call: CallContext): Promise<string[]> {
    return [await this.entry.leave(SIDE, call)];
  }

  /** Ends every session and forgets every device. */
  closeAll(id: number): Promise<void> {
    return this.entry.endEvery(SIDE, id);
  }
}
