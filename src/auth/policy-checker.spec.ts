import { describe, expect, it } from 'vitest';

import { testCall } from '../../test/support/calls.js';

import type { AuthPolicy, CallContext } from '../sdk/index.js';

import { AuthPolicyChecker, authFailureBody } from './policy-checker.js';

const nobody = testCall();
const admin = testCall({ admin: { id: 1, username: 'admin' } });
const user = testCall({ user: { id: 2, username: 'alice01' } });
const checker = new AuthPolicyChecker();
const outcomes = (policy: unknown) => Promise.all([nobody, admin, user].map((call) => checker.check(policy as AuthPolicy, call)));

describe('AuthPolicyChecker', () => {
  it('allows requests that match the policy', async () => {
    for (const open of [null, '', 'none']) expect(await outcomes(open)).toEqual([true, true, true]);
    expect(await outcomes('admin')).toEqual([false, true, false]);
    expect(await outcomes('user')).toEqual([false, false, true]);
  });

  it('denies unknown policies', async () => {
    for (const unknown of [undefined, 'Admin', 'admin ', 'system', 'toString', 0, true, {}])
      expect(await outcomes(unknown)).toEqual([false, false, false]);
  });

  it('calls a custom check, where only true allows', async () => {
    expect(await outcomes((call: CallContext) => Promise.resolve(call.user !== null))).toEqual([false, false, true]);
    for (const value of [1, 'yes', {}, undefined, null]) expect(await outcomes(() => value)).toEqual([false, false, false]);
  });

  it('returns exactly the responses that deployed pages expect', () => {
    expect(JSON.stringify(authFailureBody('admin'))).toBe('{"code":"请登陆后台"}');
    for (const policy of ['user', () => false] as AuthPolicy[]) expect(JSON.stringify(authFailureBody(policy))).toBe('{"code":"请登陆"}');
  });
});
