import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { StoreError } from '../errors.js';

import { drain } from './multipart.js';

/** When to come back while there is no place, in seconds. */
const BUSY_SECONDS = 20;

/** How many uploads of a kind are taken. */
export interface UploadRule {
  /** Such as `upload`. */
  readonly kind: string;
  /** In this process, from the first byte to the answer: of everybody, and of one account. */
  readonly atOnce: { readonly all: number; readonly account: number };
  /** Of one account in a window, in whichever process. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Lets uploads in before anything of them is read: each costs disk while it comes and a processor while it is looked through. Who is
 * turned away is told at once, not after a minute in a queue that a proxy in front gives up on.
 */
@Injectable()
export class UploadAdmission {
  /** Places taken, by kind and by kind and account. */
  private readonly taken = new Map<string, number>();

  constructor(private readonly limiter: RateLimiter) {}

  /** Runs `work` with a place. @throws StoreError TOO_MANY_REQUESTS, UPLOADS_AT_ONCE, INTAKE_BUSY */
  async admit<T>(accountId: number, req: IncomingMessage, { kind, atOnce, ...rule }: UploadRule, work: () => Promise<T>): Promise<T> {
    const own = `${kind}:${accountId}`;
    if (this.count(own) >= atOnce.account) return refuse(req, new StoreError('UPLOADS_AT_ONCE', { seconds: BUSY_SECONDS }));
    if (this.count(kind) >= atOnce.all) return refuse(req, new StoreError('INTAKE_BUSY', { seconds: BUSY_SECONDS }));
    this.add(kind, 1);
    this.add(own, 1);
    try {
      const verdict = await this.limiter.hit(`store-${own}`, rule);
      if (!verdict.allowed) return await refuse(req, new StoreError('TOO_MANY_REQUESTS', { seconds: verdict.retryAfterSeconds }));
      return await work();
    } finally {
      this.add(own, -1);
      this.add(kind, -1);
    }
  }

  private count(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  private add(key: string, change: 1 | -1): void {
    const now = this.count(key) + change;
    if (now > 0) this.taken.set(key, now);
    else this.taken.delete(key);
  }
}

async function refuse(req: IncomingMessage, error: StoreError): Promise<never> {
  await drain(req);
  throw error;
}
