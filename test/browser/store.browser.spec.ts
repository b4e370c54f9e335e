import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { hasBrowser, launchBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { createTestPlace, type TestPlace } from '../support/database.js';
import { StoreClient } from '../support/store.js';
import { pluginZip, submit, zipOf } from '../support/store-packages.js';

const PHONE = { width: 375, height: 720 };
const CAPTCHA = 'abcd';
/** The administrator's choice instead of the published one. */
const ADMIN_PASSWORD = 'the-admin-of-the-store';
/** Other items in the store. */
const NEIGHBOURS = [
  { slug: 'wx_notify', name: '微信通知', category: '通知', description: '<p>订单支付、主机到期时向微信发送通知。</p>', colour: '#2fb344' },
  {
    slug: 'uptime_watch',
    name: 'Uptime watch',
    category: '监控',
    description: '<p>Checks every site once a minute and tells you before your customers do.</p>',
    colour: '#ae3ec9',
  },
  {
    slug: 'invoices',
    name: '电子发票',
    category: '支付',
    description: '<p>付款后自动开具电子发票，并发送到客户邮箱。</p>',
    price: '29.90',
    colour: '#f76707',
  },
];
const ATTACK = '<img src=x onerror="document.title=\'owned\'">';
/** A picture of 800 by 350 with a word on it. */
const coverOf = (word: string, colour: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="350"><rect width="800" height="350" ' +
        `fill="${colour}"/><circle cx="640" cy="90" r="160" fill="#fff" opacity=".12"/><circle cx="150" ` +
        'cy="330" r="120" fill="#fff" opacity=".1"/><text x="60" y="200" font-family="sans-serif" ' +
        `font-size="64" font-weight="700" fill="#fff">${word}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();
/** Messages the browser logs about a response or connection that the test wants to fail. */
const WANTED_FAILURE =
  /^(?:Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)|htmx: htmx:error: Failed to fetch)/;

describe.skipIf(!hasBrowser)('the store in a browser', () => {
  let place: TestPlace;
  let panel: Panel;
  let browser: Browser;
  let author: Page;
  let admin: Page;
  let visitor: Page;
  let zip: Buffer;
  const problems: string[] = [];

  beforeAll(async () => {
    place = await createTestPlace({ CAPTCHA: `fixed:${CAPTCHA}` });
    panel = await startPanel(place.config);
    browser = await launchBrowser();
    author = await watched({ locale: 'en-US' });
    admin = await watched({ locale: 'en-US' });
    visitor = await watched({ locale: 'zh-CN' });
    zip = await pluginZip('mail_backup', '1.0.0', "const run = (text) => eval(text);\nmodule.exports = () => run('1');\n");
  });
  afterAll(async () => {
    await browser.close();
    await panel.close();
    await place.dispose();
  });

  const watched = (options: BrowserContextOptions): Promise<Page> =>
    newPage(browser, { colorScheme: 'light', ...options }, problems, WANTED_FAILURE);

  const open = (page: Page, path: string): Promise<unknown> => page.goto(`${panel.url}${path}`);
  const pathOf = (page: Page): string => page.url().slice(panel.url.length);

  /** Waits until a page shows its content. */
  const settled = (page: Page): Promise<unknown> =>
    page.locator('#view:not([aria-busy])').and(page.locator(':not(:has([aria-busy=true]))')).waitFor();

  /** On a phone nothing overflows sideways. */
  async function expectFits(page: Page, path: string): Promise<void> {
    await page.setViewportSize(PHONE);
    await open(page, path);
    await settled(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect([path, width]).toEqual([path, PHONE.width]);
    await page.setViewportSize(SIZES.desktop);
  }

  /** Signs in as a user, like a program. */
  async function client(username: string, password: string): Promise<StoreClient> {
    const made = new StoreClient(panel.url);
    await made.send('GET', '/auth/captcha');
    if ((await made.login(username, password, CAPTCHA)).status === 200) return made;
    await made.send('GET', '/auth/captcha');
    expect((await made.register(username, password, CAPTCHA)).status).toBe(200);
    return made;
  }

  async function publishNeighbours(): Promise<void> {
    const [publisher, reviewer] = [await client('guanchao', 'a-password-of-my-own'), await client('admin', ADMIN_PASSWORD)];
    for (const { colour, ...fields } of NEIGHBOURS) {
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(await coverOf(fields.name, colour))]), 'cover.png');
      const image = await publisher.call<{ url: string }>('POST', '/upload/image', form);
      const { data } = await submit(publisher, fields.slug, { ...(fields as Record<string, string>), main_image: image.data.url });
      expect((await reviewer.call('PUT', `/admin/items/${data.id}/approve`)).status).toBe(200);
    }
  }

  async function submitForm(page: Page, fields: Record<string, string>, file: Buffer): Promise<void> {
    await open(page, '/store/developer/submit');
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.setInputFiles('#field-zipfile', { name: 'package.zip', mimeType: 'application/zip', buffer: file });
    await page.getByRole('button', { name: 'Submit for review' }).click();
  }

  const decide = async (page: Page, path: string, button: string): Promise<void> => {
    await open(page, path);
    await page.getByRole('button', { name: button, exact: true }).first().click();
  };

  it('registers someone who wanted to submit, and continues there', async () => {
    await open(author, '/store/developer/submit');
    expect(pathOf(author)).toBe('/store/login?next=%2Fstore%2Fdeveloper%2Fsubmit');
    await author.locator('#view').getByRole('link', { name: 'Sign up' }).click();
    await author.fill('[name=username]', 'alice');
    await author.fill('[name=email]', 'alice@example.org');
    await author.fill('[name=password]', 'a-password-of-my-own');
    await author.fill('[name=captcha]', 'zzzz');
    await author.getByRole('button', { name: 'Sign up', exact: true }).click();
    await author.getByRole('alert').filter({ hasText: 'The captcha is wrong' }).waitFor();
    // The picture was used up: there is another one, and the field is empty.
    expect(await author.inputValue('[name=captcha]')).toBe('');
    await author.fill('[name=captcha]', CAPTCHA);
    await author.getByRole('button', { name: 'Sign up', exact: true }).click();
    await author.waitForURL(`${panel.url}/store/developer/submit`);
    await author.getByRole('status').filter({ hasText: 'Registered' }).waitFor();
  });

  it('checks a package, names the broken rule, and submits one', async () => {
    const fields = {
      slug: 'mail_backup',
      version: '1.0.0',
      name: 'Mail backup',
      description: '<h2>Keeps every letter</h2><p>Once an hour, to a place of your own. <a href="https://example.org/">More</a></p>',
      tags: 'mail, backup',
      category: '备份',
      price: '12.5',
    };
    await submitForm(author, fields, await zipOf('other_folder', { 'plugin.json': '{}' }));
    await author.getByRole('alert').filter({ hasText: 'The folder in the ZIP file is named “other_folder”' }).waitFor();
    await author.setInputFiles('#field-main_image', {
      name: 'cover.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
    });
    await author.getByRole('alert').filter({ hasText: 'larger than 5 MB' }).waitFor();
    await author.setInputFiles('#field-zipfile', { name: 'package.zip', mimeType: 'application/zip', buffer: zip });
    await author.getByRole('button', { name: 'Check package first' }).click();
    await author.getByText('The package can be installed').waitFor();
    await author.getByText('index.js:1').waitFor();
    await author.fill(
      '[name=description]',
      `<h2>Keeps <em>every</em> letter</h2><p onclick="document.title='owned'">Text ${ATTACK}<a ` +
        `href="https://example.org/">More</a><script>document.title = 'owned'</script></p>`,
    );
    await author.getByRole('button', { name: 'Preview description' }).click();
    const preview = author.getByRole('region', { name: 'Preview in the store' });
    await preview.getByRole('heading', { name: 'Keeps every letter' }).waitFor();
    expect(await author.evaluate("document.activeElement.contains(document.querySelector('.description'))")).toBe(true);
    expect([await author.title(), await preview.locator('[onclick], [onerror], script').count()]).toEqual([
      expect.not.stringContaining('owned'),
      0,
    ]);
    // A link in the preview does not leave the input.
    expect(await preview.getByRole('link', { name: 'More' }).getAttribute('target')).toBe('_blank');
    await preview.getByText('HTML kept by the store').click();
    expect(await preview.locator('pre').innerText()).toBe(
      '<h2>Keeps <em>every</em> letter</h2><p>Text <img /><a href="https://example.org/" rel="nofollow noopener">More</a></p>',
    );
    await preview.scrollIntoViewIfNeeded();
    await picture(author, 'store-preview');
    expect(await preview.getByText('You have changed the description since').isVisible()).toBe(false);
    await author.fill('[name=description]', '<script>1</script>');
    await preview.getByText('You have changed the description since').waitFor();
    await author.getByRole('button', { name: 'Preview description' }).click();
    await author.getByRole('alert').filter({ hasText: 'Enter the description' }).waitFor();
    expect(await preview.count()).toBe(0);
    await author.fill('[name=description]', fields.description);
    await author.setInputFiles('#field-main_image', {
      name: 'cover.png',
      mimeType: 'image/png',
      buffer: await coverOf('Mail backup', '#066fd1'),
    });
    await author.locator('.image-preview img').waitFor();
    await author.getByRole('button', { name: 'Submit for review' }).click();
    await author.waitForURL(/\/store\/developer\/items\/1$/);
    await author.getByText('Version 1.0.0 is waiting for review').waitFor();
    await author.getByText('Runs text as code (eval).').waitFor();
    await author.getByText('index.js:1').waitFor();
    expect(await author.locator('.datagrid').first().innerText()).toMatch(/place in the queue\s+1/i);
  });

  it('shows a reviewer pending versions, the findings and the code, and publishes one', async () => {
    await open(admin, '/store/review/');
    expect(pathOf(admin)).toBe('/store/login?next=%2Fstore%2Freview%2F');
    await admin.fill('[name=username]', 'admin');
    await admin.fill('[name=password]', 'svc-panel-admin');
    await admin.fill('[name=captcha]', CAPTCHA);
    await admin.getByRole('button', { name: 'Sign in', exact: true }).click();
    await admin.waitForURL(`${panel.url}/store/review/`);
    // Users of the published password are sent to set another one first.
    const warning = admin.getByRole('alert').filter({ hasText: 'You still use the default password' });
    await warning.waitFor();
    await settled(admin);
    await picture(admin, 'store-warning');
    await expectFits(admin, '/store/review/');
    await warning.getByRole('link', { name: 'Change password' }).click();
    await admin.locator('[name=oldPassword]:focus').fill('svc-panel-admin');
    await admin.fill('[name=newPassword]', ADMIN_PASSWORD);
    await admin.fill('[name=again]', ADMIN_PASSWORD);
    await admin.getByRole('button', { name: 'Change password' }).click();
    await admin.getByRole('status').filter({ hasText: 'changed' }).waitFor();
    expect(await warning.count()).toBe(0);
    await open(admin, '/store/review/');
    await admin.getByRole('link', { name: 'Mail backup' }).click();
    expect(await warning.count()).toBe(0);
    await admin.getByText('Runs text as code (eval).').waitFor();
    const meant = admin.locator('.code-line.is-meant', { hasText: 'eval(text)' });
    // Opening the code before the list of files has loaded keeps it, whichever of the two arrives first.
    const ofFiles = (url: URL): boolean => url.pathname.endsWith('/files');
    for (const first of ['list', 'code']) {
      const held: Route[] = [];
      await admin.route(ofFiles, (route) => void held.push(route));
      await admin.reload();
      await expect.poll(() => held.length).toBe(1);
      await admin.getByRole('link', { name: 'index.js:1' }).first().click();
      await expect.poll(() => held.length).toBe(2);
      for (const route of first === 'list' ? held : held.toReversed()) {
        await route.continue().catch(() => undefined);
        await route.request().response();
        await settled(admin);
      }
      await admin.unroute(ofFiles);
      await meant.waitFor();
    }
    await admin.evaluate('scrollTo(0, 0)');
    await picture(admin, 'store-review');
    await admin.fill('[name=msg]', 'Welcome!');
    await admin.getByRole('button', { name: 'Approve' }).click();
    // Code that runs text cannot be published with one click: the question shows the findings, and Enter alone does nothing.
    const question = admin.getByRole('dialog').filter({ hasText: 'serious finding' });
    await question.getByText('Runs text as code (eval).').waitFor();
    await picture(admin, 'store-review-question');
    await admin.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await admin.getByText('Published; no version is pending.').waitFor({ state: 'detached' });
    await admin.getByRole('button', { name: 'Approve' }).click();
    await question.getByRole('button', { name: 'Approve' }).click();
    await admin.getByRole('status').filter({ hasText: 'Approved' }).waitFor();
    await admin.getByText('Published; no version is pending.').waitFor();
    await open(author, '/store/developer/items/1');
    await author.getByText('Welcome!').first().waitFor();
  });

  it('finds it, shows it, and sends the same bytes', async () => {
    await publishNeighbours();
    await open(visitor, '/store/');
    await visitor.getByText('共 4 条').waitFor();
    await picture(visitor, 'store');
    await visitor.fill('[name=keyword]', 'LETTER');
    await visitor.getByRole('button', { name: '搜索' }).click();
    await visitor.getByText('共 1 条').waitFor();
    await visitor.getByRole('link', { name: 'Mail backup' }).click();
    await visitor.getByRole('heading', { name: 'Keeps every letter' }).waitFor();
    expect(pathOf(visitor)).toBe('/store/plugin/mail_backup');
    expect(await visitor.getByRole('link', { name: 'More' }).getAttribute('rel')).toBe('nofollow noopener');
    const [download] = await Promise.all([
      visitor.waitForEvent('download'),
      visitor.getByRole('link', { name: '下载 1.0.0' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('mail_backup-v1.0.0.zip');
    expect(readFileSync(await download.path()).equals(zip)).toBe(true);
    await visitor.goBack();
    expect(pathOf(visitor)).toBe('/store/?keyword=LETTER');
    expect(await visitor.inputValue('[name=keyword]')).toBe('LETTER');
    await visitor.selectOption('[name=type]', 'theme');
    await visitor.getByText('没有找到符合条件的内容').waitFor();
    expect(pathOf(visitor)).toBe('/store/?type=theme&keyword=LETTER');
    await visitor.goBack();
    await visitor.getByText('共 1 条').waitFor();
    expect(await visitor.inputValue('[name=type]')).toBe('');
  });

  it('shows the default when the address asks for something that does not exist', async () => {
    const odd = [
      'sort=zz',
      'type=zz',
      'page=0',
      'page=-1',
      'page=x',
      'page=1000001',
      'page=9007199254740993',
      'min_price=x',
      'min_price=-1',
      'min_price=0.001',
      'max_price=99999999999',
      'author_id=x',
      'author_id=9007199254740993',
      'page_size=zz',
      `category=${'x'.repeat(41)}`,
    ];
    for (const query of [...odd, odd.join('&')]) {
      await open(visitor, `/store/?${query}`);
      await visitor.getByText('共 4 条').waitFor();
      expect([query, await visitor.locator('.item-card').count(), await visitor.getByRole('alert').count()]).toEqual([query, 4, 0]);
      expect([query, await visitor.inputValue('[name=sort]'), await visitor.inputValue('[name=type]')]).toEqual([query, '', '']);
    }
    // The rest of such an address still applies, and numbers are parsed as in browsers.
    await open(visitor, '/store/?sort=zz&min_price=1e1&page=0');
    await visitor.getByText('共 2 条').waitFor();
    expect(await visitor.inputValue('[name=min_price]')).toBe('10');
    await open(visitor, `/store/?keyword=${'备份'.repeat(200)}`);
    await visitor.getByText('没有找到符合条件的内容').waitFor();
    // Beyond the last page is the last page.
    await open(visitor, '/store/?sort=price&page=7');
    await visitor.getByText('共 4 条，第 1 / 1 页').waitFor();
    expect([await visitor.locator('.item-card').count(), await visitor.inputValue('[name=sort]')]).toEqual([4, 'price']);
    await open(admin, '/store/review/users?role=zz&status=zz&page=0');
    await admin.getByText('3 in total').waitFor();
    await open(admin, '/store/review/log?action=item.approve&subject=%27&subject_id=x');
    await admin.getByText('4 in total').waitFor();
    // Errors are shown at their field.
    await open(visitor, '/store/');
    await settled(visitor);
    await visitor.fill('[name=min_price]', '-5');
    await visitor.press('[name=min_price]', 'Tab');
    expect(await visitor.locator('[name=min_price]:invalid').count()).toBe(1);
    expect(pathOf(visitor)).toBe('/store/');
    expect(await visitor.locator('.item-card').count()).toBe(4);
  });

  it('accepts a visitor’s report once, however often it is clicked, and says when there were too many', async () => {
    await open(visitor, '/store/items/1');
    await visitor.getByText('举报这个作品').click();
    await visitor.selectOption('[name=reason]', 'broken');
    await visitor.fill('[name=text]', '装不上');
    let sent = 0;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await visitor.route('**/store/items/1/report', async (route) => {
      sent += 1;
      await answered;
      await route.continue();
    });
    const send = visitor.getByRole('button', { name: '提交举报' });
    await send.click();
    await expect.poll(() => send.isDisabled()).toBe(true);
    await visitor.evaluate("document.querySelector('details form').requestSubmit()");
    answer();
    await visitor.getByRole('status').filter({ hasText: '举报' }).waitFor();
    expect(sent).toBe(1);
    for (let i = 1; i < 10; i += 1) await visitor.request.post(`${panel.url}/api/items/1/report`, { data: { reason: 'other' } });
    await visitor.reload();
    await visitor.getByText('举报这个作品').click();
    await visitor.getByRole('button', { name: '提交举报' }).click();
    await visitor
      .getByRole('alert')
      .filter({ hasText: /请等待(?:\d+分钟|1小时)（约 \d+:\d+）后再试/ })
      .waitFor();
    await open(admin, '/store/review/reports');
    await admin.getByText('装不上').waitFor();
    await admin.locator('li', { hasText: '装不上' }).getByRole('button', { name: 'Close report' }).click();
    await admin.locator('li', { hasText: '装不上' }).getByText('Closed', { exact: true }).waitFor();
  });

  it('reviews a new version by its differences, and a change by its previous value', async () => {
    const better = "module.exports = () => 'better';\n";
    const next = await pluginZip('mail_backup', '1.1.0', better);
    await open(author, '/store/developer/items/1');
    await author.fill('#field-version', '1.1.0');
    await author.fill('#field-changelog', 'No eval any more');
    await author.setInputFiles('#field-zipfile', { name: 'mail_backup.zip', mimeType: 'application/zip', buffer: next });
    await author.getByRole('button', { name: 'Upload for review' }).click();
    await author.getByText('Version 1.0.0 is published. Version 1.1.0 is waiting for review').waitFor();
    await author.getByText('Edit details').click();
    await author.getByRole('button', { name: 'Preview description' }).click();
    await author.getByRole('region', { name: 'Preview in the store' }).getByRole('heading', { name: 'Keeps every letter' }).waitFor();
    await author.fill('[name=price]', '9.9');
    await author.getByRole('button', { name: 'Submit changes' }).click();
    await author.locator('.value-new', { hasText: '¥9.90' }).waitFor();
    expect(await author.locator('.before-after').count()).toBe(1);

    await open(admin, '/store/review/items/1');
    // The changes load automatically: the link is for those without scripts.
    await admin.locator('.diff-old', { hasText: 'eval(text)' }).waitFor();
    await admin.locator('.diff-new', { hasText: 'better' }).waitFor();
    // A rejection asks for confirmation, and Enter alone does not do it.
    await admin.getByRole('button', { name: 'Reject' }).first().click();
    expect(await admin.getByRole('dialog').innerText()).toContain('Reject version 1.1.0 of “Mail backup”?');
    await admin.keyboard.press('Enter');
    await admin.getByRole('dialog').waitFor({ state: 'detached' });
    // A file that was blocked only now is still a finding, and cannot be published without a question.
    const digest = createHash('sha256').update(better).digest('hex');
    expect(
      (await (await client('admin', ADMIN_PASSWORD)).call('POST', '/admin/blocked-digests', { sha256: digest, reason: 'for once' })).status,
    ).toBe(200);
    await open(admin, '/store/review/items/1');
    await admin.locator('.finding', { hasText: digest }).waitFor();
    await admin.getByRole('button', { name: 'Approve' }).first().click();
    expect(await admin.getByRole('dialog').innerText()).toMatch(/This version contains blocked files: \S+\.js\. Publish it anyway\?/);
    await admin.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await admin.getByText('Published; no version is pending.').waitFor();
    await open(admin, '/store/review/edits?status=pending');
    await admin.getByRole('button', { name: 'Approve' }).click();
    await admin.getByText('No change requests').waitFor();
    await open(visitor, '/store/plugin/mail_backup');
    await visitor.getByText('¥9.90').waitFor();
    await visitor.getByText('No eval any more').waitFor();
    // The author sees the state of every version, the public the current one.
    for (const [page, path, state] of [
      [visitor, '/store/plugin/mail_backup', ''],
      [author, '/store/developer/items/1', 'Approved'],
    ] as const) {
      await open(page, path);
      const versions = page.locator('section', { has: page.locator('code.digest') }).locator('li');
      await versions.nth(1).waitFor();
      expect(await Promise.all([0, 1].map((i) => versions.nth(i).locator('strong, .badge').allInnerTexts()))).toEqual([
        ['1.1.0', page === author ? 'Current' : '当前版本'],
        ['1.0.0', ...(state ? [state] : [])],
      ]);
    }
  });

  it('shows names and notes as text, whatever they contain', async () => {
    await submitForm(
      author,
      { slug: 'attack', version: '1.0.0', name: 'Attack', description: `<p>${ATTACK}hello</p><script>document.title = 'owned'</script>` },
      await pluginZip('attack'),
    );
    await author.waitForURL(/\/store\/developer\/items\/5$/);
    // The API rejects such a name: it is stored as if it had once been accepted.
    await panel.database.run("UPDATE SVC_store_item SET name = ? WHERE slug_key = 'attack'", [ATTACK]);
    await author.reload();
    await author.getByRole('heading', { name: ATTACK }).waitFor();
    await decide(admin, '/store/review/items/5', 'Approve');
    await admin.getByText('Published; no version is pending.').waitFor();
    for (const path of ['/store/?keyword=attack', '/store/plugin/attack']) {
      await open(visitor, path);
      await visitor.getByText(ATTACK).first().waitFor();
      expect(await visitor.title()).not.toBe('owned');
      expect(await visitor.locator('#view [onerror], #view script').count()).toBe(0);
    }
  });

  it('saves a profile, shows a token once, and ends another session', async () => {
    await open(author, '/store/account');
    const avatar = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#d63939' } })
      .png()
      .toBuffer();
    await author.setInputFiles('#field-avatar', { name: 'me.png', mimeType: 'image/png', buffer: avatar });
    await author.locator('.image-preview img').waitFor();
    await author.fill('[name=bio]', 'Two\nlines');
    await author.getByRole('button', { name: 'Save' }).click();
    await author.getByRole('status').filter({ hasText: 'Updated' }).waitFor();
    await author.fill('[name=oldPassword]', 'not it');
    await author.fill('[name=newPassword]', 'another-password');
    await author.fill('[name=again]', 'another-password');
    await author.getByRole('button', { name: 'Change password' }).click();
    await author.getByRole('alert').filter({ hasText: 'old password is wrong' }).waitFor();

    await open(author, '/store/account/tokens');
    await author.fill('[name=name]', 'release script');
    await author.getByRole('button', { name: 'Create' }).click();
    const token = await author.locator('input[readonly]').inputValue();
    expect(token).toMatch(/^svcs_/);
    await author.reload();
    await author.getByRole('cell', { name: 'release script' }).waitFor();
    expect(await author.content()).not.toContain(token);
    await author.getByRole('button', { name: 'Revoke' }).click();
    await author.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await author.getByText('No tokens yet').waitFor();

    const other = await watched({ locale: 'en-US' });
    await open(other, '/store/login?next=//evil.example/');
    await other.fill('[name=username]', 'alice');
    await other.fill('[name=password]', 'a-password-of-my-own');
    await other.fill('[name=captcha]', CAPTCHA);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    // Never to the target of a stranger's link.
    await other.waitForURL(`${panel.url}/store/`);
    await open(author, '/store/account/sessions');
    await author.getByText('Current', { exact: true }).waitFor();
    await open(other, '/store/account/tokens');
    await settled(other);
    await author.getByRole('button', { name: 'End', exact: true }).first().click();
    await author.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await author.getByRole('status').filter({ hasText: 'ended' }).waitFor();
    // After being signed out midway, users sign in and return.
    await other.fill('[name=name]', 'too late');
    await other.getByRole('button', { name: 'Create' }).click();
    await other.waitForURL(`${panel.url}/store/login?next=%2Fstore%2Faccount%2Ftokens`);
  });

  it('reports a lost connection, and continues when it is back', async () => {
    await open(visitor, '/store/');
    await settled(visitor);
    await visitor.context().setOffline(true);
    await visitor.selectOption('[name=sort]', 'price');
    await visitor.getByRole('alert').filter({ hasText: '连接不上服务器' }).waitFor();
    await visitor.context().setOffline(false);
    await visitor.getByRole('button', { name: '重试' }).click();
    await visitor.getByText('共 5 条').waitFor();
  });

  const everybody = [
    '/store/',
    '/store/?keyword=nothing-like-this',
    '/store/plugin/mail_backup',
    '/store/plugin/attack',
    '/store/items/99',
    '/store/login',
    '/store/register',
  ];
  const own = [
    '/store/account',
    '/store/account/sessions',
    '/store/account/tokens',
    '/store/developer/',
    '/store/developer/submit',
    '/store/developer/items/1',
    '/store/developer/items/5',
  ];
  const review = ['', 'items', 'items/1', 'items/5', 'edits', 'reports', 'users', 'blocked', 'log'].map((path) => `/store/review/${path}`);

  it('fits a phone on every page, in both languages', async () => {
    for (const lang of ['en', 'zh-CN']) {
      for (const page of [author, admin, visitor]) await open(page, `/store/?lang=${lang}`);
      for (const path of everybody) await expectFits(visitor, path);
      await visitor.setViewportSize(PHONE);
      await open(visitor, '/store/nothing');
      expect(await visitor.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await visitor.setViewportSize(SIZES.desktop);
      for (const path of own) await expectFits(author, path);
      for (const path of review) await expectFits(admin, path);
      expect(await admin.locator('html').getAttribute('lang')).toBe(lang);
    }
  }, 120_000);

  it('can be used by keyboard and keeps the filters when the language changes', async () => {
    await open(visitor, '/store/?keyword=mail');
    await settled(visitor);
    await visitor.keyboard.press('Tab');
    expect(await visitor.evaluate('document.activeElement.className')).toContain('skip-link');
    await visitor.getByRole('link', { name: 'English' }).click();
    await visitor.getByText('1 in total').waitFor();
    expect(pathOf(visitor)).toBe('/store/?keyword=mail');
    await visitor.waitForLoadState();
    await visitor.getByRole('button', { name: 'Light or dark' }).click();
    expect(await visitor.locator('html').getAttribute('data-bs-theme')).toBe('dark');
    await visitor.reload();
    expect(await visitor.locator('html').getAttribute('data-bs-theme')).toBe('dark');
  });

  it('bans a user, whose session ends immediately', async () => {
    await open(admin, '/store/review/users?lang=en');
    await admin.locator('tr', { hasText: 'alice@example.org' }).getByRole('button', { name: 'Ban' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
    await admin.locator('tr', { hasText: 'alice@example.org' }).getByText('Banned').waitFor();
    await open(author, '/store/developer/');
    expect(pathOf(author)).toBe('/store/login?next=%2Fstore%2Fdeveloper%2F');
    await open(admin, '/store/review/log');
    await admin.locator('tbody').getByText('Changed an account').first().waitFor();
  });

  it('keeps keyboard focus in a list that was searched', async () => {
    await open(admin, '/store/review/users');
    const search = admin.getByRole('searchbox');
    await search.fill('alice');
    await search.press('ArrowLeft');
    await search.press('Enter');
    await admin.waitForURL(/keyword=alice/);
    await admin.getByText('1 in total').waitFor();
    const caret = 'document.activeElement.name + document.activeElement.selectionStart';
    await expect.poll(() => admin.evaluate(caret)).toBe('keyword4');
    await open(admin, '/store/review/log');
  });

  it('describes in the log what was done to what, in words and the reader’s time zone', async () => {
    const reviewer = await client('admin', ADMIN_PASSWORD);
    expect((await reviewer.call('POST', '/admin/blocked-digests', { sha256: 'a'.repeat(64), reason: 'steals keys' })).status).toBe(200);
    expect((await reviewer.call('DELETE', '/admin/items/5?msg=Enough')).status).toBe(200);
    await admin.reload();
    /** The texts of a row's cells, by the start of the action. */
    const wordsOf = async (page: Page, action: string): Promise<string[]> =>
      (await page.locator('tbody tr', { hasText: action }).first().locator('td').allInnerTexts())
        .slice(1, 5)
        .map((text) => text.replace(/\s+/g, ' '));
    await admin.locator('tbody').getByText('Deleted an item').waitFor();
    expect(await wordsOf(admin, 'Deleted an item')).toEqual([
      'admin',
      'Deleted an item',
      `Plugin ${ATTACK} (deleted)`,
      'Status Approved Slug attack Author alice Note Enough',
    ]);
    expect(await wordsOf(admin, 'Blocked a file')).toEqual(['admin', 'Blocked a file', 'a'.repeat(64), 'Reason steals keys']);
    expect(await wordsOf(admin, 'Changed an account')).toEqual(['admin', 'Changed an account', 'alice', 'Status Active → Banned']);
    expect(await wordsOf(admin, 'Approved a change')).toEqual([
      'admin',
      'Approved a change',
      'Plugin Mail backup',
      'Requested changes Price (¥)',
    ]);
    expect(await wordsOf(admin, 'Closed a report')).toEqual(['admin', 'Closed a report', 'Plugin Mail backup', 'Reason Does not work']);
    expect(await admin.locator('[onerror]').count()).toBe(0);
    await picture(admin, 'store-log');
    await expectFits(admin, '/store/review/log');
    await admin.locator('tbody tr', { hasText: 'Changed an account' }).getByRole('link', { name: 'alice' }).click();
    await admin.getByText('1 in total').waitFor();
    expect(pathOf(admin)).toBe('/store/review/users?keyword=alice');

    const far = await watched({ locale: 'zh-CN', timezoneId: 'Asia/Tokyo', storageState: await admin.context().storageState() });
    await open(far, '/store/review/log?lang=zh-CN');
    await far.getByText(/时间按您所在的时区（日本.*）显示/).waitFor();
    const time = far.locator('tbody time').first();
    const at = new Date((await time.getAttribute('datetime'))!);
    expect(await time.innerText()).toBe(
      new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' }).format(at),
    );
    expect(await wordsOf(far, '删除作品')).toEqual([
      'admin',
      '删除作品',
      `插件 ${ATTACK}（已删除）`,
      '状态 已通过 标识 attack 作者 alice 备注 Enough',
    ]);
    // The log of one item is linked from its page, with a way back to the whole log.
    await open(far, '/store/review/items/1');
    await far.locator('#view').getByRole('link', { name: '日志' }).click();
    await far.getByText('仅显示相关操作').waitFor();
    expect(await far.locator('tbody tr', { hasText: '通过作品' }).count()).toBe(2);
    expect(await far.locator('tbody tr', { hasNotText: 'Mail backup' }).count()).toBe(0);
    await picture(far, 'store-log-item');
    await far.getByRole('link', { name: '显示全部' }).click();
    await far.locator('tbody').getByText('删除作品').waitFor();
    await expectFits(far, '/store/review/log');
    await open(far, '/store/review/reports');
    await far.getByText('装不上').waitFor();
    await far.context().close();
  });

  it('shows the second of two tabs the first one’s request, keeps the input, and accepts it when it is sent again', async () => {
    const { data: item } = await submit(await client('admin', ADMIN_PASSWORD), 'two_tabs');
    await open(admin, `/store/developer/items/${item.id}`);
    await admin.getByText('Edit details').click();
    const first = await admin.request.put(`${panel.url}/api/developer/items/${item.id}`, {
      data: { name: 'Of the first tab', tags: ['first'] },
    });
    expect(first.status()).toBe(200);
    await admin.fill('[name=name]', 'Of the second tab');
    await admin.fill('[name=tags]', 'second');
    const ask = admin.getByRole('button', { name: 'Submit changes' }).first();
    await ask.click();
    const told = admin.getByRole('alert').filter({ hasText: 'While you were editing' });
    await told.getByRole('listitem').filter({ hasText: 'Changed in the meantime. Current value: Of the first tab' }).waitFor();
    expect(await told.getByRole('listitem').count()).toBe(2);
    expect(await admin.locator('[aria-invalid=true]').evaluateAll((fields) => fields.map((field) => field.getAttribute('name')))).toEqual([
      'name',
      'tags',
    ]);
    expect(await admin.evaluate('document.activeElement.name')).toBe('name');
    expect([await admin.inputValue('[name=name]'), await admin.inputValue('[name=tags]')]).toEqual(['Of the second tab', 'second']);
    await ask.click();
    await admin.locator('.value-new', { hasText: 'Of the second tab' }).waitFor();
    await admin.locator('li', { hasText: 'Of the first tab' }).getByText('Superseded').first().waitFor();
  });

  it('keeps input typed while the session ended, for the same account', async () => {
    // The other pages are signed out or closed.
    const page = await watched({ locale: 'en-US' });
    const signIn = async (): Promise<void> => {
      await page.fill('[name=username]', 'admin');
      await page.fill('[name=password]', ADMIN_PASSWORD);
      await page.fill('[name=captcha]', CAPTCHA);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(`${panel.url}/store/account`);
    };
    await open(page, '/store/login?next=%2Fstore%2Faccount');
    await signIn();
    await page.fill('[name=bio]', 'Typed before the session ended');
    await page.fill('[name=oldPassword]', 'planted-secret');
    await page.context().clearCookies();
    await page.locator('form[action="/store/account"] [type=submit]').click();
    await page.waitForURL(/\/store\/login\?next=/);
    const kept = String(await page.evaluate('JSON.stringify(sessionStorage)'));
    expect([kept.includes('Typed before'), kept.includes('planted-secret')]).toEqual([true, false]);
    await signIn();
    await page.getByText('has been restored').waitFor();
    expect([await page.inputValue('[name=bio]'), await page.inputValue('[name=oldPassword]')]).toEqual([
      'Typed before the session ended',
      '',
    ]);
    await page.context().close();
  });

  it('did all of this without an error or a policy violation', () => {
    expect(problems).toEqual([]);
  });
});
