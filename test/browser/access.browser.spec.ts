import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Session } from '../../src/auth/index.js';
import { Database } from '../../src/database/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt, newPage, picture } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** A plugin with an action that needs a code, sent by a form of its page and by its own script. */
const BANK = {
  'index.js': functionPlugin(`
    let count = 0;
    const refund = ({ body }) => ({ success: true, code: 'Refund ' + (count += 1) + ' of ' + body.fen });
    svc.svc_register_ajax('admin', 'p_bank_refund', refund, 'admin', { audit: 'Refunded', secondProof: true });
    svc.svc_register_page('admin', 'index', 'index.liquid', 'Bank');
  `),
  'index.liquid': `<form data-ajax="p_bank_refund"><input type="hidden" name="fen" value="9"><button>By form</button></form>
    <button id="by-script">By script</button><p id="said"></p><script defer src="/app_plugins/bank/bank.js"></script>`,
  'assets/bank.js': `document.getElementById('by-script').onclick = async () => {
    const body = new URLSearchParams({ gn: 'p_bank_refund', fen: '9' });
    const answer = await (await fetch('/admin/ajax.php', { method: 'POST', body })).json();
    document.getElementById('said').textContent = answer.code;
  };`,
};

describe.skipIf(!hasBrowser)('roles and permissions', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async (started) => {
      writePlugin(started.dataDir, 'bank', { files: BANK });
      await started.enable('bank');
    },
  );

  it('a role is created with a name and checkboxes, and assigned to an administrator', async () => {
    await page.goto(`${panel.url}/admin/roles`);
    await page.click('a[href="/admin/role"]');
    await page.fill('#role-name', 'Support');
    await page.getByLabel('View hosting accounts').check();
    await page.getByLabel('Pause and resume').check();
    await page.click('form[data-ajax=jsbc] [type=submit]');
    await page.waitForURL(`${panel.url}/admin/roles`);
    await page.getByRole('cell', { name: /Support/ }).waitFor();
    const [role] = (await panel.admin('listjs')).rows as unknown as { id: string; qx: string[] }[];
    expect(role!.qx).toEqual(['listzj', 'zjsj', 'zjdc', 'listzjls', 'zjzt', 'zjjc', 'zjgq', 'zjztwj', 'zjjcwj']);
    await lookAt(page, `${panel.url}/admin/roles`, 'roles', () => page.locator('#roles tbody tr').first().waitFor());
    await lookAt(page, `${panel.url}/admin/role?id=${role!.id}`, 'role', () => page.locator('#role-name').waitFor());
    expect(await page.getByLabel('Pause and resume').isChecked()).toBe(true);

    await page.goto(`${panel.url}/admin/administrators`);
    await page.click('[data-bs-target="#add-administrator"]');
    await page.fill('#add-admin-user', 'helper01');
    for (const field of ['#add-admin-pass', '#add-admin-repeat']) await page.fill(field, 'secret-of-helper');
    await page.selectOption('#add-admin-role', { label: 'Support' });
    await picture(page, 'administrators-add');
    await page.click('#add-administrator [type=submit]');
    await page.locator('#administrators tbody tr', { hasText: 'helper01' }).waitFor();
    await lookAt(page, `${panel.url}/admin/administrators`, 'administrators', () =>
      page.locator('#administrators tbody tr').first().waitFor(),
    );

    const helper = await newPage(browser, 'en-US', problems, /403/);
    await helper.goto(`${panel.url}/admin/login`);
    await helper.fill('#username', 'helper01');
    await helper.fill('#password', 'secret-of-helper');
    await helper.click('form [type=submit]');
    await helper.waitForURL(`${panel.url}/admin/`);
    await picture(helper, 'limited-home');
    expect(await helper.locator('a[href="/admin/hosts"]').count()).toBeGreaterThan(0);
    expect(await helper.locator('a[href="/admin/orders"]').count()).toBe(0);
    expect((await helper.goto(`${panel.url}/admin/orders`))!.status()).toBe(403);
    await picture(helper, 'limited-refused');
  });

  it('a second factor is set up with a QR code and a code, and required at the next sign-in', async () => {
    await panel.admin('addadmin', { user: 'careful1', pass: 'secret-of-careful', js_id: '0' });
    const careful = await newPage(browser, 'en-US', problems);
    const enter = async (): Promise<void> => {
      await careful.goto(`${panel.url}/admin/login`);
      await careful.fill('#username', 'careful1');
      await careful.fill('#password', 'secret-of-careful');
      await careful.click('form [type=submit]');
    };
    await enter();
    await careful.waitForURL(`${panel.url}/admin/`);
    await careful.goto(`${panel.url}/admin/`);
    await careful.locator('header .dropdown [data-bs-toggle]').last().click();
    await careful.getByRole('link', { name: 'My access' }).click();
    await lookAt(careful, `${panel.url}/admin/my-access`, 'my-access', async () => {});
    await lookAt(careful, `${panel.url}/admin/security`, 'second-factor-off', () => careful.locator('[data-ajax=f2kq]').waitFor());
    await careful.click('[data-ajax=f2kq]');
    await careful.locator('#second-on.show').waitFor();
    expect(
      await careful.locator('#second-on img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(0);
    await picture(careful, 'second-factor-scan');
    const app = new AuthenticatorApp(await careful.inputValue('#second-secret'));
    await careful.fill('#second-code', app.at(new Date()));
    await careful.click('#second-on [type=submit]');
    await careful.locator('#second-codes.show').waitFor();
    const codes = (await careful.inputValue('#second-codes-value')).split('\n');
    expect(codes).toHaveLength(10);
    await picture(careful, 'second-factor-codes');
    await careful.click('#second-codes a.btn-primary');
    await careful.getByText('Recovery codes left: 10').waitFor();
    await lookAt(careful, `${panel.url}/admin/security`, 'second-factor-on', () =>
      careful.locator('[data-bs-target="#second-off"]').waitFor(),
    );

    await careful.context().clearCookies();
    await enter();
    await careful.locator('#login-code').waitFor();
    expect(await careful.locator('#password').isVisible()).toBe(false);
    await picture(careful, 'login-second-step');
    await careful.fill('#login-code', '000000');
    await careful.click('form [type=submit]');
    await careful
      .getByText(/The code is wrong/)
      .first()
      .waitFor();
    await careful.fill('#login-code', codes[0]!);
    await careful.click('form [type=submit]');
    await careful.waitForURL(`${panel.url}/admin/`);

    await panel.get(Database).repository(Session).update({ scope: 'admin' }, { provenAt: null });
    await careful.goto(`${panel.url}/admin/administrators`);
    await careful.click('[data-bs-target="#add-administrator"]');
    await careful.fill('#add-admin-user', 'colleague1');
    for (const field of ['#add-admin-pass', '#add-admin-repeat']) await careful.fill(field, 'secret-of-colleague');
    const add = careful.locator('#add-administrator [type=submit]');
    await add.click();
    await careful.locator('#proof-code').waitFor();
    await picture(careful, 'second-proof');
    await careful.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    await careful.getByText('requires your second factor').first().waitFor();
    expect(await careful.inputValue('#add-admin-pass')).toBe('secret-of-colleague');
    await add.click();
    await careful.fill('#proof-code', 'wrong');
    await careful.keyboard.press('Enter');
    await careful
      .getByText(/The code is wrong/)
      .first()
      .waitFor();
    await picture(careful, 'second-proof-wrong');
    await careful.fill('#proof-code', codes[1]!);
    await careful.keyboard.press('Enter');
    await careful.locator('#administrators tbody tr', { hasText: 'colleague1' }).waitFor();

    const forget = () => panel.get(Database).repository(Session).update({ scope: 'admin' }, { provenAt: null });
    await careful.goto(`${panel.url}/admin/plugin.php?p=bank&page=index`);
    for (const [at, button] of ['By form', 'By script'].entries()) {
      await forget();
      await careful.getByRole('button', { name: button }).click();
      await careful.fill('#proof-code', codes[2 + at]!);
      await careful.keyboard.press('Enter');
      await careful
        .getByText(`Refund ${at + 1} of 9`)
        .first()
        .waitFor();
    }
    expect(problems).toEqual([]);
  });

  it('an API key is created and shown once, and history and log show what was done', async () => {
    await page.goto(`${panel.url}/admin/api-keys`);
    await page.click('a[href="/admin/api-key"]');
    await page.fill('#key-name', 'billing');
    await page.getByLabel('View hosting accounts').check();
    await page.click('form[data-ajax=addmy] [type=submit]');
    await page.locator('#key-secret.show').waitFor();
    expect(await page.inputValue('#key-secret-value')).toMatch(/^svck_/);
    await picture(page, 'api-key-secret');
    await lookAt(page, `${panel.url}/admin/api-keys`, 'api-keys', () => page.locator('#api-keys tbody tr').first().waitFor());
    const [key] = (await panel.admin('listmy')).rows as unknown as { id: string }[];
    await lookAt(page, `${panel.url}/admin/api-key?id=${key!.id}`, 'api-key', () => page.locator('#key-name').waitFor());
    await lookAt(page, `${panel.url}/admin/sessions`, 'sessions', () => page.locator('#history tbody tr').first().waitFor());
    await lookAt(page, `${panel.url}/admin/log`, 'log', () => page.locator('#log tbody tr').first().waitFor());
    await page.locator('#log a[href^="/admin/log-line"]').first().click();
    await page.getByText('Request', { exact: true }).waitFor();
    await picture(page, 'log-line');
    await page.goto(`${panel.url}/admin/log`);
    await page.click('[data-bs-target="#log-days"]');
    await page.fill('#log-days-field', '12');
    await page.click('#log-days [type=submit]');
    await page.getByText('Enter 30 to 3650 days, or 0 to keep entries forever.').first().waitFor();
    await picture(page, 'log-days');
    expect(problems).toEqual([]);
  });
});
