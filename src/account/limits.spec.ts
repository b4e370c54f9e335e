import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestPanel, type AjaxAnswer } from '../../test/support/panel.js';
import { FailureLimits, RateGate, RateLimit, RateLimiter } from '../auth/index.js';
import { Database } from '../database/index.js';
import { OperationLog } from '../operations/index.js';

let panel: TestPanel;
const HOUR = 3_600;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
  await panel.signInUser('owner01', 'secret-pass-1');
});
afterAll(() => panel?.close());
beforeEach(() => panel.get(Database).repository(RateLimit).clear());

type Rows = { total: number; rows: Record<string, string>[] };
const list = async (fields: Record<string, string> = {}) => (await panel.admin('sxlist', fields)) as unknown as Rows;

const ROOT = join(import.meta.dirname, '..');
/** What counts with a key it is given, and has none of its own. */
const WITHOUT_KEYS = ['auth/failure-limits.ts', 'operations/count-against.ts', 'store/http/within-limit.ts'];
/** What stands beside keys and is written like one. */
const NO_KEYS = ['account:x', 'customer:x', 'data:image/svg+xml;base64,x'];
const COUNTS = /\b[lL]imiter\.(?:hit|look|count)\(|\bthis\.hit\(|\b(?:countAgainst|withinLimit)\(/;
const OF_FAILURES = /\b(?:failures|limits)\.count\(\s*([`'])(.+?)\1/g;
const IMPORTS_AND_COMMENTS = /^import .*|^\} from .*|^ *(?:\/?\*|\/\/).*/gm;

/** Keys of everything that is counted, as the source writes them, by file. */
function keysInSource(): [string, string[]][] {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  return files.sort().flatMap((name): [string, string[]][] => {
    const text = readFileSync(join(ROOT, name), 'utf8')
      .replace(IMPORTS_AND_COMMENTS, '')
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x');
    const failures = Array.from(text.matchAll(OF_FAILURES), ([, , kind]) => `wrong:${kind!}:198.51.100.7`);
    const rest = text.replace(OF_FAILURES, '');
    const counts = COUNTS.test(rest) && !WITHOUT_KEYS.includes(name);
    const keys = counts ? Array.from(rest.matchAll(/[`']([a-z][a-z-]*:[^/ `'][^`']*)[`']/g), ([, key]) => key!) : [];
    const all = [...failures, ...keys.filter((key) => !NO_KEYS.includes(key))];
    return counts || failures.length > 0 ? [[name, all]] : [];
  });
}

async function guess(user: string, ip: string, pass = 'not-the-password'): Promise<number> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'login', user, pass }),
    headers: { 'X-Forwarded-For': ip },
  });
  await response.text();
  return response.status;
}

