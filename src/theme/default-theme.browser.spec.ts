import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SAMPLE_VIEWS } from './testing/sample-vars.js';
import { ThemeFixture } from './testing/theme-fixture.js';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const ATTACK = '<img src=x onerror="document.title=\'owned\'">';
const POLICY =
  "default-src 'self'; script-src 'self' 'nonce-n0nce'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self' https:";

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
        const sample = SAMPLE_VIEWS[Number(new URL(request.url!, 'http://x').searchParams.get('sample') ?? -1)];
        response.setHeader('Content-Type', 'text/html; charset=UTF-8').setHeader('Content-Security-Policy', POLICY);
        response.end(
          sample ? await fixture.renderer.render(sample.side, sample.view, sample.vars, { locale: 'en', nonce: 'n0nce' }) : 'elsewhere',
        );
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

  it('fits a phone, breaks no policy and throws nothing on any page', async () => {
    for (const [at, { side, view }] of SAMPLE_VIEWS.entries()) {
      await page.goto(`${base}/${side}/${view}?sample=${at}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect({ view: `${side}/${view}`, overflow, problems }).toEqual({ view: `${side}/${view}`, overflow: 0, problems: [] });
    }
  });

  it('shows rows as text and pages through them', async () => {
    answers.listzj = {
      total: 45,
      rows: [
        { id: 7, user: ATTACK, ssbt: 'local', url: 'javascript:alert(1)', datae: '0000-00-00', qk: 'true', hxa: '{"max":100,"dq":25}' },
      ],
    };
    await open('admin', 'hosts');
    await page.getByText(ATTACK).waitFor();
    expect(await page.locator('tbody img, tbody a').count()).toBe(0);
    expect(await page.locator('tbody').innerText()).toContain('Never');
    await page.getByRole('button', { name: 'Page 3' }).click();
    await expect.poll(() => sent.at(-1)).toMatchObject({ gn: 'listzj', page: '3', limit: '20', sort: 'id', sortOrder: 'DESC' });
    await page.getByRole('searchbox').fill('ali');
    await page.getByRole('searchbox').press('Enter');
    await expect.poll(() => sent.at(-1)).toMatchObject({ page: '1', where: '{"name":"user","type":"2","value":"ali"}' });
    expect(await page.title()).not.toBe('owned');
  });

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

  it('asks before it destroys, and offers only what fits the state', async () => {
    answers.plugin_list = {
      total: 1,
      rows: [
        {
          slug: 'shop',
          name: 'Shop',
          version: '1.0.0',
          installed: true,
          enabled: false,
          installable: true,
          removable: true,
          replaced: false,
          calls: 0,
          status: 'failed',
          error: ATTACK,
          requires_plugins: ['base'],
        },
      ],
    };
    await open('admin', 'plugins');
    await page.getByText(ATTACK).waitFor();
    expect(await page.locator('tbody button').allInnerTexts()).toEqual(['Enable', 'Uninstall', 'Uninstall and delete data']);
    await page.getByRole('button', { name: 'Uninstall and delete data' }).click();
    await page.getByRole('dialog').getByText('Uninstall Shop').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    answers.plugin_uninstall = { success: false, qk: 4, code: 'No', msg: 'Still needed' };
    await page.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click();
    await page.getByRole('alert').getByText('Still needed').waitFor();
    expect(sent.filter((fields) => fields.gn === 'plugin_uninstall')).toEqual([{ gn: 'plugin_uninstall', slug: 'shop', data: 'keep' }]);
  });

  it('opens the form of a row with the values of that row, and leaves the password alone', async () => {
    const row = {
      id: 7,
      user: 'alice01',
      ssbt: 'local',
      url: '',
      datae: '0000-00-00',
      qk: 'true',
      hxa: '{"max":100,"dq":25}',
      hxb: '{"max":0,"dq":0}',
      llmax: '{"max":5,"dq":1}',
      ymbds: '3',
    };
    answers.listzj = {
      total: 2,
      rows: [row, { ...row, id: 8, user: 'bob002', datae: '2027-01-31', qk: 'false', hxa: '{"max":9,"dq":0}' }],
    };
    answers.zjxgjl = { success: true, qk: 1, code: 'Saved', msg: 'Saved', data: {} };
    await open('admin', 'hosts');
    expect(await page.locator('tbody tr').nth(0).locator('button').allInnerTexts()).toEqual(['Edit', 'Sign in as user', 'Pause', 'Delete']);
    expect(await page.locator('tbody tr').nth(1).locator('button').allInnerTexts()).toEqual(['Edit', 'Resume', 'Delete']);
    await page.locator('tbody tr').nth(1).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit bob002' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => sent.find((fields) => fields.gn === 'zjxgjl'))
      .toEqual({ gn: 'zjxgjl', id: '8', pass: '', datar: '2027-01-31', webkj: '9', sqlkj: '0', llmax: '5', ymbds: '3' });
    await page.getByRole('heading', { name: 'Edit bob002' }).waitFor({ state: 'hidden' });
    await page.locator('tbody tr').nth(0).getByRole('button', { name: 'Edit' }).click();
    expect(await page.inputValue('#edit-expires')).toBe('0');
  });

  it('shows the config of a new agent, once', async () => {
    answers.listbt = { total: 1, rows: [{ id: '1', btdh: 'local' }] };
    answers.listnode = {
      total: 1,
      rows: [
        { id: 3, node_id: 'n-3', node_name: ATTACK, btdh: 'local', display_status: 'disabled', ip: '', version: '', last_heartbeat: '' },
      ],
    };
    answers.addnode = { success: true, qk: 1, code: 1, msg: 'Added', data: {}, config_json: '{"node_secret": "the secret"}' };
    await open('admin', 'agents');
    await page.getByText(ATTACK).waitFor();
    expect(await page.locator('tbody button').allInnerTexts()).toEqual(['Enable', 'New secrets', 'Delete']);
    await page.getByRole('button', { name: 'Add an agent' }).first().click();
    await page.locator('#add-agent').getByRole('button', { name: 'Add an agent' }).click();
    await page.locator('#agent-config').getByRole('button', { name: 'Copy' }).waitFor();
    expect(sent.find((fields) => fields.gn === 'addnode')).toEqual({ gn: 'addnode', bt_id: '1', node_name: '', node_id: '' });
    expect(await page.inputValue('#agent-config-json')).toBe('{"node_secret": "the secret"}');
  });

  it('goes to the login page when the session is over', async () => {
    answers.listdd = { code: '请登陆' };
    await open('user', 'orders');
    await page.waitForURL(`${base}/user/login`);
  });

  it('keeps the colour scheme a person chose', async () => {
    await open('user', 'closed');
    await page.getByRole('button', { name: /light and dark/ }).click();
    await open('user', 'error');
    expect(await page.getAttribute('html', 'data-bs-theme')).toBe('dark');
  });
});
