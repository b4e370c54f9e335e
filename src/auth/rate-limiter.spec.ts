import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';

import { RateLimit } from './entities/index.js';

let parts: TestSignIn;
beforeAll(async () => {
  parts = await createTestSignIn();
});
afterAll(() => parts.dispose());

const RULE = { limit: 10, windowSeconds: 600 };

describe('RateLimiter', () => {
  it('allows exactly the limit under concurrent requests in two processes', async () => {
    const { limiter } = parts;
    const other = parts.another({}).limiter;
    const verdicts = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? limiter : other).hit('parallel', RULE)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(new Set(verdicts.filter(({ allowed }) => !allowed).map(({ retryAfterSeconds }) => retryAfterSeconds))).toEqual(new Set([600]));
  });

  it('starts a new window only after the old one ended, which attempts do not extend', async () => {
    const { limiter, clock } = parts;
    for (let i = 0; i < 10; i++) expect((await limiter.hit('window', RULE)).allowed).toBe(true);
    clock.advance(599_001);
    expect(await limiter.hit('window', RULE)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    clock.advance(999);
    expect((await limiter.hit('window', RULE)).allowed).toBe(true);
    for (let i = 0; i < 9; i++) expect((await limiter.hit('window', RULE)).allowed).toBe(true);
    expect((await limiter.hit('window', RULE)).allowed).toBe(false);
  });

  it('clears a key, and uncounts single attempts', async () => {
    const { limiter } = parts;
    const rule = { limit: 1, windowSeconds: 60 };
    await limiter.hit('back', rule);
    await limiter.takeBack('back');
    await limiter.takeBack('back');
    expect((await limiter.hit('back', rule)).allowed).toBe(true);
    expect((await limiter.hit('back', rule)).allowed).toBe(false);
    await limiter.clear('back');
    expect((await limiter.hit('back', rule)).allowed).toBe(true);
  });

  it('distinguishes long and unusual keys and fits them into the column', async () => {
    const { limiter, database } = parts;
    const rule = { limit: 1, windowSeconds: 60 };
    const keys = ['ä', 'a', 'a ', `${'x'.repeat(5_000)}1`, `${'x'.repeat(5_000)}2`, 'a\r\nb', 'a\0b', '\ud800', '😀', '字'.repeat(190)];
    for (const key of keys) expect((await limiter.hit(key, rule)).allowed, JSON.stringify(key)).toBe(true);
    for (const key of keys) expect((await limiter.hit(key, rule)).allowed, JSON.stringify(key)).toBe(false);
    const stored = await database.repository(RateLimit).find();
    expect(stored.every(({ key }) => key.length <= 190)).toBe(true);
  });

  it('limits nothing when disabled', async () => {
    const { limiter } = parts.another({ RATE_LIMIT: 'off' });
    for (let i = 0; i < 3; i++) expect((await limiter.hit('off', { limit: 1, windowSeconds: 60 })).allowed).toBe(true);
  });

  it('removes only ended windows', async () => {
    const { limiter, database, clock } = parts;
    await limiter.hit('short', { limit: 1, windowSeconds: 60 });
    await limiter.hit('long', { limit: 1, windowSeconds: 3_600 });
    clock.advance(1_000_000);
    await limiter.removeEnded();
    expect((await database.repository(RateLimit).find()).map(({ key }) => key)).toEqual(['long']);
  });
});
