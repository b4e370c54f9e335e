/** Host expiry as administrators preview it, and as an owner sees it: in both languages, on phone and desktop. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { legacyDay } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { HostExpiry, HostingAccount } from '../../src/hosting/index.js';
import { ClockMark, ClockWatch, JobRegistry } from '../../src/jobs/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import type { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const PASS = 'secret-pass-1';
const DAY_MS = 86_400_000;
const day = (days: number) => legacyDay(new Date(Date.now() + days * DAY_MS), 'Asia/Shanghai');
const ENDS = { soon0001: 2, later001: 6, over0001: -2, longago1: -40, scanned1: -40 };

describe.skipIf(!hasBrowser)('host expiry in a browser', () => {
  let panel: TestPanel;
  let page: Page;
  adminInBrowser(
    (opened) => ({ panel, page } = opened),
    async (started) => {
      await started.admin('dqsz', { txts: '7,3,1,0', kxts: '1', scts: '10' });
      const hosts = started.get(Database).repository(HostingAccount);
      for (const [user, days] of Object.entries(ENDS)) {
        await started.admin('addzj', { user, pass: PASS, btdh: 'local' });
        await hosts.update({ username: user }, { expiresOn: day(days), createdAt: new Date(Date.now() - 300 * DAY_MS) });
      }
      await runJob(started.get(JobRegistry), 'account-expiry');
      await hosts.update({ username: 'scanned1' }, { pauseReasons: ['expiry', 'scan'] });
    },
  );
  const row = (user: string) => page.locator('#coming tbody tr', { hasText: user });

  it('is configured on its settings tab, which rejects invalid values by name', async () => {
    await lookAt(page, `${panel.url}/admin/settings?tab=expiry`, 'settings-expiry', () => page.getByRole('spinbutton').first().waitFor());
    await page.goto(`${panel.url}/admin/settings?tab=expiry`);
    await page.getByLabel('Reminders').fill('7, x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter up to 8 whole numbers').waitFor();
    await page.getByLabel('Reminders').fill('10, 3');
    await page.getByLabel('Grace period (days)').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => panel.get(SiteSettings).current.expiryReminders, { timeout: 20_000 }).toBe('10,3');
    expect(panel.get(SiteSettings).current.expiryGraceDays).toBe(2);
    await panel.admin('dqsz', { txts: '7,3,1,0', kxts: '1' });
  });

  it('is previewed, with hosts on hold and why, and one host is put on hold there', async () => {
    await lookAt(page, `${panel.url}/admin/what-will-happen`, 'what-will-happen', () => row('soon0001').first().waitFor());
    await page.goto(`${panel.url}/admin/what-will-happen`);
    await row('scanned1').getByText('paused by a person, a scan or a plugin').waitFor();
    await row('longago1')
      .getByText(`Notify the owner that the host will be deleted on ${day(3)}`)
      .waitFor();
    const told = row('longago1').filter({ hasText: 'Notify the owner' });
    const more = told.getByRole('button', { name: 'More' });
    if (await more.count()) await more.click();
    await told.getByRole('button', { name: 'Never auto-delete' }).click();
    await row('longago1').getByText('Not deleted: exempt').waitFor();
    expect(await panel.get(Database).repository(HostExpiry).findOneBy({ exempt: true })).not.toBeNull();
    await page.goto(`${panel.url}/admin/what-will-happen?lx=pause&ts=30`);
    await row('later001').waitFor();
    expect(await row('longago1').count()).toBe(0);
  });

  it('asks whether the time is right after the clock jumped, and accepts a confirmation', async () => {
    await panel.get(ClockWatch).run();
    // The machine started at another time by the previous clock: the clock jumped, and the panel was not off.
    await panel
      .get(Database)
      .repository(ClockMark)
      .update({ id: 1 }, { seenAt: new Date(Date.now() - 2 * DAY_MS), bootedAt: new Date(Date.now() - 30 * DAY_MS) });
    await panel.get(ClockWatch).run();
    await lookAt(page, `${panel.url}/admin/what-will-happen`, 'what-will-happen-clock', () => page.getByRole('alert').first().waitFor());
    await page.goto(`${panel.url}/admin/what-will-happen`);
    await page.getByRole('button', { name: 'The time is right' }).click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await expect.poll(() => panel.get(ClockWatch).check(), { timeout: 20_000 }).toBeNull();
    await page.getByRole('button', { name: 'The time is right' }).waitFor({ state: 'detached' });
  });

  it('is explained to the owner, with what follows and where the files are', async () => {
    const owner = await page.context().browser()!.newContext({ locale: 'en-US' });
    const own = await owner.newPage();
    await own.goto(`${panel.url}/user/login`);
    await own.fill('#username', 'over0001');
    await own.fill('#password', PASS);
    await own.keyboard.press('Enter');
    await own.getByText('the host will be deleted on').waitFor();
    await own.getByText('You can still download your files').waitFor();
    await lookAt(own, `${panel.url}/user/`, 'expired-owner', () => own.locator('.alert').first().waitFor());
    await owner.close();
  });
});
