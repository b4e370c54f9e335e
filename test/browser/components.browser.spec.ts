/** Components of pages in a browser, and dialogs and errors as axe sees them; whole pages: every-page.browser.spec.ts. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TaskQueue } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';
import { MonitorStat, MonitorTask } from '../../src/monitor/index.js';
import { PaymentTransaction } from '../../src/payment/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { kumaBackup, kumaMonitor } from '../support/kuma-backup.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

describe.skipIf(!hasBrowser)('components', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.signInUser();
    const { id } = (await panel.admin('adddd', { user: 'owner01', scene: 'hosting', name: 'Plan', rmb: '9.90' })).data;
    const paid = { orderId: Number(id), gateway: 'sandbox', tradeNumber: '1', amount: 990, amountChecked: true, createdAt: new Date() };
    await panel.get(Database).repository(PaymentTransaction).insert(paid);
    await panel.admin('addnode', { bt_id: '1', node_name: 'agent-one', node_id: 'agent-one' });
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'zh-CN', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
  });

  it('a chart is drawn from its table, and redrawn in the other colours', async () => {
    await admin.goto(`${panel.url}/admin/`);
    const drawing = () => admin.evaluate<string>("document.querySelector('[data-chart] canvas').toDataURL()");
    await expect.poll(() => admin.evaluate('Object.keys(window.Chart?.instances ?? {}).length')).toBe(1);
    await picture(admin, 'dashboard-light');
    const light = await drawing();
    await admin.getByRole('button', { name: 'Switch between light and dark' }).first().click();
    await expect.poll(drawing).not.toBe(light);
    await picture(admin, 'dashboard-dark');
    await admin.getByRole('button', { name: 'Switch between light and dark' }).first().click();
    await admin.getByText('Show numbers').click();
    await admin.locator('[data-chart]').getByRole('cell', { name: '¥9.90' }).waitFor();
    await admin.goto(`${panel.url}/admin/hosts`);
    expect(await admin.evaluate('typeof window.Chart')).toBe('undefined');
  });

  it('can be used by plugins: in their files, and in the output of their functions', async () => {
    const page = `<div class="row">
      {% assign label = 'desk.open' | t %}
      {% partial 'stat', label: label, value: '7', icon: 'mdi-ticket', colour: 'blue', href: '/p/desk/x' %}</div>
      {% assign heading = 'desk.none' | t %}{% partial 'empty', heading: heading, icon: 'mdi-ticket', text: 'All answered' %}
      {% assign label = 'desk.close' | t %}{% assign question = 'desk.close_question' | t %}
      {% partial 'confirm', operation: 'p_desk_close', fields: '{"id":"7"}', look: 'btn btn-outline-danger' %}
      {% partial 'progress', label: 'Quota', text: '9 of 10', value: 9, max: 10, tone: 'near' %}
      <button type="button" class="btn" data-ajax="p_desk_key" data-show="#desk-key">Show the key</button>
      {% assign heading = 'desk.key' | t %}{% assign text = heading %}{% assign label = heading %}
      {% partial 'secret', id: 'desk-key', from: 'key' %}
      <form data-ajax="p_desk_save" data-done="nothing" novalidate>
        {% field 'title', of: 'p_desk_save', label: 'desk.title', hint: 'Of the ticket', value: 'Lamp', maxlength: 40, required %}
        {% field 'level', of: 'p_desk_save', label: 'Level', type: 'select', options: 'low:desk.low, high:desk.high', value: 'high' %}
        {% field 'open', of: 'p_desk_save', label: 'Open', type: 'switch', value: true %}
        <button type="submit" class="btn">Save the ticket</button>
      </form>`;
    const chart = `<figure data-chart><div class="chart-box"><canvas role="img" aria-label="Tickets"></canvas></div><table>
      <thead><tr><th>Day</th><th data-series="bar">Opened</th><th data-series="line">Closed</th></tr></thead>
      <tbody><tr><th>Mon</th><td data-value="4">4</td><td data-value="2">2</td></tr>
      <tr><th>Tue</th><td data-value="7">7</td><td data-value="9">9</td></tr></tbody>
      </table></figure>`;
    const words = JSON.stringify({
      ...{ 'desk.open': 'Open tickets', 'desk.none': 'Nothing waits', 'desk.close': 'Close ticket', 'desk.key': 'Key of the desk' },
      'desk.close_question': 'Close ticket 7?',
      ...{ 'desk.title': 'Title of it', 'desk.low': 'Low', 'desk.high': 'High' },
    });
    const code = `svc.svc_register_page('admin', 'desk', 'pages/desk.liquid', 'Desk');
      svc.svc_register_page('admin', 'chart', () => ${JSON.stringify(chart)}, 'Tickets');
      svc.svc_register_ajax('admin', 'p_desk_close', ({ body: { id } }) => ({ success: true, code: 'Closed ticket ' + id }), 'admin');
      svc.svc_register_ajax('admin', 'p_desk_save', ({ body: { title, level, open } }) => title === 'Lamp'
        ? { success: false, code: 'Not that', fields: { title: 'A lamp is there already' } }
        : { success: true, code: 'Saved ' + [title, level, open].join(', ') }, 'admin');
      svc.svc_register_ajax('admin', 'p_desk_key', () => ({ success: true, code: 'ok', key: 'desk-key-0123' }), 'admin');`;
    writePlugin(panel.dataDir, 'desk', {
      manifest: { permissions: [] },
      files: { 'index.js': functionPlugin(code), 'pages/desk.liquid': page, 'lang/en.json': words, 'lang/zh-CN.json': words },
    });
    await panel.enable('desk');
    const desk = `${panel.url}/admin/plugin.php?p=desk&page=`;
    await admin.goto(`${desk}chart`);
    await expect.poll(() => admin.evaluate('Object.keys(window.Chart?.instances ?? {}).length')).toBe(1);
    await picture(admin, 'plugin-chart');
    await admin.goto(`${desk}desk`);
    for (const text of ['Open tickets', 'Nothing waits', 'All answered', '9 of 10']) await admin.getByText(text).first().waitFor();
    await admin.getByRole('button', { name: 'Close ticket' }).click();
    await admin.locator('dialog.confirm').getByText('Close ticket 7?').first().waitFor();
    await picture(admin, 'plugin-confirm');
    await admin.locator('dialog.confirm').getByRole('button').last().click();
    await admin.getByText('Closed ticket 7').waitFor();
    await admin.getByRole('button', { name: 'Show the key' }).click();
    const value = admin.locator('#desk-key-value');
    await value.waitFor();
    expect([await value.getAttribute('type'), await value.inputValue()]).toEqual(['password', 'desk-key-0123']);
    await admin.locator('#desk-key').getByRole('button', { name: 'Close' }).last().click();
    await admin.locator('#desk-key').waitFor({ state: 'hidden' });
    await admin.getByRole('button', { name: 'Save the ticket' }).click();
    await admin.getByText('A lamp is there already').waitFor();
    const field = admin.getByLabel('Title of it');
    expect([await field.getAttribute('maxlength'), await field.getAttribute('aria-invalid')]).toEqual(['40', 'true']);
    expect(await seriousFindings(admin)).toEqual([]);
    await picture(admin, 'plugin-components');
    await field.fill('Desk');
    await admin.getByLabel('Open').uncheck();
    await admin.getByRole('button', { name: 'Save the ticket' }).click();
    await admin.getByText('Saved Desk, high, false').waitFor();
  });

  it('are on their page: a note rises, a secret is hidden until requested, an action asks for confirmation', async () => {
    await admin.goto(`${panel.url}/admin/components`);
    await expect.poll(() => admin.locator('.toast-stack .alert').count()).toBe(4);
    await picture(admin, 'components', { fullPage: true });
    await admin.locator('[data-bs-target="#sample-secret"]').first().click();
    const value = admin.locator('#sample-secret-value');
    await value.waitFor();
    expect(await value.getAttribute('type')).toBe('password');
    await admin.locator('#sample-secret').getByRole('button', { name: 'Show' }).click();
    expect([await value.getAttribute('type'), await value.inputValue()]).toEqual(['text', '0123456789abcdef']);
    await admin.locator('#sample-secret').getByRole('button', { name: 'Renew' }).click();
    await admin.locator('#sample-renew').getByRole('button', { name: 'Renew' }).click();
    await expect.poll(() => value.inputValue()).toBe('fedcba9876543210');
    await value.waitFor();
    // The dialog with the new value may still be opening.
    await admin.keyboard.press('Escape');
    await expect.poll(() => admin.locator('#sample-secret, #sample-renew').filter({ visible: true }).count()).toBe(0);
    const rows = admin.locator('#sample-rows');
    for (const close of [
      () => admin.keyboard.press('Escape'),
      () => rows.getByRole('button', { name: 'Close' }).last().click({ force: true }),
    ]) {
      await admin.locator('[data-bs-target="#sample-rows"]').first().click();
      await close();
      await expect.poll(() => admin.locator('.modal-backdrop').count()).toBe(0);
      expect(await rows.isVisible()).toBe(false);
    }
    await admin.locator('[data-bs-target="#sample-rows"]').first().click();
    await admin.locator('#sample-rows').waitFor();
    expect(await admin.locator('#sample-rows-value').inputValue()).toBe('first line\nsecond line');
    expect(await seriousFindings(admin)).toEqual([]);
    await admin.locator('#sample-rows').getByRole('button', { name: 'Close' }).last().click();
    await admin.locator('#sample-rows').waitFor({ state: 'hidden' });
    await admin.getByRole('button', { name: 'Delete' }).first().click();
    expect(await admin.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await admin.keyboard.press('Escape');
  });

  it('have a sample form: a rejected field has the focus, the second of two tabs is warned, and leaving asks', async () => {
    const asked: string[] = [];
    const first = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(first, panel.url);
    const second = await first.context().newPage();
    const form = (tab: Page) => tab.locator('#sample-form');
    const save = (tab: Page) => form(tab).getByRole('button', { name: 'Save' }).click();
    const title = (tab: Page) => form(tab).getByLabel('Title', { exact: true });
    const note = (tab: Page) => form(tab).getByLabel('Note', { exact: true });
    for (const tab of [first, second]) {
      tab.on('dialog', (dialog) => {
        asked.push(dialog.type());
        void dialog.accept();
      });
      await tab.goto(`${panel.url}/admin/components`);
    }
    expect(await form(first).getByRole('listitem').count()).toBe(3);

    await note(first).fill('typed before it was refused');
    await form(first).getByLabel('Refuse').selectOption('title');
    await save(first);
    await form(first).getByText('Refused, as you chose').first().waitFor();
    await form(first).getByText('Invalid input: Title — Refused, as you chose.').waitFor();
    expect([await first.evaluate('document.activeElement.name'), await title(first).getAttribute('aria-invalid')]).toEqual([
      'title',
      'true',
    ]);
    expect([await title(first).inputValue(), await note(first).inputValue()]).toEqual(['Sample', 'typed before it was refused']);
    await picture(first, 'components-refused');
    expect(await seriousFindings(first)).toEqual([]);
    // A rejection saves nothing: leaving asks.
    await first.reload();
    expect(asked).toEqual(['beforeunload']);
    expect(await note(first).inputValue()).toBe('');

    await title(first).fill('Of the first tab');
    await save(first);
    await first.getByText('Saved until the panel restarts').waitFor();
    await note(second).fill('of the second');
    await save(second);
    await form(second).getByText('Changed in the meantime. Current value: Of the first tab').waitFor();
    expect([await title(second).inputValue(), await note(second).inputValue()]).toEqual(['Sample', 'of the second']);
    await picture(second, 'components-two-tabs');
    expect(await seriousFindings(second)).toEqual([]);
    await save(second);
    await second.getByText('Saved until the panel restarts').waitFor();
    // Saved changes can be left without a question, in the first tab as well.
    for (const tab of [first, second]) await tab.goto(`${panel.url}/admin/components`);
    expect([await title(first).inputValue(), await note(first).inputValue(), asked]).toEqual(['Sample', 'of the second', ['beforeunload']]);
    // The action of the components page is one of this operation.
    await first.getByRole('button', { name: 'Delete' }).first().click();
    await first.locator('dialog.confirm').getByRole('button').last().click();
    await first.getByText('Saved until the panel restarts').waitFor();
    await first.reload();
    expect(await note(first).inputValue()).toBe('');
    await first.context().close();
  });

  it('have their own state when a page declares it in its attributes, with a policy against evaluating strings', async () => {
    await admin.goto(`${panel.url}/admin/components`);
    const place = admin.locator('[x-data]').first();
    expect(await place.locator('p').isVisible()).toBe(false);
    await place.getByRole('button').click();
    expect(await place.locator('p').isVisible()).toBe(true);
    // Parts of a page that are added later have one, too.
    await admin.evaluate(`document.querySelector('main').append(document.querySelector('[x-data]').cloneNode(true))`);
    const later = admin.locator('[x-data]').last();
    await expect.poll(() => later.locator('p').isVisible()).toBe(false);
    await later.getByRole('button').click();
    expect(await later.locator('p').isVisible()).toBe(true);
  });

  it('follow a task until it has ended', async () => {
    await admin.goto(`${panel.url}/admin/agents`);
    await admin.getByRole('button', { name: 'Ping' }).click();
    const place = admin.locator('#agent-task');
    await place.getByText('Waiting for the agent').waitFor();
    const tasks = panel.get(TaskQueue);
    const { id, attempt } = (await tasks.claim('agent-one'))!;
    await tasks.finish(id, attempt, { status: 'success', result: '{}', error: '' });
    await place.getByText('Done').waitFor();
    expect(await place.locator('progress').isVisible()).toBe(false);
  });

  it('make a status page that is managed with dialogs and fits every size, for everyone', async () => {
    const { id } = await panel.admin('jkbc', { name: 'Web', url: 'https://example.com/' }).then(({ data }) => data);
    await panel
      .get(Database)
      .repository(MonitorTask)
      .update({ id: Number(id) }, { state: 'up', nextRunAt: new Date(Date.now() + 86_400_000) });
    const days = Array.from({ length: 80 }, (_value, n) => ({
      taskId: Number(id),
      unit: 'd' as const,
      at: new Date((Math.floor(Date.now() / 86_400_000) - 1 - n) * 86_400_000),
      checks: 1_000,
      oks: n % 9 === 4 ? 900 : n % 7 === 2 ? 990 : 1_000,
      timed: 0,
      msTotal: 0,
      msMost: 0,
    }));
    await panel.get(Database).repository(MonitorStat).insert(days);
    await admin.goto(`${panel.url}/admin/status`);
    await admin.getByRole('button', { name: 'Show', exact: true }).click();
    await admin.fill('#status-name', 'Our web site');
    await admin.locator('#status-show [type=submit]').click();
    await admin.getByRole('button', { name: 'Rename' }).waitFor();
    for (const [title, state] of [
      ['Power cut in Shanghai', 'resolved'],
      ['Mail is slow', 'investigating'],
    ] as const) {
      await admin.getByRole('button', { name: 'Report incident' }).first().click();
      await admin.fill('#add-incident', title);
      await admin.selectOption('#add-state', state);
      await admin.fill('#add-content', 'We **look** at it:\n\n- [news](https://example.com)');
      await admin.locator('#incident-add [type=submit]').click();
      await admin.locator('#incidents').getByText(title).waitFor();
    }
    await admin.getByRole('button', { name: 'Add update' }).click();
    await admin.selectOption('#update-state', 'identified');
    await admin.fill('#update-content', 'It is the queue.');
    await admin.locator('#incident-update [type=submit]').click();
    await admin.locator('#incidents').getByText('Identified').waitFor();
    await admin.fill('#status-title', 'Acme status');
    await admin.fill('#status-slug', 'acme');
    await admin.check('[name=is_public]');
    await admin.locator('form[data-ajax=status_save] [type=submit]').click();
    await admin.getByText('The page is public at').waitFor();
    await lookAt(admin, `${panel.url}/admin/status`, 'status', async () => {
      await admin.locator('#incidents tr[data-row]').first().waitFor();
    });
    await lookAt(admin, `${panel.url}/admin/incident?id=2`, 'incident', async () => {
      await admin.locator('#incident-updates tr[data-row]').first().waitFor();
    });
    const guest = await newPage(browser, { locale: 'en-US', colorScheme: 'dark' }, problems);
    await lookAt(guest, `${panel.url}/status/acme`, 'status-public', async () => {
      await guest.getByText('It is the queue.').waitFor();
    });
    expect(await seriousFindings(guest)).toEqual([]);
    await guest.context().close();
  });

  it('import monitors from a file, with a preview before anything is changed', async () => {
    const monitors = [{ name: 'Web', url: 'http://192.0.2.1/' }, { name: 'Backups', type: 'push', interval: 3_600 }, { type: 'docker' }];
    const file = {
      name: 'Uptime_Kuma_Backup.json',
      mimeType: 'application/json',
      buffer: Buffer.from(kumaBackup(monitors.map(kumaMonitor))),
    };
    await lookAt(user, `${panel.url}/user/monitor-import`, 'monitor-import', async () => {
      await user.locator('#monitor-import').waitFor();
    });
    expect(await seriousFindings(user)).toEqual([]);
    await user.locator('#monitor-import [type=submit]').click();
    await user.locator('#monitor-import .invalid-feedback').waitFor();
    await user.setInputFiles('#monitor-import-file', file);
    await user.locator('#monitor-import [type=submit]').click();
    const preview = user.locator('#monitor-import-preview.show');
    await preview.getByText('“docker”').waitFor();
    await picture(user, 'monitor-import-preview');
    expect(await seriousFindings(user)).toEqual([]);
    expect(await panel.get(Database).repository(MonitorTask).countBy({ user: 'owner01' })).toBe(0);
    await preview.locator('[type=submit]').click();
    const done = user.locator('#monitor-imported.show');
    await done.getByText(/\/push\/[0-9a-f]{48}/).waitFor();
    expect(await panel.get(Database).repository(MonitorTask).countBy({ user: 'owner01' })).toBe(1);
    await done.locator('a.btn-primary').click();
    await user.locator('main').getByText('Backups').waitFor();
  });

  it('axe finds nothing serious in a form with errors', async () => {
    await admin.goto(`${panel.url}/admin/allowed-words`);
    await admin.click('[data-bs-target="#allow"]');
    await admin.click('#allow [type=submit]');
    await admin.locator('#allow [data-form-error]').waitFor();
    expect(await seriousFindings(admin)).toEqual([]);
  });

  it.each(['admin', 'user'] as const)('axe finds nothing serious on a missing page of the %s side', async (side) => {
    const page = side === 'admin' ? admin : user;
    await page.goto(`${panel.url}/${side}/nowhere`);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it.each([
    ['hosts', 'Add account'],
    ['hosts', 'Edit'],
    ['servers', 'Add server'],
    ['agents', 'Delete'],
  ])('axe finds nothing serious in the dialog on /admin/%s behind “%s”', async (path, name) => {
    await admin.goto(`${panel.url}/admin/${path}`);
    const button = admin.getByRole('button', { name }).first();
    if (!(await button.isVisible())) await admin.getByRole('button', { name: 'More' }).first().click();
    await button.click();
    await admin.locator('.modal.show, dialog[open]').waitFor();
    expect(await seriousFindings(admin)).toEqual([]);
    await admin.keyboard.press('Escape');
  });

  it('there were no complaints', () => {
    // The missing page is requested on purpose.
    expect(problems.filter((problem) => !problem.includes('nowhere'))).toEqual([]);
  });
});
