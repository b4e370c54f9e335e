/**
 * Forms of buyers and sub-resellers, which are plugins' pages: errors, input while a session ends or before signing in, and leaving with
 * unsaved changes; with double clicks, going back, and without scripts.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount, HostOwnership } from '../../src/hosting/index.js';
import { Order } from '../../src/payment/index.js';
import { AccountVisitor } from '../support/account-visitor.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

const PASSWORD = 'a-pass-word-1';
const IS_BACK = 'has been restored';

describe.skipIf(!hasBrowser)('forms of buyers', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  let cart: string;
  let names: string;
  let poolHost: string;
  const problems: string[] = [];
  /** The browser's questions, by kind. */
  const asked: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'off' });
    for (const slug of ['accounts', 'sandbox', 'balance', 'hosting_shop', 'domain_shop', 'resource_pool']) await panel.enable(slug);
    cart = `/shop/order/${String((await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, price_year: '99' })).data.id)}`;
    const zone = await panel.admin('p_domain_addym', { url: 'names.example.com', bt: 'local', jg: '9.90', kg: 'true', ys: '12' });
    names = `/domain/buy?zone=${String((zone as unknown as { id: number }).id)}`;
    for (const user of ['buyer1', 'buyer2']) {
      await panel.admin('addzj', { user, pass: PASSWORD, btdh: 'local' });
      const visitor = new AccountVisitor(panel);
      const username = user.replace('buyer', 'Buyer_');
      expect(await visitor.api('register', { username, password: PASSWORD, password2: PASSWORD })).toMatchObject({ code: 'ok' });
      const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: user });
      await panel.get(HostOwnership).assign(id, ((await visitor.api('me')) as { user: { id: number } }).user.id);
    }
    const pool = { name: 'East', username: 'dealer.one', web_space: '1000', sql_space: '500', flow: '100', expire_date: '', nodes: '' };
    const { id } = (await panel.admin('p_respool_save', { ...pool, password: PASSWORD })).data;
    const opened = await panel.admin('p_respool_open_host', {
      ...{ node: 'local', host_user: 'pooled001', host_pass: PASSWORD, web_space: '100', sql_space: '10', flow: '1', expire_date: '' },
      ...{ pool_id: String(id), domain_count: '3' },
    });
    poolHost = `/pool/host/${String((opened as unknown as { host_id: number }).host_id)}`;
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems, /status of 4\d\d/);
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });

  const path = (): string => page.url().slice(panel.url.length);
  const open = (address: string, on = page) => on.goto(panel.url + address);
  const orders = (): Promise<number> => panel.get(Database).repository(Order).count();
  const kept = (): Promise<string> => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  const drafts = async (): Promise<boolean> => (await kept()).includes('svc-draft:');

  async function fillSignIn(username = 'Buyer_1'): Promise<void> {
    await page.waitForURL(/\/account\/login/);
    await page.fill('[name=username]', username);
    await page.fill('[name=password]', PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  /** Starts as a customer, without any earlier data. */
  async function begin(username = 'Buyer_1'): Promise<void> {
    await page.context().clearCookies();
    await open('/account/login');
    await fillSignIn(username);
    await page.waitForURL(/\/account$/);
    asked.length = 0;
  }
  /** The page says that the input is restored. */
  const isBack = () => page.getByText(IS_BACK).waitFor();
  /** A field shows an error: it has the focus, and is the only one. */
  async function expectWrong(name: string, words: RegExp, on = page): Promise<void> {
    const field = on.locator(`main [name=${name}]`).first();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby'))!.split(' ').at(-1);
    expect(await on.locator(`[id="${described}"]`).textContent()).toMatch(words);
    expect(await on.locator('[aria-invalid]').count()).toBe(1);
    await expect.poll(() => on.locator(':focus').getAttribute('name')).toBe(name);
  }
  /** Screenshots in both sizes; axe finds nothing serious. */
  async function look(name: string): Promise<void> {
    for (const [size, box] of Object.entries(SIZES)) {
      await page.setViewportSize(box);
      await picture(page, `${name}-${size}`, { fullPage: true });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), `${name} on a ${size}`).toBeLessThanOrEqual(box.width);
    }
    expect(await seriousFindings(page)).toEqual([]);
  }

  describe('the order of a host', () => {
    const order = () => page.getByRole('button', { name: 'Continue to payment' });
    async function fill(username: string, on = page): Promise<void> {
      await on.fill('[name=username]', username);
      await on.fill('[name=password]', PASSWORD);
    }

    it('shows errors at the field, keeps the input, and asks before it is left', async () => {
      await begin();
      await open(cart);
      await look('buyer-cart');
      await fill('has a blank');
      await order().click();
      await expectWrong('username', /letters/i);
      await look('buyer-cart-refused');
      expect([await page.inputValue('[name=username]'), await page.inputValue('[name=password]'), asked]).toEqual(['has a blank', '', []]);
      await page.locator('[name=password]').click();
      await open('/shop');
      expect(asked).toEqual(['beforeunload']);
    });

    it('asks before the input is left, even after its price was shown, and not when it is sent', async () => {
      await begin();
      await open(cart);
      await page.click('[name=username]');
      await page.keyboard.type('left-alone');
      await page.locator('header nav a').first().click();
      await page.waitForURL(/\/shop$/);
      expect(asked).toEqual(['beforeunload']);
      expect(await drafts()).toBe(false);
      await open(cart);
      // The button that scripts hide, which shows the price.
      await page.evaluate("document.querySelector('[data-look]').hidden = false");
      await page.fill('[name=username]', 'shown-price');
      await page.locator('[data-look]').click();
      await page.waitForLoadState();
      await page.locator('[name=password]').click();
      await open('/shop');
      expect(asked).toEqual(['beforeunload', 'beforeunload']);
      await open(cart);
      await fill('sent-buyer');
      await order().click();
      await page.waitForURL(/\/pay\/order\//);
      expect(asked).toEqual(['beforeunload', 'beforeunload']);
    });

    it('is restored after a session that ended, without its password, however often it was sent', async () => {
      await begin();
      await open(`${cart}?period=month`);
      await fill('ended-buyer');
      await page.selectOption('[name=period]', 'year');
      const before = await orders();
      await page.context().clearCookies();
      await order().dblclick();
      await page.waitForURL(/\/account\/login/);
      expect([await orders(), (await kept()).includes(PASSWORD)]).toEqual([before, false]);
      // Back to the form, now without a session, and forward to the sign-in again.
      await page.goBack();
      await page.waitForURL(/\/shop\/order/);
      await page.goForward();
      await fillSignIn();
      await page.waitForURL(new RegExp(`${cart}$`));
      await isBack();
      await look('buyer-cart-is-back');
      expect([
        await page.inputValue('[name=username]'),
        await page.inputValue('[name=period]'),
        await page.inputValue('[name=password]'),
        asked,
      ]).toEqual(['ended-buyer', 'year', '', []]);
      await page.locator('[data-lines]').getByText('¥99.00').first().waitFor();
      await page.fill('[name=password]', PASSWORD);
      await order().click();
      await page.waitForURL(/\/pay\/order\//);
      expect(await orders()).toBe(before + 1);
      await open(cart);
      expect([await page.inputValue('[name=username]'), await drafts()]).toEqual(['', false]);
    });

    it('is never given to someone else who signs in there', async () => {
      await begin();
      await open(cart);
      await fill('not-for-others');
      await page.context().clearCookies();
      await order().click();
      await fillSignIn('Buyer_2');
      await page.waitForURL(new RegExp(`${cart}$`));
      await page.getByText('Buyer_2').waitFor();
      expect([await page.inputValue('[name=username]'), await drafts(), await page.getByText(IS_BACK).count()]).toEqual(['', false, 0]);
    });

    it('typed before signing in is restored afterwards, even after a wrong password or with a new account', async () => {
      await page.context().clearCookies();
      asked.length = 0;
      await open(cart);
      await fill('typed-before');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL(/\/account\/login/);
      expect([asked, (await kept()).includes(PASSWORD)]).toEqual([[], false]);
      await page.fill('[name=username]', 'Buyer_1');
      await page.fill('[name=password]', 'not-the-password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('link', { name: 'Register' }).click();
      await page.fill('[name=username]', 'Newcomer_1');
      for (const name of ['password', 'password2']) await page.fill(`[name=${name}]`, PASSWORD);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.waitForURL(new RegExp(`${cart}$`));
      await isBack();
      expect([await page.inputValue('[name=username]'), await page.inputValue('[name=password]')]).toEqual(['typed-before', '']);
      expect(await drafts()).toBe(false);
    });
  });

  describe('the order of a name', () => {
    const order = () => page.getByRole('button', { name: 'Continue to payment' });

    it('shows errors at the field, keeps the input, and asks before it is left', async () => {
      await begin();
      await open(names);
      await look('buyer-name');
      await page.fill('[name=prefix]', 'a.b');
      await page.fill('[name=folder]', 'blog');
      await order().click();
      await expectWrong('prefix', /\S/);
      await look('buyer-name-refused');
      expect([await page.inputValue('[name=prefix]'), await page.inputValue('[name=folder]')]).toEqual(['a.b', 'blog']);
      await page.fill('[name=prefix]', 'good');
      await page.fill('[name=folder]', '../up');
      await order().click();
      await expectWrong('folder', /\S/);
      await page.fill('[name=folder]', 'blog');
      await page.fill('[name=yhq]', 'NOTHING');
      await order().click();
      await expectWrong('yhq', /\S/);
      expect(asked).toEqual([]);
      await page.locator('[name=prefix]').click();
      await open('/domain');
      expect(asked).toEqual(['beforeunload']);
    });

    it('is restored after a session that ended, through the page that asks to sign in', async () => {
      await begin();
      await open(`${names}&prefix=asked`);
      await page.fill('[name=prefix]', 'typed');
      await page.fill('[name=folder]', 'blog');
      await page.context().clearCookies();
      await order().dblclick();
      await page.getByRole('heading', { name: /sign in/i }).waitFor();
      await page
        .getByRole('link', { name: /account/i })
        .first()
        .click();
      await fillSignIn();
      await page.waitForURL(/\/domain\/buy\?/);
      await isBack();
      expect([await page.inputValue('[name=prefix]'), await page.inputValue('[name=folder]'), asked]).toEqual(['typed', 'blog', []]);
      await order().click();
      await page.waitForURL(/\/pay\/order\//);
    });

    it('is restored for the owner of a host, who signs in to the panel', async () => {
      await page.context().clearCookies();
      asked.length = 0;
      const signIn = async (): Promise<void> => {
        await page.getByRole('link', { name: /host/i }).click();
        await page.waitForURL(/\/user\/login/);
        await page.fill('[name=user]', 'buyer2');
        await page.fill('[name=pass]', PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.waitForURL(/\/domain\/buy\?/);
      };
      await open(`${names}&prefix=owned`);
      await signIn();
      expect(await page.inputValue('[name=prefix]')).toBe('owned');
      await page.fill('[name=prefix]', 'owned2');
      await page.fill('[name=folder]', 'shop');
      await page.context().clearCookies();
      await order().click();
      await signIn();
      await isBack();
      expect([await page.inputValue('[name=prefix]'), await page.inputValue('[name=folder]'), asked]).toEqual(['owned2', 'shop', []]);
      expect(await drafts()).toBe(false);
      await order().click();
      await page.waitForURL(/\/pay\/order\//);
    });
  });

  describe('the forms of credit', () => {
    it('show errors at the field, keep the input, and are restored after a session that ended', async () => {
      await begin();
      await open('/balance');
      await look('buyer-balance');
      await page.fill('[name=amount]', '0.5');
      await page.getByRole('button', { name: 'Top up' }).click();
      await expectWrong('amount', /¥1\.00/);
      await look('buyer-balance-refused');
      expect(await page.inputValue('[name=amount]')).toBe('0.5');
      await page.fill('[name=code]', 'NO-CODE');
      await page.getByRole('button', { name: 'Redeem' }).click();
      await expectWrong('code', /code does not exist/i);
      // This discarded the rejected amount, after a question.
      expect(asked).toEqual(['beforeunload']);
      await page.fill('[name=code]', 'NO-CODE-2');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Redeem' }).click();
      await page.getByRole('link', { name: 'Customer account' }).click();
      await fillSignIn();
      await page.waitForURL(/\/balance$/);
      await isBack();
      expect([await page.inputValue('[name=code]'), await page.inputValue('[name=amount]')]).toEqual(['NO-CODE-2', '']);
    });
  });

  describe('the forms of a pool’s host', () => {
    async function signIn(): Promise<void> {
      await page.waitForURL(/\/pool\/login/);
      await page.fill('[name=username]', 'dealer.one');
      await page.fill('[name=password]', PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
    }
    const change = () => page.locator(`form[action="${poolHost}/limits"] button`);

    it('show errors at the field, keep the input, and ask before they are left', async () => {
      await page.context().clearCookies();
      await open(poolHost);
      await signIn();
      await page.waitForURL(new RegExp(`${poolHost}$`));
      asked.length = 0;
      await look('pool-host');
      await page.fill('[name=web_space]', 'many');
      await change().click();
      await expectWrong('web_space', /\d/);
      await look('pool-host-refused');
      expect([path(), await page.inputValue('[name=web_space]')]).toEqual([`${poolHost}/limits`, 'many']);
      await page.fill('[name=web_space]', '5000');
      await change().click();
      await expectWrong('web_space', /1000 MB/);
      await page.fill('[name=confirm]', 'somebody-else');
      await page.locator(`form[action="${poolHost}/delete"] button`).click();
      await expectWrong('confirm', /\S/);
      // Sending this form discards the other form's rejected input, after a question.
      expect(asked).toEqual(['beforeunload']);
      await page.locator('[name=web_space]').click();
      await open('/pool');
      expect(asked).toEqual(['beforeunload', 'beforeunload']);
    });

    it('are restored after a session that ended, also from the page of a rejection', async () => {
      await open(poolHost);
      await page.fill('[name=web_space]', 'many');
      await change().click();
      await expectWrong('web_space', /\d/);
      await page.fill('[name=web_space]', '200');
      await page.fill('[name=password]', 'typed-in-secret');
      await page.fill('[name=confirm]', 'half-typed');
      await page.context().clearCookies();
      await change().dblclick();
      await page.waitForURL(/\/pool\/login/);
      expect(await kept()).not.toContain('typed-in-secret');
      await signIn();
      await page.waitForURL(new RegExp(`${poolHost}$`));
      await isBack();
      expect([await page.inputValue('[name=web_space]'), await page.inputValue('[name=password]')]).toEqual(['200', '']);
      expect(await page.inputValue('[name=confirm]')).toBe('half-typed');
      await change().click();
      await page.getByRole('status').getByText(/\S/).first().waitFor();
      expect(await page.locator('[aria-invalid]').count()).toBe(0);
    });
  });

  it('show all errors without scripts, too', async () => {
    await begin();
    const cookies = await page.context().cookies();
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' });
    await context.addCookies(cookies);
    const plain = await context.newPage();
    await open(names, plain);
    await plain.fill('[name=prefix]', 'a.b');
    await plain.getByRole('button', { name: 'Continue to payment' }).click();
    await expectWrong('prefix', /\S/, plain);
    expect(await plain.inputValue('[name=prefix]')).toBe('a.b');
    await open('/balance', plain);
    await plain.fill('[name=amount]', '0.5');
    await plain.getByRole('button', { name: 'Top up' }).click();
    await expectWrong('amount', /¥1\.00/, plain);
    await open('/account/profile', plain);
    await plain.fill('[name=qq]', '1');
    await plain.getByRole('button', { name: 'Save' }).click();
    await expectWrong('qq', /\S/, plain);
    await context.close();
  });
});
