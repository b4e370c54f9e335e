import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { RATE_CLASSES } from '../../src/auth/index.js';
import { checkDeclaration } from '../../src/operations/operation-discovery.js';
import { NoInput, OperationRegistry, Routes, type OperationDeclaration } from '../../src/operations/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { writePlugin } from '../support/plugins.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on' });
  writePlugin(
    panel.dataDir,
    'classes',
    `module.exports = (svc) => {
    svc.svc_register_ajax('admin', 'p_classes_admin', () => ({ ok: true }), 'admin');
    svc.svc_register_ajax('user', 'p_classes_open', () => ({ ok: true }));
    svc.svc_register_ajax('admin', 'p_classes_busy', () => ({ ok: true }), 'admin', { rate: 'expensive' });
    svc.svc_register_route('GET', '/classes', () => 'ok');
    svc.svc_register_route('POST', '/classes/buy', () => ({ ok: true }), 10, null, { rate: 'order' });
  };`,
  );
  writePlugin(
    panel.dataDir,
    'noclass',
    `module.exports = (svc) => { svc.svc_register_route('GET', '/noclass', () => 'ok', 10, null, { rate: 'node' }); };`,
  );
  await panel.enable('classes');
});
afterAll(() => panel?.close());

describe('F14 rate classes', () => {
  it('an operation without one, or with an unknown one, does not boot', () => {
    const whole: OperationDeclaration = { side: 'admin', gn: 'fine', auth: 'admin', input: NoInput, audit: null, rate: 'read' };
    for (const rate of [undefined, 'often', 'toString'])
      expect(() => checkDeclaration({ ...whole, rate } as OperationDeclaration, 'here')).toThrow('rate');
  });

  it('plugins get a default and may name one of theirs', async () => {
    const of = (name: string) =>
      panel
        .get(OperationRegistry)
        .all()
        .find((record) => record.name === name)?.rate;
    expect([of('p_classes_admin'), of('p_classes_open'), of('p_classes_busy')]).toEqual(['write', 'public', 'expensive']);
    const routes = panel
      .get(Routes)
      .list()
      .filter(({ owner }) => owner === 'classes');
    expect(routes.map(({ handler }) => handler.rate)).toEqual(['public', 'order']);
    await panel.admin('plugin_install', { slug: 'noclass' });
    expect(await panel.tryEnable('noclass')).toMatchObject({ success: false, code: expect.stringContaining('rate class') });
  });

  it('beyond it an operation responds with 429 and Retry-After in its own format', async () => {
    const ask = () => panel.adminFetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_classes_busy' }) });
    const answers = [];
    for (let i = 0; i <= RATE_CLASSES.expensive.limit; i += 1) answers.push(await ask());
    expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true);
    const last = answers.at(-1)!;
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ success: false, qk: 4, err: 'E_RATE' });
    expect(((await panel.admin('p_classes_admin')) as unknown as { ok: boolean }).ok).toBe(true);
  });

  it('beyond it a route responds with 429, as text to a browser, and does not run', async () => {
    const ask = (accept: string) => panel.fetch('/classes/buy', { method: 'POST', headers: { accept } });
    for (let i = 0; i < RATE_CLASSES.order.limit; i += 1) expect((await ask('*/*')).status).toBe(200);
    const refused = await ask('*/*');
    expect([refused.status, ((await refused.json()) as { err: string }).err]).toEqual([429, 'E_RATE']);
    const page = await ask('text/html');
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/plain; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await panel.fetch('/classes')).status).toBe(200);
  });

  it('health is never refused', () => {
    expect(RATE_CLASSES.health.limit).toBe(Infinity);
  });

  it('codes of a second factor can be tried ten times in ten minutes, across all operations', async () => {
    const { secret } = (await panel.admin('f2kq')).data as { secret: string };
    const { codes } = (await panel.admin('f2qr', { totp: new AuthenticatorApp(secret).at(new Date()) })).data as { codes: string };
    for (let guess = 2; guess <= 10; guess++) expect(await panel.admin('f2zm', { totp: '000000' })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('f2zm', { totp: codes.split('\n')[0]! })).toMatchObject({ success: false, err: 'E_RATE' });
  });
});
