import type { RateLimiter } from '../auth/index.js';

import { OperationError } from './errors.js';

/**
 * Counts one more attempt for `key`.
 *
 * @throws OperationError `RATE_LIMITED` beyond `rule`, with the seconds until the next attempt is allowed
 */
export async function countAgainst(
  limiter: RateLimiter,
  key: string,
  rule: { readonly limit: number; readonly windowSeconds: number },
): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.hit(key, rule);
  if (!allowed) throw new OperationError('RATE_LIMITED', { seconds: retryAfterSeconds });
}
