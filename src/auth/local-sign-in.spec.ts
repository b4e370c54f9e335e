import { Strategy } from 'passport-local';
import { expect, it, vi } from 'vitest';

import { exchangeOf, testCall } from '../../test/support/calls.js';

import { LocalSignIn } from './local-sign-in.js';

const alice = { id: 1 };
const verify = (user: string, pass: string): Promise<typeof alice | false> =>
  Promise.resolve(user === 'alice' && pass === 'right' && alice);

it('passes the request itself to the strategy, and its result to the caller', async () => {
  const seen = vi.spyOn(Strategy.prototype, 'authenticate');
  const signIn = new LocalSignIn();
  const exchange = exchangeOf(testCall({ ip: '192.0.2.7' }));
  expect(await signIn.admit(exchange, { user: 'alice', pass: 'right' }, verify)).toBe(alice);
  expect(seen.mock.lastCall![0]).toBe(exchange.req);
  seen.mockRestore();
  expect(await signIn.admit(exchange, { user: 'alice', pass: 'wrong' }, verify)).toBeNull();
  expect(await signIn.admit(exchange, { user: 'alice', pass: '' }, () => expect.unreachable('asked'))).toBeNull();
  await expect(signIn.admit(exchange, { user: 'a', pass: 'b' }, () => Promise.reject(new Error('paused')))).rejects.toThrow('paused');
});
