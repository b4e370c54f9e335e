import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../auth/index.js';
import { executionContext } from '../common/index.js';

import type { Order } from './entities/index.js';
import { PaymentError } from './errors.js';

const DAY_SECONDS = 24 * 3_600;
/** Unpaid orders of one address in a day. */
export const UNPAID_PER_ADDRESS = 50;
/** Unpaid orders for one name in a day. */
export const UNPAID_PER_USER = 20;

/**
 * Bounds the orders visitors make and do not pay for, by address and by the name they are for. What was paid does not count. An order that
 * an administrator makes, and one that a plugin makes of its own accord, is no visitor's.
 */
@Injectable()
export class OrderLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts an order that is about to be made. In an open transaction as part of it: one that rolls back was never counted.
   *
   * @throws PaymentError TOO_MANY_UNPAID
   */
  async take({ user, ip }: { readonly user?: unknown; readonly ip?: unknown }): Promise<void> {
    const call = executionContext.getStore()?.call;
    if (!call || call.admin) return;
    const address = typeof ip === 'string' && ip !== '' ? ip : call.ip;
    await this.count(addressKey(address), UNPAID_PER_ADDRESS);
    await this.count(userKey(String(user)), UNPAID_PER_USER);
  }

  /** An order was paid; in the transaction that says so. */
  async paid({ user, ip }: Pick<Order, 'user' | 'ip'>): Promise<void> {
    if (!this.limiter.isOn) return;
    if (ip !== '') await this.limiter.takeBack(addressKey(ip));
    await this.limiter.takeBack(userKey(user));
  }

  private async count(key: string, limit: number): Promise<void> {
    // Looked at first: a flood beyond the limit writes nothing and waits for no lock.
    const before = await this.limiter.look(key, { limit });
    const { allowed, retryAfterSeconds } = before.allowed ? await this.limiter.hit(key, { limit, windowSeconds: DAY_SECONDS }) : before;
    if (!allowed) throw new PaymentError('TOO_MANY_UNPAID', { seconds: retryAfterSeconds, hours: Math.ceil(retryAfterSeconds / 3_600) });
  }
}

function addressKey(ip: string): string {
  return `unpaid:ip:${addressForLimits(ip)}`;
}

function userKey(user: string): string {
  return `unpaid:user:${user.toLowerCase()}`;
}
