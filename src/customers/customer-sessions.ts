import { Injectable } from '@nestjs/common';

import { SESSION_COOKIES, SessionService } from '../auth/index.js';
import type { CallContext, CustomerRecord } from '../sdk/index.js';

import { Customers } from './customers.js';

/** Which customer a request is of: by the cookie `account_token`, whose session is a row. */
@Injectable()
export class CustomerSessions {
  constructor(
    private readonly sessions: SessionService,
    private readonly customers: Customers,
  ) {}

  /** The customer who is signed in; null for nobody, and for one who was locked out or deleted. */
  async current(call: Pick<CallContext, 'cookies'>): Promise<CustomerRecord | null> {
    const token: unknown = call?.cookies?.[SESSION_COOKIES.customer];
    const session = typeof token === 'string' ? await this.sessions.resolve('customer', token) : null;
    return session && this.customers.get(session.subjectId);
  }
}