describe('limits', () => {
  it('show who is limited by what, and can be cleared', async () => {
    for (let n = 0; n < 10; n += 1) expect(await guess('owner01', '203.0.113.7')).toBe(200);
    expect(await guess('owner01', '203.0.113.7')).toBe(429);
    await guess('owner01', '203.0.113.70');
    const { rows } = await list({ ip: '203.0.113.7', xz: 'true' });
    expect(rows).toEqual([expect.objectContaining({ ip: '203.0.113.7', zh: 'owner01', zd: '10', xz: 'true' })]);
    expect((await list({ ip: '203.0.113.7' })).rows.every(({ ip }) => ip === '203.0.113.7')).toBe(true);
    expect((await list({ ip: 'no address' })).total).toBe(0);
    expect(await panel.admin('sxcz', { id: rows[0]!.id! })).toMatchObject({ success: true });
    expect(await panel.admin('sxcz', { id: rows[0]!.id! })).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await guess('owner01', '203.0.113.7', 'secret-pass-1')).toBe(200);
  });

  it('name what is counted over all addresses, and nothing else', async () => {
    await panel.get(FailureLimits).count('rejected:epay', 'all', { limit: 100, windowSeconds: HOUR });
    const { rows } = await list({});
    expect(rows).toContainEqual(expect.objectContaining({ id: 'wrong:rejected:epay:all', ip: '', zh: 'epay', cs: '1' }));
  });

  it('have a label for unknown counts, such as those of an older version', async () => {
    await panel.get(RateLimiter).hit('once:somebody', { limit: 100, windowSeconds: HOUR });
    expect((await list()).rows).toContainEqual(expect.objectContaining({ id: 'once:somebody', lx: '其他计数', zh: 'once:somebody' }));
  });

  it('clear all counts of an address, and none of a similar one', async () => {
    await guess('nobody01', '203.0.113.7');
    await guess('näme 1', '203.0.113.7');
    await guess('nobody01', '203.0.113.77');
    await guess('nobody01', '2001:db8:1:2::5');
    expect(await panel.admin('sxcz', { ip: '203.0.113.7' })).toMatchObject({ success: true });
    expect((await list({ ip: '203.0.113.7' })).total).toBe(0);
    expect((await list({ ip: '203.0.113.77' })).total).toBeGreaterThan(0);
    const network = await list({ ip: '2001:db8:1:2::99' });
    expect(network.rows[0]).toMatchObject({ ip: '2001:db8:1:2::/64' });
    await panel.admin('sxcz', { ip: '2001:db8:1:2::1' });
    expect((await list({ ip: '2001:db8:1:2::99' })).total).toBe(0);
    for (const fields of [{}, { ip: '' }, { id: '' }, { ip: 'x' }, { ip: '203.0.113.0/24' }, { ip: '%' }, { id: 'x'.repeat(300) }])
      expect(await panel.admin('sxcz', fields as Record<string, string>)).toMatchObject({ success: false, err: 'E_ARGS' });
    expect((await list({ ip: '203.0.113.77' })).total).toBeGreaterThan(0);
    const lines = await panel.get(Database).repository(OperationLog).findBy({ category: 'sxcz' });
    expect(lines.some(({ summary }) => summary.includes('203.0.113.7'))).toBe(true);
  });

  it('are also cleared in memory: one-minute windows and addresses over their limit', async () => {
    const failures = panel.get(FailureLimits);
    const rule = { limit: 1, windowSeconds: HOUR };
    await failures.count('pay:test', '198.51.100.9', rule);
    expect(await failures.count('pay:test', '198.51.100.9', rule)).toBeGreaterThan(0);
    const gate = panel.get(RateGate);
    const floods = (): boolean => {
      try {
        for (let n = 0; n < 300; n += 1) void gate.admit('captcha', '198.51.100.9', null);
        return false;
      } catch {
        return true;
      }
    };
    expect(floods()).toBe(false);
    expect(floods()).toBe(true);
    await panel.admin('sxcz', { ip: '198.51.100.9' });
    expect(await failures.count('pay:test', '198.51.100.9', rule)).toBe(0);
    expect(floods()).toBe(false);
  });

  it('are listed on pages with labels and without active content', async () => {
    await panel.get(RateLimiter).hit('login:user:pair:203.0.113.9:<img/src=x>', { limit: 1, windowSeconds: HOUR });
    await panel.get(RateLimiter).hit('some-plugin:thing', { limit: 5, windowSeconds: HOUR });
    for (const [language, words] of [
      ['en', 'Wrong passwords for an account from a network'],
      ['zh-CN', '某网络对某账号的错误密码'],
    ] as const) {
      const response = await panel.adminFetch('/admin/limits', { headers: { 'Accept-Language': language, Accept: 'text/html' } });
      const html = await response.text();
      expect(html).toContain(words);
      expect(html).toContain('some-plugin');
      expect(html).not.toContain('<img/src');
    }
    const menu = await (await panel.adminFetch('/admin/', { headers: { Accept: 'text/html' } })).text();
    expect(menu).toContain('href="/admin/limits"');
  });

  it('have labels for every kind of count', async () => {
    const found = keysInSource();
    expect(found.filter(([, keys]) => keys.length === 0)).toEqual([]);
    const keys = found.flatMap(([, ofFile]) => ofFile);
    expect(keys).toEqual(expect.arrayContaining(['coupon:x', 'wrong:rejected:x:198.51.100.7', 'register:net:x', 'login:x:pair:x:x']));
    for (const key of keys) await panel.get(RateLimiter).hit(key, { limit: 5, windowSeconds: HOUR });
    for (const [language, coupons] of [
      ['en', 'Unknown coupons'],
      ['zh-CN', '不存在的优惠券'],
    ] as const) {
      const answer = await panel.adminFetch('/admin/ajax.php', {
        method: 'POST',
        body: new URLSearchParams({ gn: 'sxlist', limit: '200' }),
        headers: { 'Accept-Language': language },
      });
      const { rows } = (await answer.json()) as Rows;
      expect(rows.length).toBeGreaterThan(25);
      expect(rows.filter(({ id, lx }) => id!.startsWith(`${lx!}:`)).map(({ id }) => id)).toEqual([]);
      expect(rows.find(({ id }) => id === 'coupon:x')).toMatchObject({ lx: coupons });
    }
  });

  it('omit uncounted attempts, and the row of the write check', async () => {
    expect((await fetch(`${panel.url}/readyz`)).status).toBe(200);
    await panel.get(RateLimiter).hit('code:198.51.100.30', { limit: 5, windowSeconds: HOUR });
    expect((await list({ limit: '200' })).rows.map(({ id }) => id)).toContain('code:198.51.100.30');
    await panel.get(Database).run("UPDATE SVC_rate_limit SET `count` = 0 WHERE `key` = 'code:198.51.100.30'");
    const rows = (await list({ limit: '200' })).rows.map(({ id }) => id);
    expect(rows).not.toContain('code:198.51.100.30');
    expect(rows).not.toContain('readyz');
  });

  it('expire automatically, and are visible to permitted administrators only', async () => {
    await panel.get(RateLimiter).hit('captcha:203.0.113.10', { limit: 1, windowSeconds: -1 });
    expect((await list({ ip: '203.0.113.10' })).total).toBe(0);
    const answer = (await (
      await panel.fetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'sxlist' }) })
    ).json()) as AjaxAnswer;
    expect(answer).toEqual({ code: '请登陆后台' });
  });
});
