import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testCall } from '../../test/support/calls.js';
import { cookieValue, createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import type { CallContext } from '../sdk/index.js';

import { VISIT_COOKIE } from './captcha-service.js';
import { Captcha } from './entities/index.js';

let parts: TestSignIn;
beforeAll(async () => {
  parts = await createTestSignIn();
});
afterAll(() => parts.dispose());

/** A browser that got a captcha, and the answer as the table has it. */
async function browser(scope: 'admin' | 'user' = 'user'): Promise<{ call: CallContext; answer: string }> {
  const { cookie } = await parts.captchas.issue(scope, testCall());
  const rows = await parts.database.repository(Captcha).find({ order: { id: 'DESC' }, take: 1 });
  return { call: testCall({ cookies: { [VISIT_COOKIE]: cookieValue(cookie) } }), answer: rows[0]!.answer };
}

describe('CaptchaService', () => {
  it('sets an HTTP-only cookie, and stores neither answer nor cookie in the image or the row', async () => {
    const { svg, cookie } = await parts.captchas.issue('user', testCall({ baseUrl: 'https://panel.test' }));
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toContain('<text');
    expect(cookie).toMatch(/^svc_visit=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [row] = await parts.database.repository(Captcha).find();
    expect(row!.answer).toMatch(/^[a-z0-9]{4}$/);
    expect(JSON.stringify(row)).not.toContain(cookieValue(cookie));
  });

  it('accepts the right answer once, ignoring case and surrounding blanks', async () => {
    const { call, answer } = await browser();
    expect(await parts.captchas.check('user', call, ` ${answer.toUpperCase()} `)).toBe(true);
    expect(await parts.captchas.check('user', call, answer)).toBe(false);
  });

  it('is consumed by a wrong answer', async () => {
    for (const wrong of ['', 'nope', '\0', '%', 'x'.repeat(1_000)]) {
      const { call, answer } = await browser();
      expect(await parts.captchas.check('user', call, wrong)).toBe(false);
      expect(await parts.captchas.check('user', call, answer)).toBe(false);
    }
  });

  it('accepts only one of several concurrent attempts', async () => {
    const { call, answer } = await browser();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => parts.captchas.check('user', call, answer)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('is bound to one browser and one side', async () => {
    const { call, answer } = await browser('user');
    const stranger = await browser('user');
    expect(await parts.captchas.check('admin', call, answer)).toBe(false);
    expect(await parts.captchas.check('user', testCall(), answer)).toBe(false);
    expect(await parts.captchas.check('user', testCall({ cookies: { [VISIT_COOKIE]: "' OR 1=1 --" } }), answer)).toBe(false);
    expect(await parts.captchas.check('user', stranger.call, stranger.answer === answer ? 'x' : answer)).toBe(false);
    expect(await parts.captchas.check('user', call, answer)).toBe(true);
  });

  it('a second one invalidates the first and keeps the cookie; an invalid cookie is replaced', async () => {
    const { call, answer } = await browser();
    const again = await parts.captchas.issue('user', call);
    expect(again.cookie).toBeNull();
    const [row] = await parts.database.repository(Captcha).find({ order: { id: 'DESC' }, take: 1 });
    if (row!.answer !== answer) expect(await parts.captchas.check('user', call, answer)).toBe(false);
    const forced = await parts.captchas.issue('user', testCall({ cookies: { [VISIT_COOKIE]: 'chosen-by-somebody' } }));
    expect(cookieValue(forced.cookie)).toMatch(/^[\w-]{43}$/);
  });

  it('expires after five minutes and is removed', async () => {
    const early = await browser();
    parts.clock.advance(299_000);
    expect(await parts.captchas.check('user', early.call, early.answer)).toBe(true);
    const late = await browser();
    parts.clock.advance(300_000);
    expect(await parts.captchas.check('user', late.call, late.answer)).toBe(false);
    await parts.captchas.removeExpired();
    expect(await parts.database.repository(Captcha).count()).toBe(0);
  });

  it('can be fixed or disabled', async () => {
    const fixed = parts.another({ CAPTCHA: 'fixed:AbCd' }).captchas;
    const { cookie } = await fixed.issue('user', testCall());
    const call = testCall({ cookies: { [VISIT_COOKIE]: cookieValue(cookie) } });
    expect(await fixed.check('user', call, 'aBcD')).toBe(true);
    expect(await fixed.check('user', call, 'abcd')).toBe(false);
    expect(await parts.another({ CAPTCHA: 'off' }).captchas.check('user', testCall(), '')).toBe(true);
  });

  it('limits the captchas per address', async () => {
    const call = testCall({ ip: '203.0.113.9' });
    for (let i = 0; i < 120; i++) await parts.captchas.issue('user', call);
    await expect(parts.captchas.issue('admin', call)).rejects.toMatchObject({ code: 'TOO_MANY_CAPTCHAS', params: { seconds: 60 } });
    await parts.captchas.issue('user', testCall({ ip: '203.0.113.10' }));
  });
});
