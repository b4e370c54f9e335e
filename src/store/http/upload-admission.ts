import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { BUSY_SECONDS, type AdmissionLimiter } from '../../http/index.js';
import { StoreError } from '../errors.js';

import type { StoreCaller } from '../call/index.js';

import { withinLimit } from './within-limit.js';

/** How many uploads of a kind are taken. */
export interface UploadRule {
  /** Such as `upload`. */
  readonly kind: string;
  /** From the first byte to the answer; each account's are its own. */
  readonly places: AdmissionLimiter;
  /** Those of administrators while the others are taken; nobody else gets one. */
  readonly reserved: AdmissionLimiter;
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
  constructor(private readonly limiter: RateLimiter) {}

  /** Runs `work` with a place. @throws StoreError TOO_MANY_REQUESTS, UPLOADS_AT_ONCE, INTAKE_BUSY */
  admit<T>({ id, role }: StoreCaller, { kind, places, reserved, ...rule }: UploadRule, work: () => Promise<T>): Promise<T> {
    const refusal = (taken: 'all' | 'own'): StoreError =>
      new StoreError(taken === 'own' ? 'UPLOADS_AT_ONCE' : 'INTAKE_BUSY', { seconds: BUSY_SECONDS });
    return (role === 'admin' && places.full ? reserved : places).take(String(id), refusal, async () => {
      await withinLimit(this.limiter, `store-${kind}:${id}`, rule);
      return work();
    });
  }
}
