import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('files of a site', () => {
  let browser: Browser;
  let panel: TestPanel;
  let page: Page;
  let host: HostingAccount;
  const problems: string[] = [];
  const mine = mkdtempSync(join(tmpdir(), 'svc-my-files-'));

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'local', webkj: '500' });
    host = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    browser = await launchBrowser();
    // The test interrupts some of its requests.
    page = await newPage(browser, 'en-US', problems, /ERR_FAILED/);
    await signInAsUser(page, panel.url);
    mkdirSync(join(mine, 'site/css'), { recursive: true });
    writeFileSync(join(mine, 'site/css/look.css'), 'body { color: black }\n');
    writeFileSync(join(mine, 'site/page.html'), '<p>hello</p>\n');
    writeFileSync(join(mine, 'big.bin'), Buffer.alloc(9 * 1024 * 1024, 7));
  });
  afterAll(async () => {
    rmSync(mine, { recursive: true, force: true });
    await browser?.close();
    await panel?.close();
  });

  const at = (path: string): string => join(panel.dataDir, 'sites', host.siteName, 'public', path);
  const row = (name: string) => page.locator('[data-row]', { hasText: name });
  const open = async (path: string): Promise<void> => void (await page.goto(`${panel.url}${path}`));
  const submit = async (dialog: string): Promise<void> => {
    await page.locator(`${dialog}.show`).waitFor();
    await page.locator(`${dialog} [type=submit]`).click();
    await page.locator(`${dialog}.show`).waitFor({ state: 'detached' });
  };

  it('are uploaded with their folders, in parts, and shown', async () => {
    await open('/user/');
    await page.getByRole('link', { name: 'Files' }).first().click();
    await page.setInputFiles('[data-upload-folder]', join(mine, 'site'));
    await row('site').waitFor();
    await page.setInputFiles('[data-upload-files]', join(mine, 'big.bin'));
    await row('big.bin').waitFor();
    await page.locator('#files-space', { hasText: /: [1-9]\d* \/ / }).waitFor();
    expect(readFileSync(at('site/css/look.css'), 'utf8')).toContain('black');
    expect(readFileSync(at('big.bin')).equals(readFileSync(join(mine, 'big.bin')))).toBe(true);
    await lookAt(page, `${panel.url}/user/files`, 'files', async () => {});
    await row('site').getByRole('link', { name: 'site' }).click();
    await row('page.html').waitFor();
    await lookAt(page, `${panel.url}/user/files?path=/site`, 'files-folder', async () => {});
  });

  it('are dropped on the page, and continue where they stopped after a reload', async () => {
    await open('/user/files');
    const offsets: string[] = [];
    const fail = { from: 2 };
    await page.route('**/ajax.php', async (route) => {
      const body = route.request().postDataBuffer()?.toString('latin1') ?? '';
      const offset = body.includes('\r\nfileupload\r\n') ? /name="fesw"\r\n\r\n(\d+)/.exec(body)?.[1] : undefined;
      if (offset !== undefined && offsets.push(offset) >= fail.from) return route.abort();
      return route.continue();
    });
    writeFileSync(join(mine, 'again.bin'), Buffer.alloc(6 * 1024 * 1024, 9));
    await page.setInputFiles('[data-upload-files]', join(mine, 'again.bin'));
    await expect.poll(() => offsets.length).toBeGreaterThanOrEqual(2);
    page.once('dialog', (dialog) => void dialog.accept());
    await open('/user/files');
    await page.locator('[data-upload-pending]').getByText('again.bin').waitFor();
    fail.from = Number.POSITIVE_INFINITY;
    offsets.length = 0;
    await page.setInputFiles('[data-upload-files]', join(mine, 'again.bin'));
    await row('again.bin').waitFor();
    expect(offsets).toEqual([String(4 * 1024 * 1024)]);
    expect(readFileSync(at('again.bin')).equals(readFileSync(join(mine, 'again.bin')))).toBe(true);
    await page.unroute('**/ajax.php');
    const drop = await page.evaluateHandle(
      "(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.txt')); return data; })()",
    );
    await page.dispatchEvent('main', 'drop', { dataTransfer: drop });
    await row('dropped.txt').waitFor();
  });

  it('are created, renamed, copied, packed, unpacked and deleted', async () => {
    await open('/user/files');
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.fill('#new-folder-name', 'copies');
    await submit('#new-folder');
    await row('copies').waitFor();
    await row('dropped.txt').getByRole('button', { name: 'More' }).click();
    await row('dropped.txt').getByRole('button', { name: 'Rename' }).click();
    await page.fill('#rename-file-name', 'kept, with "marks" & more.txt');
    await submit('#rename-file');
    await row('kept, with').waitFor();
    await row('kept, with').locator('[data-choose]').check();
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await page.fill('#copy-files-to', '/copies');
    await submit('#copy-files');
    await expect.poll(() => readFileSync(at('copies/kept, with "marks" & more.txt'), 'utf8')).toBe('dropped');
    await open('/user/files');
    await row('copies').locator('[data-choose]').check();
    await page.getByRole('button', { name: 'Pack', exact: true }).first().click();
    await submit('#pack-files');
    await row('archive-1.zip').waitFor();
    await row('archive-1.zip').locator('[data-choose]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).locator('visible=true').last().click();
    await submit('#delete-files');
    await row('archive-1.zip').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Trash' }).click();
    await row('archive-1.zip').waitFor();
    await lookAt(page, `${panel.url}/user/files-trash`, 'files-trash', async () => {});
    await row('archive-1.zip').getByRole('button', { name: 'Restore' }).click();
    await row('archive-1.zip').waitFor({ state: 'detached' });
    await open('/user/files?q=KEPT');
    await row('copies/kept').waitFor();
  });

  it('are edited, and a second editor is warned', async () => {
    await open('/user/file-edit?path=/site/page.html');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('mine');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(readFileSync(at('site/page.html'), 'utf8')).toBe('<p>hello</p>\nmine');
    writeFileSync(at('site/page.html'), 'theirs');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await page.getByText('Someone else saved this file').first().waitFor();
    expect(readFileSync(at('site/page.html'), 'utf8')).toBe('theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readFileSync(at('site/page.html'), 'utf8')).toContain('mine!');
    await lookAt(
      page,
      `${panel.url}/user/file-edit?path=/site/page.html`,
      'file-edit',
      async () => void (await page.locator('.cm-content').waitFor()),
    );
    await open('/user/file-edit?path=/big.bin');
    await page.getByRole('alert').filter({ hasText: 'big.bin' }).waitFor();
  });

  it('of any host are available to administrators', async () => {
    const admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    await admin.goto(`${panel.url}/admin/files?id=${host.id}`);
    await admin.locator('[data-row]', { hasText: 'site' }).getByRole('link', { name: 'site' }).click();
    await admin.locator('[data-row]', { hasText: 'page.html' }).waitFor();
    await admin.setInputFiles('[data-upload-files]', join(mine, 'site/page.html'));
    await admin.locator('[data-upload-queue]').getByText('Uploaded').waitFor();
    await lookAt(admin, `${panel.url}/admin/files?id=${host.id}`, 'host-files', async () => {});
    expect(problems).toEqual([]);
  });
});
