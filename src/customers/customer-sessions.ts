import { Injectable } from '@nestjs/common';

import { SESSION_COOKIES, SessionService, SignInEntry } from '../auth/index.js';
import type { CallContext, CustomerRecord, CustomerSession } from '../sdk/index.js';

import { Customers } from './customers.js';
import { CustomerError } from './errors.js';

const SIDE = 'customer';

/** Resolves the customer of a request by the cookie `account_token`, whose session is a row. */
@Injectable()
export class CustomerSessions {
  constructor(
    private readonly sessions: SessionService,
    private readonly entry: SignInEntry,
    private readonly customers: Customers,
  ) {}

  /** Returns the signed-in customer; null if nobody is signed in, or the account was locked or deleted. */
  async current(call: Pick<CallContext, 'cookies'>): Promise<CustomerRecord | null> {
    const session = await this.sessions.resolve(SIDE, tokenOf(call));
    return session && this.customers.get(session.subjectId);
  }

  /** Returns the customer's sessions, newest first. */
  async list(id: number, call: Pick<CallContext, 'cookies'>): Promise<CustomerSession[]> {
    const current = await this.sessions.resolve(SIDE, tokenOf(call));
    const rows = await this.sessions.list(SIDE, id);
    return rows.map(({ id: session, ip, userAgent, createdAt, seenAt }) => ({
      id: session,
      ip,
      userAgent,
      createdAt: createdAt.toISOString(),
      seenAt: seenAt.toISOString(),
      current: session === current?.sessionId,
    }));
  }

  /** Ends one session, or all except the caller's. @throws CustomerError SESSION_MISSING */
  async end(id: number, session: number | 'all', call: Pick<CallContext, 'cookies'>): Promise<void> {
    if (!(await this.entry.end(SIDE, id, session, call))) throw new CustomerError('SESSION_MISSING');
  }
}

/** Returns the session token a customer's request carries; empty if none. */
export function tokenOf(call: Pick<CallContext, 'cookies'>): string {
  const token: unknown = call?.cookies?.[SESSION_COOKIES[SIDE]];
  return typeof token === 'string' ? token : '';
}
