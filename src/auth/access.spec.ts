import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Access, PERMISSION_PATTERN, accessOf, withAccess } from './access.js';

const letters = (...more: string[]) =>
  fc.array(fc.constantFrom('a', 'b', '_', '.', ...more), { minLength: 1, maxLength: 8 }).map((list) => list.join(''));
const patterns = fc.array(
  letters('*').filter((text) => PERMISSION_PATTERN.test(text)),
  { maxLength: 4 },
);
const servers = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 })));

describe('what an administrator may do', () => {
  it('is what a pattern says of the whole name, and nothing where nobody says', () => {
    const access = new Access(['zj*', 'listdd', 'plugin.shop'], null);
    for (const name of ['zj', 'zjsc', 'listdd', 'plugin.shop']) expect([name, access.allows(name)]).toEqual([name, true]);
    for (const name of ['', 'azj', 'listddx', 'xlistdd', 'LISTDD', 'pluginXshop', 'plugin.shop2', '*'])
      expect([name, access.allows(name)]).toEqual([name, false]);
    expect(new Access(['*'], null).isFull).toBe(true);
    expect(new Access(['*'], []).isFull).toBe(false);
    for (const nobody of [null, { id: 1, username: 'admin' }]) expect(accessOf(nobody)).toBe(Access.NONE);
    const identity = { id: 1, username: 'admin' };
    expect(accessOf(withAccess(identity, access))).toBe(access);
    expect(accessOf({ ...identity })).toBe(Access.NONE);
  });

  it('covers what somebody else may do only if every name and server of his is among it', () => {
    fc.assert(
      fc.property(
        patterns,
        servers,
        patterns,
        servers,
        letters(),
        fc.integer({ min: 1, max: 5 }),
        (mine, ours, his, theirs, name, server) => {
          const [giver, other] = [new Access(mine, ours), new Access(his, theirs)];
          expect(giver.covers(giver)).toBe(true);
          expect(Access.FULL.covers(other)).toBe(true);
          if (!giver.covers(other)) return;
          if (other.allows(name)) expect(giver.allows(name)).toBe(true);
          if (theirs === null || theirs.includes(server)) expect(ours === null || ours.includes(server)).toBe(true);
        },
      ),
    );
  });

  it('takes no pattern that takes long to compare', () => {
    for (const pattern of ['', 'a b', 'a'.repeat(65), 'a*b*c*d*', '****', 'a\n', 'é']) expect(PERMISSION_PATTERN.test(pattern)).toBe(false);
    for (const pattern of ['*', 'zj*', '*a*b*', 'plugin.*', 'page.x-y']) expect(PERMISSION_PATTERN.test(pattern)).toBe(true);
  });
});
