import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SAMPLE_VIEWS } from './samples/sample-views.js';
import { ThemeFixture } from './testing/theme-fixture.js';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const POLICY =
  "default-src 'self'; script-src 'self' 'nonce-n0nce'; style-src 'self' 'unsafe-inline'; img-src 'self' data: " +
  "https:; object-src 'none'; base-uri 'none'; form-action 'self'";

/** What the server answers to each operation; what it was sent. */
let answers: Record<string, unknown>;
let sent: Record<string, string>[];

describe.skipIf(!existsSync(CHROMIUM))('the default theme in a browser', () => {
  const fixture = new ThemeFixture();
  let server: Server;
  let browser: Browser;
  let page: Page;
  let problems: string[];
  let base: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        if (await fixture.assets.handle(request, response)) return;
        if (request.method === 'POST') {
          let body = '';
          for await (const chunk of request) body += String(chunk);
          const fields = Object.fromEntries(new URLSearchParams(body));
          sent.push(fields);
          response.end(JSON.stringify(answers[fields.gn!] ?? { total: 0, rows: [] }));
          return;
        }
        if (new URL(request.url!, 'http://x').pathname.endsWith('/notices/events')) {
          response.writeHead(204).end();
          return;
        }
        const sample = SAMPLE_VIEWS[Number(new URL(request.url!, 'http://x').searchParams.get('sample') ?? -1)];
        response.setHeader('Content-Type', 'text/html; charset=UTF-8').setHeader('Content-Security-Policy', POLICY);
        response.end(sample ? await fixture.html(sample.side, sample.view, sample.vars, { locale: 'en', nonce: 'n0nce' }) : 'elsewhere');
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    page = await browser.newPage({ viewport: { width: 375, height: 740 } });
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    fixture.remove();
  });
  beforeEach(() => {
    answers = {};
    sent = [];
    problems = [];
  });

  const open = (side: string, view: string): Promise<unknown> =>
    page.goto(`${base}/${side}/${view}?sample=${SAMPLE_VIEWS.findIndex((sample) => sample.side === side && sample.view === view)}`);

  it('shows the failure of a form at its fields', async () => {
    answers.login = { success: false, qk: 4, code: 'Wrong', msg: 'Wrong', err: 'E_ARGS', data: null, fields: { user: 'Type your name.' } };
    answers.yzm = { success: true, qk: 1, code: 'ok', msg: 'ok', data: { image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } };
    await open('admin', 'login');
    await page.fill('#username', 'alice');
    await page.fill('#password', 'secret');
    await page.fill('#captcha', 'abcd');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Type your name.').waitFor();
    expect(sent).toContainEqual({ gn: 'login', user: 'alice', pass: 'secret', code: 'abcd' });
    expect(await page.getAttribute('#username', 'aria-invalid')).toBe('true');
    // The captcha was used up: a new one is there.
    await expect.poll(() => sent.filter((fields) => fields.gn === 'yzm').length).toBe(2);
  });

  it('asks before destructive actions, and reports why one failed', async () => {
    await open('admin', 'hosts');
    await page.getByRole('button', { name: '删除', exact: true }).first().click();
    await page.getByRole('dialog').getByText('删除 alice01？').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Enter');
    const deleted = () => sent.filter(({ gn }) => gn === 'zjsc');
    expect(deleted()).toEqual([]);
    answers.zjsc = { success: false, qk: 4, code: 'No', msg: 'Still needed' };
    await page.getByRole('button', { name: '删除', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await page.getByRole('alert').getByText('Still needed').waitFor();
    expect(deleted()).toEqual([{ gn: 'zjsc', id: '12' }]);
  });

  it('shows the config of a new agent, once', async () => {
    answers.listbt = { total: 1, rows: [{ id: '1', btdh: 'local' }] };
    answers.addnode = { success: true, qk: 1, code: 1, msg: 'Added', data: {}, config_json: '{"node_secret": "the secret"}' };
    await open('admin', 'agents');
    await page.getByRole('button', { name: 'Add agent' }).first().click();
    await page.locator('#add-agent').getByRole('button', { name: 'Add agent' }).click();
    await page.locator('#agent-config').getByRole('button', { name: 'Copy' }).waitFor();
    expect(sent.find((fields) => fields.gn === 'addnode')).toEqual({ gn: 'addnode', bt_id: '1', node_name: '', node_id: '' });
    expect(await page.inputValue('#agent-config-value')).toBe('{"node_secret": "the secret"}');
  });

  it('keeps input and focus in a rejected form: Esc still closes it', async () => {
    answers.listbt = { total: 1, rows: [{ id: '1', btdh: 'local' }] };
    answers.addnode = { success: false, qk: 4, code: 'No', msg: 'Not now' };
    await open('admin', 'agents');
    await page.getByRole('button', { name: 'Add agent' }).first().click();
    await page.fill('#agent-name', 'frankfurt');
    await page.locator('#add-agent').getByRole('button', { name: 'Add agent' }).click();
    await page.getByRole('alert').getByText('Not now').waitFor();
    expect(await page.inputValue('#agent-name')).toBe('frankfurt');
    expect(await page.evaluate("document.activeElement.closest('#add-agent') !== null")).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('#add-agent').waitFor({ state: 'hidden' });
  });

  it('goes to the login page when the session has ended, and returns from there', async () => {
    answers.zjsc = { code: '请登陆' };
    await open('user', 'orders');
    await page.getByRole('button', { name: '删除', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await page.waitForURL(`${base}/user/login?next=${encodeURIComponent('/user/orders?sample=')}*`);
  });

  it('keeps the chosen colour scheme', async () => {
    await open('user', 'closed');
    await page.getByRole('button', { name: /light and dark/ }).click();
    await open('user', 'error');
    expect(await page.getAttribute('html', 'data-bs-theme')).toBe('dark');
  });
});
