import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../../src/cli/author/run-command.js';
import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin } from '../support/browser.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import { zipOf } from '../support/store-packages.js';

const place = mkdtempSync(join(tmpdir(), 'svc-uploads-'));

/** A plugin signed by its author. */
async function signed(slug: string, version: string): Promise<Buffer> {
  const folder = join(place, slug);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version }));
  writeFileSync(join(folder, 'index.js'), 'module.exports = () => {};\n');
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const terminal = { folder, env: { XDG_CONFIG_HOME: join(place, 'settings') }, say, warn: say };
  await runCommand(['keys', 'create'], terminal);
  expect(await runCommand(['pack'], terminal), lines.join('\n')).toBe(0);
  return readFileSync(join(folder, `${slug}-${version}.zip`));
}

describe.skipIf(!hasBrowser)('packages in a browser', () => {
  let both: PanelWithStore;
  beforeAll(async () => (both = await PanelWithStore.start()));
  afterAll(async () => {
    await both?.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('uploads one of 27 MB in parts, and shows who signed the store’s packages', { timeout: 180_000 }, async () => {
    await both.publish('oolong', '1.0.0', await signed('oolong', '1.0.0'));
    const browser = await launchBrowser();
    const problems: string[] = [];
    try {
      const page = await newPage(browser, 'en-US', problems);
      await signInAsAdmin(page, both.panel.url);
      await page.goto(`${both.panel.url}/admin/plugins`);
      await page.getByRole('button', { name: 'Upload a ZIP' }).first().click();
      const zip = await zipOf('wide', {
        'plugin.json': JSON.stringify({ id: 'wide', name: 'wide', version: '1.0.0' }),
        'index.js': "module.exports = (svc) => svc.svc_register_route('GET', '/wide', () => 'wide');\n",
        ...Object.fromEntries([1, 2, 3].map((at) => [`assets/${at}.png`, randomBytes(9 * 1024 * 1024)])),
      });
      const path = join(place, 'wide.zip');
      writeFileSync(path, zip);
      await page.locator('#plugin-zip').setInputFiles(path);
      await picture(page, 'package-upload');
      await page.locator('#upload-plugin [type=submit]').click();
      await expect.poll(async () => (await both.panel.fetch('/wide')).text(), { timeout: 60_000 }).toBe('wide');

      const address = `${both.panel.url}/admin/plugin-store-item?slug=oolong`;
      await lookAt(page, address, 'signed-item', async (language) => {
        expect(await page.textContent('main')).toContain(language === 'en' ? 'Author’s key' : '作者密钥');
      });
      await lookAt(page, `${both.panel.url}/admin/themes`, 'theme-upload', async () => {
        await page.locator('summary').first().click();
      });
      const guest = await newPage(browser, 'en-US', problems);
      await lookAt(guest, `${both.store.url}/store/plugin/oolong`, 'signed-store-item', async (language) => {
        expect(await guest.textContent('main')).toContain(language === 'en' ? 'since version 1.0.0' : '自版本 1.0.0 起');
      });
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
