import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { RATE_CLASSES, RateGate, RateLimited } from '../src/auth/index.js';
import { SiteLocale } from '../src/http/index.js';
import { writePlugin } from './support/plugins.js';
import { TestPanel } from './support/panel.js';
import { TestStore } from './support/store.js';

/** Sends requests from a browser in the other language. */
const CHOSEN = { Cookie: 'lang=en', 'Accept-Language': 'zh-CN' };
const ELSEWHERE = { Origin: 'https://elsewhere.example' };
const CHINESE = /\p{Script=Han}/u;

/** Blocks further requests from this address. */
function exhaust(gate: RateGate): void {
  for (const rate of ['public', 'read'] as const) {
    const fill = (): void => {
      for (let n = 0; n <= RATE_CLASSES[rate].limit; n += 1) void gate.admit(rate, '127.0.0.1', null);
    };
    expect(fill).toThrow(RateLimited);
  }
}

describe('an error of the panel', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'on' });
    writePlugin(
      panel.dataDir,
      'worded',
      `module.exports = (svc) => {
        svc.svc_register_route('GET', '/worded', () => 'ok');
        svc.svc_register_route('POST', '/worded', () => 'ok');
      };`,
    );
    await panel.enable('worded');
  });
  afterAll(() => panel?.close());
  afterEach(() => {
    vi.restoreAllMocks();
    panel.get(RateGate).reset();
  });

  const post = (path: string, headers: Record<string, string>): Promise<Response> =>
    panel.fetch(path, { method: 'POST', body: new URLSearchParams({ gn: 'login' }), headers });

  it('for a request from another site is in the language its sender chose', async () => {
    const said = async (headers: Record<string, string>) => (await post('/user/ajax.php', { ...headers, ...ELSEWHERE })).text();
    expect(await said(CHOSEN)).toContain('came from another site');
    expect(await said({ Cookie: 'lang=zh-CN', 'Accept-Language': 'en' })).toContain('请求来自其他网站');
    expect(await said({ 'Accept-Language': 'en' })).toContain('came from another site');
  });

  it('is in the language of the site when its sender chose none', async () => {
    vi.spyOn(panel.get(SiteLocale), 'current').mockReturnValue('en');
    const of = async (headers: Record<string, string>) => (await post('/user/ajax.php', { ...headers, ...ELSEWHERE })).text();
    expect(await of({ 'Accept-Language': 'zh-CN' })).toContain('came from another site');
    expect(await of({ Cookie: 'lang=zh-CN' })).toContain('请求来自其他网站');
    exhaust(panel.get(RateGate));
    const tooMany = async (headers: Record<string, string>) => (await panel.fetch('/status/none', { headers })).text();
    expect(await tooMany({ 'Accept-Language': 'zh-CN' })).toContain('Too many requests');
    expect(await tooMany({ Cookie: 'lang=zh-CN' })).toContain('请求过于频繁');
  });

  it('for too many requests is as well: as JSON, as text, and at an address of a plugin', async () => {
    exhaust(panel.get(RateGate));
    for (const path of ['/status/none', '/worded']) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await panel.fetch(path, { headers: { ...CHOSEN, Accept: accept } });
        expect(answer.status, path).toBe(429);
        expect(Number(answer.headers.get('retry-after')), path).toBeGreaterThan(0);
        const said = await answer.text();
        expect(said, path).toContain('Too many requests');
        expect(said, path).not.toMatch(CHINESE);
      }
      const chinese = await panel.fetch(path, { headers: { Cookie: 'lang=zh-CN', 'Accept-Language': 'en', Accept: 'text/html' } });
      expect(await chinese.text(), path).toContain('请求过于频繁');
    }
  });

  it('for an unreadable body is as well', async () => {
    const answer = await panel.fetch('/worded', {
      method: 'POST',
      body: 'x'.repeat(1_100_000),
      headers: { ...CHOSEN, 'Content-Type': 'text/plain', Accept: 'text/html' },
    });
    expect(answer.status).toBe(413);
    expect(await answer.text()).not.toMatch(CHINESE);
  });
});

describe('an error of the store', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await TestStore.start({ RATE_LIMIT: 'on' });
  });
  afterAll(() => store?.close());
  afterEach(() => store.provider(RateGate).reset());

  it('is in the language its sender chose: not signed in, from another site, too many requests', async () => {
    const said = async (method: string, path: string, headers: Record<string, string>): Promise<[number, string]> => {
      const response = await fetch(`${store.url}${path}`, { method, headers, redirect: 'manual' });
      return [response.status, await response.text()];
    };
    expect(await said('GET', '/api/developer/items', CHOSEN)).toEqual([401, expect.stringContaining('Sign in first')]);
    expect(await said('POST', '/api/auth/login', { ...CHOSEN, ...ELSEWHERE })).toEqual([403, expect.stringContaining('another website')]);
    const [status, page] = await said('POST', '/store/login', { ...CHOSEN, ...ELSEWHERE });
    expect([status, page]).toEqual([403, expect.stringContaining('<html lang="en"')]);
    exhaust(store.provider(RateGate));
    for (const path of ['/api/items', '/api/nothing-here', '/store/', '/store/nothing-here']) {
      const [code, text] = await said('GET', path, { ...CHOSEN, Accept: 'text/html' });
      expect([path, code]).toEqual([path, 429]);
      expect(text, path).toContain('Too many');
    }
  });
});
