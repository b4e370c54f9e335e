import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../../auth/index.js';
import { executionContext } from '../../common/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';

const DAY_SECONDS = 24 * 3_600;
/** Maximum unpaid orders per address and day. */
export const UNPAID_PER_ADDRESS = 50;
/** Maximum unpaid orders per name and day. */
export const UNPAID_PER_USER = 20;

/**
 * Limits the unpaid orders of visitors by address and by the name they are for. Paid orders do not count, nor do orders created
 * by an administrator or by a plugin on its own.
 */
@Injectable()
export class OrderLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts an order that is about to be created, in the open transaction if there is one, so that a rollback uncounts it.
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

  /** Uncounts a paid order; call it in the transaction that settles the order. */
  async paid({ user, ip }: Pick<Order, 'user' | 'ip'>): Promise<void> {
    if (!this.limiter.isOn) return;
    if (ip !== '') await this.limiter.takeBack(addressKey(ip));
    await this.limiter.takeBack(userKey(user));
  }

  private async count(key: string, limit: number): Promise<void> {
    // Checked by a read first: a flood beyond the limit writes nothing and waits for no lock.
    const before = await this.limiter.peek(key, { limit });
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
