import type { RateLimiter } from '../auth/index.js';

import { OperationError } from './errors.js';

/**
 * Counts one more of what `key` stands for.
 *
 * @throws OperationError `RATE_LIMITED` beyond `rule`, with the seconds until there may be another
 */
export async function countAgainst(
  limiter: RateLimiter,
  key: string,
  rule: { readonly limit: number; readonly windowSeconds: number },
): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.hit(key, rule);
  if (!allowed) throw new OperationError('RATE_LIMITED', { seconds: retryAfterSeconds });
}
