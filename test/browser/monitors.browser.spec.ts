/** Forms of monitors, the limit of a plan and the status pages of customers in a browser, in both languages and sizes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('monitors in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel' });
    await panel.signInUser();
    await panel.admin('addnode', { bt_id: '1', node_name: 'Frankfurt 1', node_id: 'agent-one' });
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'zh-CN', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  it('of a domain are created with a matching form', async () => {
    await lookAt(user, `${panel.url}/user/monitor-form?kind=domain`, 'monitor-domain', async (language) => {
      await user
        .getByText(language === 'en' ? 'Notify when fewer days' : '剩余天数少于', { exact: false })
        .first()
        .waitFor();
    });
    await user.fill('#monitor-name', 'Our name');
    await user.fill('#monitor-url', 'www.example.co.uk');
    await user.fill('#monitor-warn', '45');
    await user.click('form.card [type=submit]');
    await user.waitForURL(`${panel.url}/user/monitors`);
    await lookAt(user, `${panel.url}/user/monitors`, 'monitors', async (language) => {
      await user.getByText(language === 'en' ? '1 of 5 monitors used' : '已使用 1 / 5', { exact: false }).waitFor();
    });
  });

  it("of a server ask for a number only where there is one, with the resource's own text", async () => {
    await lookAt(admin, `${panel.url}/admin/monitor-form?kind=server`, 'monitor-server', async () => {
      await admin.locator('#monitor-threshold').waitFor({ state: 'hidden' });
      await admin.selectOption('#monitor-resource', 'disk');
      await admin.locator('#monitor-threshold').waitFor();
    });
    await expect.poll(() => admin.locator('label[for=monitor-threshold]:visible').innerText()).toBe('Disk usage limit');
    await admin.selectOption('#monitor-resource', 'load');
    await expect.poll(() => admin.locator('label[for=monitor-threshold]:visible').innerText()).toBe('Load limit');
    await admin.selectOption('#monitor-resource', 'disk');
    await admin.fill('#monitor-name', 'Disks of Frankfurt');
    await admin.fill('#monitor-threshold', '91');
    await admin.click('form.card [type=submit]');
    await admin.waitForURL(`${panel.url}/admin/monitors`);
    await admin.getByText('Disks of Frankfurt').first().waitFor();
    const [row] = (await panel.admin('listjk')).rows as unknown as { id: number }[];
    expect(row).toMatchObject({ resource_type: 'disk', resource_threshold: 91 });
    await lookAt(admin, `${panel.url}/admin/monitor-form?id=${row!.id}`, 'monitor-server-edit', async () => {
      await admin.locator('#monitor-threshold').waitFor();
    });
  });

  it('have a limit set in a host’s form', async () => {
    for (const [dialog, name] of [
      ['#add-host', 'host-add'],
      ['#edit-host', 'host-edit'],
    ] as const) {
      await lookAt(admin, `${panel.url}/admin/hosts`, name, async (language) => {
        if (dialog === '#add-host') await admin.locator('[data-bs-target="#add-host"]').first().click();
        else {
          await admin.locator('[data-list] tbody [data-bs-toggle=dropdown]').first().click();
          await admin
            .getByText(language === 'en' ? 'Edit' : '编辑', { exact: true })
            .first()
            .click();
        }
        await admin.locator(`${dialog} [name=jk_max]`).scrollIntoViewIfNeeded();
      });
    }
    await admin.fill('#edit-monitors', '1');
    await admin.locator('#edit-host [type=submit]').click();
    await admin.locator('#edit-host').waitFor({ state: 'hidden' });
    await lookAt(user, `${panel.url}/user/monitors`, 'monitors-full', async (language) => {
      await user.getByText(language === 'en' ? '1 of 1 monitors used' : '已使用 1 / 1', { exact: false }).waitFor();
    });
  });

  it('are shown on pages an administrator can disable, and the owner sees why', async () => {
    await user.goto(`${panel.url}/user/status?lang=en`);
    await user.fill('#status-title', 'Acme');
    await user.fill('#status-slug', 'acme');
    await user.locator('[name=is_public]').check();
    await user.locator('form.card [type=submit]').click();
    await user.getByRole('link', { name: 'Open page' }).waitFor();
    await admin.goto(`${panel.url}/admin/status?lang=en`);
    await admin.getByRole('link', { name: 'Customer pages' }).click();
    await admin.waitForURL(`${panel.url}/admin/status-pages`);
    await lookAt(admin, `${panel.url}/admin/status-pages`, 'status-pages', () => admin.getByText('Acme').first().waitFor());
    await admin.getByRole('button', { name: 'Disable' }).first().click();
    await admin.fill('#status-off-reason', 'It asks visitors for passwords.');
    await picture(admin, 'status-off-dialog');
    await admin.locator('#status-off [type=submit]').click();
    await admin.getByText('It asks visitors for passwords.').first().waitFor();
    await lookAt(admin, `${panel.url}/admin/status-pages`, 'status-pages-off', () => admin.getByText('It asks visitors').first().waitFor());
    await lookAt(user, `${panel.url}/user/status`, 'status-off', () => user.getByText('It asks visitors for passwords.').waitFor());
    const visitor = await newPage(browser, 'en-US', problems, /404/);
    expect((await visitor.goto(`${panel.url}/status/acme`))!.status()).toBe(404);
    await visitor.getByText('currently disabled').waitFor();
    await picture(visitor, 'status-off-visitor');
  });
});
