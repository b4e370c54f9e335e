import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum clock difference of a notification in either direction, in seconds. */
const MAX_AGE = 300;
/** Maximum number of signatures checked per header; two occur while a secret is rotated. */
const MAX_SIGNATURES = 20;

/** Problem with a notification's signature. */
export type Doubt = 'not_signed' | 'too_old' | 'wrong_signature';

/**
 * Verifies a notification; null if it is Stripe's and recent. The header may contain several `v1` while a secret is rotated. Future
 * timestamps are rejected like old ones. Source: https://docs.stripe.com/webhooks#verify-manually
 *
 * @param now seconds
 */
export function doubtOf(header: unknown, body: Buffer | string, secret: string, now: number): Doubt | null {
  if (typeof header !== 'string' || secret === '') return 'not_signed';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  const given = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time) || given.length === 0) return 'not_signed';
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  const isSigned = given
    .slice(0, MAX_SIGNATURES)
    .some((one) => /^[0-9a-f]{64}$/.test(one) && timingSafeEqual(Buffer.from(one, 'hex'), expected));
  if (!isSigned) return 'wrong_signature';
  return Math.abs(now - Number(time)) > MAX_AGE ? 'too_old' : null;
}
