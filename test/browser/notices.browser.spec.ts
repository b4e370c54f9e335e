import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Notices } from '../../src/notify/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt, newPage } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

describe.skipIf(!hasBrowser)('notices', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async (panel) => {
      await panel.signInUser('reader01');
      const fields =
        "[{ key: 'token', label: 'Token', type: 'password', required: true }, { key: 'loud', label: 'Loud', type: " +
        "'switch', hint: 'At night too' }]";
      const pager = `svc.svc_register_notice_channel('pager', { title: 'Pager', fields: ${fields}, send: () => {} });`;
      writePlugin(panel.dataDir, 'pager', functionPlugin(pager));
      await panel.enable('pager');
      for (const [n, level] of (['info', 'success', 'warning', 'danger'] as const).entries())
        await panel.get(Notices).send({
          to: 'administrators',
          kind: 'system',
          level,
          key: `look-${n}`,
          title: { key: 'notify.mail_broken_title' },
          text: {
            key: 'notify.mail_broken_text',
            params: { reason: { key: 'notify.mail_failure.no_mail_server', params: { server: 'smtp.mail.test:25' } } },
          },
          link: '/admin/settings?tab=mail',
        });
    },
  );

  it('are sent, announced, and delivered to a channel, with pages that fit every size in both languages', async () => {
    await page.goto(`${panel.url}/admin/sent-notices`);
    await page.getByRole('button', { name: 'Send a notice' }).first().click();
    await page.selectOption('#send-to', 'user');
    await page.fill('#send-names', 'reader01');
    await page.fill('#send-title', 'Maintenance tonight');
    await page.fill('#send-text', 'From 2 to 3.');
    await page.locator('#send-notice [type=submit]').click();
    await page.locator('#sent-notices tr[data-row]').waitFor();
    await page.goto(`${panel.url}/admin/announcements`);
    await page.getByRole('button', { name: 'Announce' }).first().click();
    await page.fill('#add-title', 'New servers');
    await page.fill('#add-text', '# Faster\n\n- one\n- two');
    await page.locator('#add-announcement [type=submit]').click();
    await page.locator('#announcements tr[data-row]').waitFor();
    await page.goto(`${panel.url}/admin/channel?type=ntfy`);
    await page.fill('#channel-name', 'Phone');
    await page.fill('#channel-topic', 'alarm');
    await page.locator('form.card [type=submit]').click();
    await page.locator('#channels tr[data-row]').waitFor();
    // A plugin's channel: created in its form, and what is left of it while the plugin is disabled.
    await page.locator('[data-bs-toggle=dropdown]', { hasText: 'Add' }).click();
    await page.getByRole('link', { name: 'Pager' }).click();
    await page.fill('#channel-name', 'Night shift');
    await page.locator('form.card [type=submit]').click();
    await page.locator('#channel-token.is-invalid').waitFor();
    await page.fill('#channel-token', 'secret');
    await page.locator('form.card [type=submit]').click();
    await page.locator('#channels tr[data-row]', { hasText: 'Night shift' }).waitFor();
    await panel.disable('pager');
    for (const path of [
      'notices',
      'sent-notices',
      'announcements',
      'channels',
      'channel?id=1',
      'channel?id=2',
      'deliveries',
      'notice-settings',
      'settings?tab=mail',
    ])
      await lookAt(page, `${panel.url}/admin/${path}`, `notices-${path.replace(/\W+/g, '-')}`, async () => {
        expect(await page.locator('[data-bell]').first().getAttribute('aria-label')).toContain('4');
      });
    expect(problems).toEqual([]);
  });

  it('reach the user, whose bell is cleared once they are read', async () => {
    const reader = await newPage(browser, 'en-US', problems);
    await reader.goto(`${panel.url}/user/login`);
    await reader.fill('#username', 'reader01');
    await reader.fill('#password', 'secret-pass-1');
    await reader.click('form [type=submit]');
    await reader.waitForURL(`${panel.url}/user/`);
    expect(await reader.locator('[id^="banner-announcement"]').innerText()).toContain('New servers');
    for (const path of ['announcements', 'notices', 'notice-settings', 'channels', 'channel?type=webhook'])
      await lookAt(reader, `${panel.url}/user/${path}`, `notices-user-${path.replace(/\W+/g, '-')}`, async () => undefined);
    await reader.goto(`${panel.url}/user/notices?lang=en`);
    await reader.setViewportSize({ width: 1280, height: 800 });
    // Events while pages are open are announced in each of them, and are in the list.
    const second = await reader.context().newPage();
    await second.goto(`${panel.url}/user/`);
    await panel.get(Notices).send({
      to: { account: 'reader01' },
      kind: 'monitor',
      level: 'danger',
      key: 'live',
      title: { key: 'notify.mail_broken_title' },
      text: { key: 'notify.mail_broken_title' },
      link: '/user/monitors',
    });
    const told = { hasText: 'Email cannot be sent' };
    const isTold = async (open: Page): Promise<void> => {
      await open.locator('.toast-stack a[href="/user/monitors"]', told).waitFor();
      expect(await open.locator('.toast-stack .alert').count()).toBeLessThanOrEqual(1);
      await open.locator('[data-bell][aria-label="Unread notices: 2"]').first().waitFor({ state: 'attached' });
    };
    await Promise.all([reader, second].map(isTold));
    await reader.locator('#notices tr[data-row]', told).waitFor();
    await second.reload();
    await second.locator('[data-bell][aria-label="Unread notices: 2"]').first().waitFor({ state: 'attached' });
    expect(await second.locator('.toast-stack .alert').count()).toBe(0);
    await second.close();
    await reader.getByRole('button', { name: 'Mark all as read' }).click();
    await reader.locator('[data-bell][aria-label="Notices"]').first().waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });
});
