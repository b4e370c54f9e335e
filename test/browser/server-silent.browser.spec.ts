/** The pages of a site whose server hangs, responds with a foreign page, or is offline: they are shown soon, and say what to do. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { FAKE_PANEL_KEY, FakeBaota } from '../support/fake-baota.js';
import { OwnerClient } from '../support/owner-client.js';
import type { TestPanel } from '../support/panel.js';

/** Pages of an owner, and whether they show data from the server. */
const PAGES: readonly (readonly [path: string, asks: boolean])[] = [
  ['', false],
  ['files', true],
  ['file-edit?path=%2Findex.html', true],
  ['files-trash', true],
  ['database', true],
  ['php', true],
  ['file-access', true],
  ['domains', false],
  ['certificate', false],
  ['site-settings', false],
  ['statistics', false],
  ['backups', false],
  ['programs', false],
  ['program?id=1', false],
  ['history', false],
];
/** The messages for each server problem, in both languages: what is wrong, and what to do. */
const WORDS = {
  hangs: { 'zh-CN': /没有正常应答.*一分钟后刷新/, en: /is not responding correctly.*Refresh the page in a minute/ },
  'shows its login page': { 'zh-CN': /暂时无法操作.*联系服务商/, en: /cannot work on this site's server.*contact your provider/ },
  'is not there': { 'zh-CN': /连接不上服务器.*请稍后再试/, en: /cannot be reached at the moment.*Try again later/ },
} as const;
/** Maximum time for a page on a busy machine, in milliseconds. */
const SOON_MS = 12_000;

describe.skipIf(!hasBrowser)('the pages of a site whose server', () => {
  let panel: TestPanel;
  let browser: Browser;
  let baota: FakeBaota;
  let owner: OwnerClient;
  const opened: Page[] = [];
  const problems = adminInBrowser((parts) => ({ panel, browser } = parts), undefined, { OUTBOUND_ALLOW: '127.0.0.0/8' });
  beforeAll(async () => {
    baota = await FakeBaota.start();
    const server = { bh: 'baota', driver: 'baota', ip: '127.0.0.1', dk: String(baota.port), key: FAKE_PANEL_KEY };
    expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
    owner = await OwnerClient.open(panel, 'silent01', 'baota');
    expect(await owner.call('tjurl', { url: 'silent.example.com' })).toMatchObject({ success: true });
  });
  afterAll(async () => {
    await Promise.all(opened.map((page) => page.context().close()));
    await baota?.close().catch(() => undefined);
  });

  const ways: Record<keyof typeof WORDS, () => Promise<void> | void> = {
    hangs: () => void (baota.instead = () => true),
    'shows its login page': () =>
      void (baota.instead = (_call, _fields, res) => {
        res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>安全入口校验失败</title><form>login</form>');
        return true;
      }),
    'is not there': () => baota.close(),
  };
  it.each(Object.keys(ways) as (keyof typeof WORDS)[])(
    '%s are shown soon, in both languages, and say what to do',
    { timeout: 400_000 },
    async (way) => {
      await ways[way]();
      const slow: string[] = [];
      for (const [language, size] of [
        ['zh-CN', 'phone'],
        ['en', 'desktop'],
      ] as const) {
        const page = await newPage(browser, { locale: language === 'en' ? 'en-US' : language, viewport: SIZES[size] }, problems);
        opened.push(page);
        const [name, value] = owner.cookie.split('=') as [string, string];
        await page.context().addCookies([{ name, value, url: panel.url }]);
        for (const [path, asks] of PAGES) {
          const begun = performance.now();
          const response = await page.goto(`${panel.url}/user/${path}`);
          const took = Math.round(performance.now() - begun);
          if (took > SOON_MS) slow.push(`${path}: ${took} ms`);
          expect([path, response!.status()]).toEqual([path, 200]);
          const text = (await page.locator('main, body').first().innerText()).replace(/\s+/g, ' ');
          if (asks) expect([path, text]).toEqual([path, expect.stringMatching(WORDS[way][language])]);
          // Nothing that does not concern a customer.
          expect([path, text]).toEqual([path, expect.not.stringMatching(/127\.0\.0\.1:|\bAPI\b|接口|NODE_|E_[A-Z]+\b|安全入口/)]);
          const shot = `silent-${way.replaceAll(' ', '-')}-${path.replace(/\W.*/, '') || 'home'}-${language}`;
          await picture(page, shot, { fullPage: true });
          expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, SIZES[size].width]);
          if (asks) expect([path, await seriousFindings(page)]).toEqual([path, []]);
        }
      }
      expect(slow).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});
