import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppConfig } from '../../src/config/index.js';
import { BackgroundQueue } from '../../src/jobs/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { RateLimiter } from '../../src/auth/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { startMailServer, type TestMailServer } from '../support/mail-server.js';
import type { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('pages before the sign-in', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  let mails: TestMailServer;
  const problems = adminInBrowser((opened) => ({ panel, browser, page } = opened));
  beforeAll(async () => {
    mails = await startMailServer();
    await panel.signInUser('owner01', 'secret-pass-1');
    await panel.get(Database).repository(HostingAccount).update({ username: 'owner01' }, { email: 'owner@lost.test' });
  });
  afterAll(() => mails?.close());

  it.each(['admin', 'user'] as const)('name the first empty field on the %s side, and keep the typed captcha', async (side) => {
    const config = panel.get(AppConfig);
    const { captcha } = config;
    Object.defineProperty(config, 'captcha', { value: { kind: 'fixed', answer: 'abcd' }, configurable: true });
    await panel.get(SiteSettings).change({ adminCaptcha: true, userCaptcha: true });
    const visitor = await newPage(browser, 'en-US', problems);
    try {
      await visitor.goto(`${panel.url}/${side}/login`);
      const shown = visitor.locator('.captcha-image');
      await expect.poll(() => shown.getAttribute('src')).toMatch(/^data:image/);
      const [first, submit] = [await shown.getAttribute('src'), visitor.getByRole('button', { name: 'Sign in' })];
      await submit.click();
      await visitor.locator('#username-error', { hasText: 'Please fill this in' }).waitFor();
      expect(await visitor.evaluate('document.activeElement.id')).toBe('username');
      await visitor.fill('#username', side === 'admin' ? 'admin' : 'owner01');
      await visitor.fill('#captcha', 'abcd');
      await submit.click();
      await visitor.locator('#password-error', { hasText: 'Please fill this in' }).waitFor();
      await picture(visitor, `sign-in-empty-${side}`);
      expect(await seriousFindings(visitor)).toEqual([]);
      expect([await shown.getAttribute('src'), await visitor.inputValue('#captcha')]).toEqual([first, 'abcd']);
      await visitor.fill('#password', side === 'admin' ? 'svc-panel-admin' : 'secret-pass-1');
      await submit.click();
      await visitor.waitForURL(`${panel.url}/${side}/`);
    } finally {
      await visitor.context().close();
      Object.defineProperty(config, 'captcha', { value: captcha, configurable: true });
    }
  });

  it('lead a user who lost the password from the sign-in to a new one', async () => {
    const visitor = await newPage(browser, 'en-US', problems);
    await visitor.goto(`${panel.url}/user/login`);
    await visitor.getByRole('link', { name: 'Forgot your password?' }).click();
    await visitor.getByText('This panel cannot send email').waitFor();
    await panel.admin('mailmode', { host: '127.0.0.1', port: String(mails.port), tls: 'none', from: 'panel@sail.test' });
    await visitor.reload();
    expect(await seriousFindings(visitor)).toEqual([]);
    await visitor.fill('#forgot-user', 'owner01');
    await visitor.fill('#forgot-mail', 'owner@lost');
    await visitor.getByRole('button', { name: 'Send link' }).click();
    await visitor.locator('#forgot-mail-error').waitFor();
    await visitor.fill('#forgot-mail', 'owner@lost.test');
    await picture(visitor, 'forgot-en');
    await visitor.getByRole('button', { name: 'Send link' }).click();
    await visitor.getByText('a reset link is on its way').waitFor();
    await picture(visitor, 'forgot-sent-en');
    await panel.get(BackgroundQueue).idle();
    const text = mails.mails.at(-1)!.text.replace(/=\r\n/g, '').replace(/=3D/g, '=');
    await visitor.goto(`${panel.url}/user/reset?t=${/\/user\/reset\?t=([\w-]+)/.exec(text)![1]!}`);
    expect(await seriousFindings(visitor)).toEqual([]);
    await visitor.fill('#new-pass', 'another-pass-2');
    await visitor.fill('#repeat-pass', 'another-pass-3');
    await visitor.getByRole('button', { name: 'Save password' }).click();
    await visitor.locator('.is-invalid').first().waitFor();
    await picture(visitor, 'reset-en');
    await visitor.fill('#repeat-pass', 'another-pass-2');
    await visitor.getByRole('button', { name: 'Save password' }).click();
    await visitor.getByText('Your new password is set').waitFor();
    await visitor.fill('#username', 'owner01');
    await visitor.fill('#password', 'another-pass-2');
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    await visitor.waitForURL(`${panel.url}/user/`);
    await visitor.close();
    const chinese = await newPage(browser, 'zh-CN', problems);
    await chinese.setViewportSize(SIZES.phone);
    await chinese.goto(`${panel.url}/user/forgot`);
    await picture(chinese, 'forgot-zh-phone');
    await chinese.goto(`${panel.url}/user/reset?t=x`);
    await picture(chinese, 'reset-over-zh-phone');
    await chinese.close();
  });

  it('show administrators the counts of limits', async () => {
    const limiter = panel.get(RateLimiter);
    Object.defineProperty(limiter, 'config', { value: { rateLimit: true } });
    for (let n = 0; n < 10; n += 1) await limiter.hit('login:user:pair:203.0.113.7:owner01', { limit: 10, windowSeconds: 600 });
    await limiter.hit('login:user:net:2001:db8:1:2::/64', { limit: 30, windowSeconds: 600 });
    await page.setViewportSize(SIZES.desktop);
    await page.goto(`${panel.url}/admin/limits`);
    await page.locator('.badge', { hasText: 'limited' }).first().waitFor();
    await picture(page, 'limits-desktop');
    await page.setViewportSize(SIZES.phone);
    await picture(page, 'limits-phone');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('let the site’s owner customize its home page', async () => {
    await page.setViewportSize(SIZES.desktop);
    await page.goto(`${panel.url}/admin/settings?tab=home`);
    await page.fill('#home-title-en', 'Clear Sky Hosting');
    await page.fill('#home-title', '晴空云主机');
    await page.fill('#home-hero-en', 'Online in a minute, kept for years');
    await page.fill('#home-primary', 'orange');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('#home-primary-error').waitFor();
    await page.fill('#home-primary', '#f7a600');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Clear Sky Hosting' }).waitFor();
    const wide = await sharp({ create: { width: 1_200, height: 300, channels: 3, background: '#0b7285' } })
      .png()
      .toBuffer();
    await page.setInputFiles('#set-home_image', { name: 'wide.png', mimeType: 'image/png', buffer: wide });
    await page.locator('form[data-ajax=home_upload_image] [type=submit]').click();
    await page.locator('.logo-preview').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Clear Sky Hosting' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'home-settings-desktop');
    const visitor = await newPage(browser, 'zh-CN', problems);
    await visitor.goto(`${panel.url}/`);
    await visitor.getByRole('heading', { name: '晴空云主机' }).waitFor();
    expect(await seriousFindings(visitor)).toEqual([]);
    await picture(visitor, 'home-zh');
    await visitor.close();
    expect(problems).toEqual([]);
  });
});
