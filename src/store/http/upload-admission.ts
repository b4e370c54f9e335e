import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { BUSY_SECONDS, type AdmissionLimiter } from '../../http/index.js';
import { StoreError } from '../errors.js';

import type { StoreCaller } from '../call/index.js';

import { withinLimit } from './within-limit.js';

/** Limits for one type of upload. */
export interface UploadRule {
  /** For example `upload`. */
  readonly kind: string;
  /** Concurrent uploads, from the first byte to the response, overall and per account. */
  readonly slots: AdmissionLimiter;
  /** Extra slots for administrators while the others are taken. */
  readonly reserved: AdmissionLimiter;
  /** Uploads per account in the window, across all processes. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Admits uploads before anything is read: each uses disk while it arrives and CPU while it is scanned. Rejects immediately instead of
 * queueing, because a proxy in front would time out.
 */
@Injectable()
export class UploadAdmission {
  constructor(private readonly limiter: RateLimiter) {}

  /** Runs `work` in a slot. @throws StoreError TOO_MANY_REQUESTS, UPLOADS_AT_ONCE, INTAKE_BUSY */
  admit<T>({ id, role }: StoreCaller, { kind, slots, reserved, ...rule }: UploadRule, work: () => Promise<T>): Promise<T> {
    const refusal = (taken: 'all' | 'own'): StoreError =>
      new StoreError(taken === 'own' ? 'UPLOADS_AT_ONCE' : 'INTAKE_BUSY', { seconds: BUSY_SECONDS });
    return (role === 'admin' && slots.full ? reserved : slots).take(String(id), refusal, async () => {
      await withinLimit(this.limiter, `store-${kind}:${id}`, rule);
      return work();
    });
  }
}
