import type { RateLimiter } from '../../auth/index.js';
import { StoreError } from '../errors.js';

/**
 * Counts one attempt.
 *
 * @param key counter name, such as `store-preview:7`
 * @throws StoreError TOO_MANY_REQUESTS
 */
export async function withinLimit(limiter: RateLimiter, key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.hit(key, rule);
  if (!allowed) throw new StoreError('TOO_MANY_REQUESTS', { seconds: retryAfterSeconds });
}
