import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, posix } from 'node:path';

import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LOCALES, PACKAGE_ROOT } from '../../src/common/index.js';
import { fieldSchemas, inputFields, openApi } from '../../src/http/index.js';
import { EDIT_FIELDS } from '../../src/store/items/item-fields.js';
import { REPORT_REASONS } from '../../src/store/review/moderation.js';
import { StoreUser } from '../../src/store/index.js';
import { StoreBlockedDigest, StoreEditRequest, StoreReport } from '../../src/store/entities/index.js';
import { accessRuleOf } from '../../src/store/http/index.js';
import { FORMS, PAGE_CONTROLLERS, PAGES } from '../../src/store/web/index.js';
import { patternOf, STORE_FORM_METADATA, type StoreFormDeclaration } from '../../src/store/web/page-declaration.js';
import { StoreFiles } from '../../src/store/web/store-files.js';
import { AUDIT_ACTIONS } from '../../src/store/audit/index.js';
import { PAGE_TEXTS } from '../../src/store/web/texts.js';
import { elementsIn, problemsOf, read } from '../support/form-limits.js';
import { insertItem } from '../support/store-items.js';
import { formOf, pluginZip, submit } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { tidyHtml } from '../support/tidy-html.js';

/** Fields that a page reads itself: where to continue, a repetition, a version among others, the pictures by position. */
const READ_BY_PAGES = /^(?:next|again|version|screenshot_\d|place_\d)$/;

let store: TestStore;
let visitor: StoreClient;
let developer: StoreClient;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  visitor = store.visitor();
  developer = await store.member('dev');
  admin = await store.member('boss', 'admin');
  await publishOf(developer, 'some-thing');
  await publishOf(admin, 'of-boss');
  await insertItem(store.database, { type: 'theme', slug: 'some-thing', authorId: developer.userId });
});
afterAll(() => store.close());

const open = (path: string, client = visitor, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(store.url + path, { method, redirect: 'manual', headers: { ...(client.cookie ? { cookie: client.cookie } : {}), ...headers } });
/** The status of a path sent unchanged. */
const statusOf = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(store.url);
    request({ hostname, port, path }, (res) => resolve(res.resume().statusCode!))
      .on('error', reject)
      .end();
  });
/** Every page, by its full path. */
const STORE_PAGES = PAGES.map((page) => ({ ...page, path: `/store/${page.path}` }));
/** A published item. */
const ownItems = new Map<StoreClient, number>();
async function publishOf(author: StoreClient, slug: string): Promise<void> {
  const { data } = await submit(author, slug);
  ownItems.set(author, Number(data.id));
  expect((await admin.call('PUT', `/admin/items/${String(data.id)}/approve`)).status).toBe(200);
}
/** An address of a page's pattern: for personal resources, that of `client`. */
const addressOf = (path: string, client = developer): string =>
  path
    .replace(':id', String(path.includes('/developer/') ? (ownItems.get(client) ?? 1) : 1))
    .replace(':slug', 'some-thing')
    .replace(/diff$/, '$&?from=1.0.0&to=1.0.0');

describe('the pages', () => {
  it('are available to their audience; others are sent to the login and back, or get a message', async () => {
    for (const { path, needs } of STORE_PAGES) {
      const address = addressOf(path);
      const login = `/store/login?next=${encodeURIComponent(address)}`;
      const anonymous = await open(address);
      expect([address, anonymous.status, anonymous.headers.get('location')]).toEqual([address, needs ? 302 : 200, needs ? login : null]);
      expect([address, (await open(address, developer)).status]).toEqual([address, needs?.[0] === 'admin' ? 403 : 200]);
      expect([address, (await open(addressOf(path, admin), admin)).status]).toEqual([address, 200]);
    }
    expect((await open('/store/account?tab=1&x=ü')).headers.get('location')).toBe(
      `/store/login?next=${encodeURIComponent('/store/account?tab=1&x=%C3%BC')}`,
    );
    expect((await open('/store')).headers.get('location')).toBe('/store/');
  });

  it('run and load nothing from elsewhere, and cannot be framed', async () => {
    for (const { path, showsDescriptions } of STORE_PAGES) {
      const { headers } = await open(addressOf(path, admin), admin);
      const policy = headers.get('content-security-policy')!;
      expect(policy).not.toContain('unsafe');
      const directives = Object.fromEntries(
        policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
      );
      expect(directives).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'form-action': "'self'",
        'require-trusted-types-for': "'script'",
      });
      // Descriptions have pictures of any site; nothing else does.
      expect([path, directives['img-src']]).toEqual([path, showsDescriptions ? "'self' data: https:" : "'self' data:"]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        // The back button does not show it after signing out.
        'cache-control': 'no-store',
        vary: expect.stringMatching(/^Accept-Language, Cookie(, Accept-Encoding)?$/) as string,
      });
    }
    expect((await open('/store/')).headers.get('cache-control')).toBe('private, no-cache');
  });

  it('hold no inline script or style', async () => {
    for (const { path } of STORE_PAGES) {
      const html = await (await open(addressOf(path, admin), admin)).text();
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    }
  });

  it('show a message in HTML when nothing is found', async () => {
    for (const path of [
      '/store/nothing',
      '/store/items/0',
      '/store/items/x',
      '/store/Login',
      '/store/login/',
      '/store/plugin/a.b',
      '/store/constructor',
      '/store/assets/',
    ]) {
      const answer = await open(path, visitor, { 'accept-language': 'en' });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('Page not found');
    }
    const head = await open('/store/', visitor, {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('are in the reader’s language, which can be changed', async () => {
    const languageOf = async (headers: Record<string, string>): Promise<string | undefined> =>
      /<html lang="([^"]+)"/.exec(await (await open('/store/', visitor, headers)).text())?.[1];
    expect(await languageOf({})).toBe('zh-CN');
    expect(await languageOf({ 'accept-language': 'en-GB,en;q=0.9' })).toBe('en');
    expect(await languageOf({ 'accept-language': 'en', cookie: 'lang=zh-CN' })).toBe('zh-CN');
    expect(await languageOf({ cookie: 'lang="><script>' })).toBe('zh-CN');
    const chosen = await open('/store/?keyword=a%26b&lang=en&page=2');
    expect([chosen.status, chosen.headers.get('location')]).toEqual([302, '/store/?keyword=a%26b&page=2']);
    expect(chosen.headers.get('set-cookie')).toBe('lang=en; Max-Age=31536000; Path=/; SameSite=Lax');
    expect((await open('/store/?lang=xx')).status).toBe(200);
    expect((await open('/store/nothing?lang=en')).headers.get('location')).toBe('/store/nothing');
  });

  it('mark one tab as the current one', async () => {
    for (const path of ['account', 'account/sessions', 'account/second-factor', 'account/webhooks']) {
      const html = tidyHtml(await (await open(`/store/${path}`, developer)).text());
      expect([...html.matchAll(/class="nav-link active" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([`/store/${path}`]);
    }
  });

  it('warn users of the default password on working pages until it is changed', async () => {
    const warning = 'id="default-password"';
    const warned = async (client: StoreClient): Promise<string[]> => {
      const found: string[] = [];
      for (const { path } of STORE_PAGES)
        if ((await (await open(addressOf(path, client), client, { 'accept-language': 'en' })).text()).includes(warning)) found.push(path);
      return found;
    };
    const first = await store.member('first', 'admin');
    await publishOf(first, 'of-first');
    const rows = store.database.repository(StoreUser);
    await rows.update({ id: first.userId }, { hasDefaultPassword: true });
    expect(await warned(first)).toEqual(STORE_PAGES.filter(({ needs }) => needs).map(({ path }) => path));
    expect(await (await open('/store/review/', first, { 'accept-language': 'en' })).text()).toContain('You still use the default password');
    expect([await warned(admin), await warned(visitor)]).toEqual([[], []]);
    await rows.update({ id: first.userId }, { hasDefaultPassword: false });
    expect(await warned(first)).toEqual([]);
  });

  it('show a name that looks like HTML as text', async () => {
    const odd = await store.member('<b>&"');
    expect(await (await open('/store/', odd)).text()).toContain('&lt;b&gt;&amp;&#34;');
  });
});

describe('their forms', () => {
  const send = (
    path: string,
    fields: Record<string, string> | [string, string][],
    client = visitor,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(store.url + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { 'accept-language': 'en', ...(client.cookie ? { cookie: client.cookie } : {}), ...headers },
    });
  const addresses = PAGE_CONTROLLERS.flatMap(({ prototype }: { prototype: object }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
      const form = Reflect.getMetadata(STORE_FORM_METADATA, value as object) as StoreFormDeclaration | undefined;
      return form ? [{ path: addressOf(`/store/${form.path}`), level: accessRuleOf(value as () => void)!.level }] : [];
    }),
  );

  it('have the access rules of their endpoints, and reject other sites and tokens', async () => {
    expect(addresses.length).toBeGreaterThan(20);
    const { data } = await developer.call<{ token: string }>('POST', '/auth/tokens', { name: 'x', scopes: ['read', 'publish'], days: 1 });
    for (const { path, level } of addresses) {
      expect([path, (await send(path, {}, admin, { origin: 'https://evil.test' })).status]).toEqual([path, 403]);
      if (level === 'public') continue;
      const anonymous = await send(path, {}, visitor, { referer: `${store.url}/store/account?x=1` });
      expect([path, anonymous.status, anonymous.headers.get('location')]).toEqual([
        path,
        302,
        `/store/login?next=${encodeURIComponent('/store/account?x=1')}`,
      ]);
      expect([path, (await send(path, {}, visitor, { authorization: `Bearer ${data.token}` })).status]).toEqual([path, 403]);
      if (level === 'admin') expect([path, (await send(path, {}, developer)).status]).toEqual([path, 403]);
    }
    expect((await send('/store/login', {}, visitor, { referer: 'https://evil.test/x', origin: 'null' })).status).toBe(403);
  });

  it('have the kinds and the limits of what their endpoints read', async () => {
    const api = await openApi();
    const found = new Set<string>();
    const problems = new Set<string>();
    for (const client of [visitor, developer, admin]) {
      for (const { path } of STORE_PAGES) {
        const page = elementsIn(parse(await (await open(addressOf(path, client), client)).text()));
        for (const form of page.filter((element) => element.nodeName === 'form')) {
          const sent = [...FORMS.values()].find((one) => patternOf(one.path).test(read(form, 'action') ?? ''));
          if (!sent?.input) continue;
          // Rules from the API description, and the rest of a form with a file.
          const declared = { ...inputFields(sent.input), ...fieldSchemas(sent.input, api) };
          for (const field of elementsIn(form).filter((element) => read(element, 'name') !== undefined)) {
            const name = read(field, 'name')!;
            found.add(`${sent.path}: ${name}`);
            for (const problem of problemsOf(field, declared, READ_BY_PAGES.test(name))) problems.add(`${sent.path}: ${name} ${problem}`);
          }
        }
      }
    }
    expect(found.size).toBeGreaterThan(50);
    expect([...problems]).toEqual([]);
  });

  it('work without a script: the next page shows the result once, or the form returns with the input', async () => {
    await visitor.register('formal', 'a-password-of-my-own');
    const wrong = await send('/store/login', { username: 'formal', password: 'not-it-<b>', next: '/store/developer/' });
    const page = tidyHtml(await wrong.text());
    expect([wrong.status, page]).toEqual([401, expect.stringMatching(/type="text"[^>]* name="username"[^>]* value="formal"/)]);
    expect(page).toMatch(/role="alert"[^]*The username or password/);
    expect(page).toContain('name="next" value="/store/developer/"');
    expect(page).not.toContain('not-it');
    const right = await send('/store/login', { username: 'formal', password: 'a-password-of-my-own', next: '/store/developer/' });
    expect([right.status, right.headers.get('location')]).toEqual([303, '/store/developer/']);
    const cookie = right.headers
      .getSetCookie()
      .map((line) => line.split(';')[0]!)
      .join('; ');
    // A signed-in user is not asked for a password: he continues, or signs out.
    for (const path of ['login', 'register']) {
      const already = await (await open(`/store/${path}?next=/store/developer/`, visitor, { cookie, 'accept-language': 'en' })).text();
      expect(already).toContain('You are signed in as formal');
      expect(already).toMatch(/href="\/store\/developer\/">\s*Continue/);
      expect(already).toContain('action="/store/logout"');
      expect(already).not.toContain('type="password"');
    }
    const next = await open('/store/developer/', visitor, { cookie, 'accept-language': 'en' });
    expect(await next.text()).toMatch(/role="status"\s+data-toast="success"\s*>\s*<div class="alert-body">Signed in/);
    expect(next.headers.getSetCookie().join()).toContain('store_said=; Max-Age=0');
    for (const elsewhere of ['//evil.test/', 'https://evil.test/store/', '/admin/', '/store/../admin/'])
      expect(
        (await send('/store/login', { username: 'formal', password: 'a-password-of-my-own', next: elsewhere })).headers.get('location'),
      ).toBe('/store/');
    // The text of a cookie cannot be chosen by others.
    for (const said of ['["<b>",{}]', '["store.nothing_of_ours",{"n":"<b>"}]', '[1]', 'x', '["common.internal",{}]'])
      expect(await (await open('/store/', visitor, { cookie: `store_said=${encodeURIComponent(said)}` })).text()).not.toMatch(
        /data-toast="success"\s*>\s*<div class="alert-body">(?!store\.)/,
      );
  });

  it('show errors on their page, whose links continue from there, whatever the address’s query', async () => {
    const refused = await send('/store/items/1/report?page=9', { reason: 'none', text: 'my own words' });
    const page = tidyHtml(await refused.text());
    expect([refused.status, page]).toEqual([400, expect.stringContaining('my own words</textarea>')]);
    expect(page).toContain('href="/store/items/1?lang=zh-CN"');
    expect(page).toContain('href="/store/login?next=%2Fstore%2Fitems%2F1"');
    const list = await send('/store/review/blocked?page=9', { sha256: 'short' }, admin);
    expect([list.status, await list.text()]).toEqual([400, expect.stringContaining('value="short"')]);
    const password = await send('/store/account/password', { oldPassword: 'x', newPassword: 'one', again: 'two' }, developer);
    expect(tidyHtml(await password.text())).toContain('href="/store/account" aria-current="page"');
  });

  it('give a script the errors and their fields, and leave the page to it', async () => {
    const answer = await send('/store/account/tokens', { name: '', days: '90', scopes: 'read' }, developer, { 'hx-request': 'true' });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/^\s*<div\s+class="alert alert-danger"\s+role="alert"[^>]*\sdata-field="name"/),
    ]);
    const done = await send('/store/account', { email: 'dev@example.org', avatar: '', bio: 'x' }, developer, { 'hx-request': 'true' });
    expect([done.status, done.headers.get('hx-redirect')]).toEqual([200, '/store/account']);
    // The action is logged as if it came from the API.
    const { data } = await admin.get<{ items: { action: string; actor_name: string }[] }>('/admin/logs?action=auth.profile');
    expect(data.items).toMatchObject([{ actor_name: 'dev' }]);
  });

  it('have no more fields than a form of the panel, and use the first of duplicate fields', async () => {
    const fields = (count: number): [string, string][] => Array.from({ length: count }, (_, i) => [`f${i}`, '1']);
    expect((await send('/store/account', fields(1_000), developer)).status).toBe(400);
    expect((await send('/store/account', fields(1_001), developer)).status).toBe(413);
    const twice: [string, string][] = [
      ['bio', 'first'],
      ['bio', 'second'],
    ];
    expect((await send('/store/account', twice, developer)).status).toBe(303);
    expect((await developer.get<{ bio: string }>('/auth/me')).data.bio).toBe('first');
  });

  it('accept a package without a script, and keep the input when it is rejected', async () => {
    const fields = {
      type: 'plugin',
      slug: 'formless',
      name: 'Form <less>',
      version: '1.0.0',
      description: '<p>x</p>',
      tags: 'a，b, c',
      price: '1',
    };
    const post = async (more: Record<string, string>): Promise<Response> =>
      fetch(`${store.url}/store/developer/submit`, {
        method: 'POST',
        redirect: 'manual',
        body: formOf({ ...fields, ...more }, await pluginZip('formless')),
        headers: { cookie: developer.cookie, 'accept-language': 'en' },
      });
    const refused = await post({});
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('value="Form &lt;less&gt;"')]);
    const taken = await post({ name: 'Formless' });
    expect([taken.status, taken.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/store\/developer\/items\/\d+$/)]);
    const id = Number(/\d+$/.exec(taken.headers.get('location')!)![0]);
    expect(JSON.parse((await developer.get<{ tags: string }>(`/developer/items/${id}`)).data.tags)).toEqual(['a', 'b', 'c']);
  });
});

describe('their lists', () => {
  const listOf = async (path: string): Promise<{ rows: number; html: string }> => {
    const html = tidyHtml(await (await open(path, admin, { 'accept-language': 'en' })).text());
    return { rows: [...html.matchAll(/<tr data-row=/g)].length, html };
  };

  it('keep page, size, filters and search in the address, and handle any value there', async () => {
    for (let i = 0; i < 23; i++)
      await admin.call('POST', '/admin/blocked-digests', {
        sha256: i.toString(16).padStart(64, 'c'),
        reason: i === 0 ? '<b>first</b>' : '',
      });
    const first = await listOf('/store/review/blocked');
    expect([first.rows, first.html]).toEqual([20, expect.stringContaining('23 in total, page 1 of 2')]);
    expect(first.html).toContain('href="/store/review/blocked?page=2"');
    expect(first.html).toContain('href="/store/review/blocked?size=50"');
    expect(first.html).toContain('href="/store/review/blocked?export=list" download');
    const all = await listOf('/store/review/blocked?size=50');
    expect([all.rows, all.html]).toEqual([23, expect.stringContaining('&lt;b&gt;first&lt;/b&gt;')]);
    for (const typed of ['page=99', 'page=2&size=7', 'page=2&size=9999'])
      expect([typed, (await listOf(`/store/review/blocked?${typed}`)).rows]).toEqual([typed, 3]);
    for (const typed of ['page=-1', 'page=1e9', 'size=%00', 'sort=sha256'])
      expect([typed, (await listOf(`/store/review/blocked?${typed}`)).rows]).toEqual([typed, 20]);

    const people = await listOf('/store/review/users?keyword=dev&role=developer&status=zz');
    expect([people.rows, people.html]).toEqual([1, expect.stringContaining('name="keyword" value="dev"')]);
    expect(people.html).toContain('<option value="developer" selected>');
    const nobody = await listOf('/store/review/users?keyword=nobody-of-this-name');
    expect([nobody.rows, nobody.html]).toEqual([0, expect.stringContaining('No matches')]);
    expect(nobody.html).toMatch(/<a [^>]*href="\/store\/review\/users">Show all<\/a>/);
    expect((await listOf('/store/review/items?type=theme')).rows).toBe(1);
    const log = await listOf('/store/review/log?subject=item&subject_id=1');
    expect(log.html).toContain('Only entries about one subject.');
    expect([log.rows > 0, [...log.html.matchAll(/<a href="\/store\/review\/items\/1"/g)].length]).toEqual([true, log.rows]);
    const whole = await listOf('/store/review/log');
    for (const odd of ['subject_id=one', 'subject=no%20such', `subject=${'x'.repeat(99)}&subject_id=-1`]) {
      const { rows, html } = await listOf(`/store/review/log?${odd}`);
      expect([odd, rows, html.includes('Only entries about one subject.')]).toEqual([odd, whole.rows, false]);
    }
  });

  it('show rows with more than columns as cards, at unchanged addresses', async () => {
    for (let i = 0; i < 22; i++)
      await insertItem(store.database, { slug: `card-${i}`, authorId: developer.userId, category: '支付', price: 100 * i });
    const cards = async (query: string) => {
      const { html } = await listOf(`/store/${query}`);
      return {
        found: Number(/(\d+) in total/.exec(html)?.[1]),
        names: [...html.matchAll(/href="\/store\/plugin\/(card-\d+)"/g)].map(([, name]) => name),
        html,
      };
    };
    await expect.poll(async () => (await cards('?keyword=card-')).found).toBe(22);
    const category = encodeURIComponent('支付');
    const kept = `keyword=card-&type=plugin&category=${category}&min_price=1&max_price=2e1&sort=price&author_id=${developer.userId}`;
    const one = await cards(`?${kept}`);
    expect([one.found, one.names.slice(0, 2), one.names.length]).toEqual([20, ['card-1', 'card-2'], 20]);
    for (const [name, value] of Object.entries({ keyword: 'card-', min_price: '1', max_price: '20' }))
      expect(one.html).toMatch(new RegExp(`<input [^>]*name="${name}" value="${value}"`));
    for (const [value, text] of Object.entries({ plugin: 'Plugin', 支付: 'Payments \\(22\\)', price: 'Lowest price' }))
      expect(one.html).toMatch(new RegExp(`<option value="${value}" selected\\s*>${text}<`));
    expect(one.html).toContain(`<input type="hidden" name="author_id" value="${developer.userId}">`);
    expect(one.html).toContain('Only items by this author.');
    const second = await cards('?keyword=card-&sort=downloads&page=2');
    expect([second.names.length, second.html]).toEqual([2, expect.stringContaining('page 2 of 2')]);
    expect(second.html).toContain('href="/store/?keyword=card-&amp;sort=downloads"');
    expect((await cards('?keyword=card-&size=50')).names).toHaveLength(22);
    // As long as the API accepts them.
    expect((await cards(`?keyword=${'x'.repeat(201)}`)).html).toMatch(/name="keyword"\s+value="x{200}"\s+maxlength="200"/);
    const nobodys = await cards('?author_id=99999');
    expect([nobodys.found, nobodys.html]).toEqual([0, expect.stringContaining('No matches')]);
    expect(nobodys.html).not.toContain('The store is still empty');
    // An invalid id is ignored, without a message.
    for (const odd of ['', 'nonsense', '-1', '1e3', '9'.repeat(30)]) {
      const { found, html } = await cards(`?keyword=card-&author_id=${odd}`);
      expect([odd, found, html.includes('Only items by this author.')]).toEqual([odd, 22, false]);
      expect(html).not.toContain('name="author_id"');
    }
    // Nobody reads a whole public catalogue at once.
    expect(one.html).not.toContain('export=');

    const now = new Date();
    const [reports, edits] = [store.database.repository(StoreReport), store.database.repository(StoreEditRequest)];
    for (let i = 0; i < 22; i++) {
      await reports.insert({
        itemId: 1,
        reason: 'spam',
        text: `Report ${i}`,
        ip: '::1',
        status: i < 21 ? 'open' : 'closed',
        createdAt: now,
      });
      await edits.insert({
        itemId: 1,
        field: 'price',
        oldValue: '0',
        newValue: '9.90',
        status: i < 21 ? 'pending' : 'rejected',
        createdAt: now,
      });
    }
    for (const [path, act, states, waits, done] of [
      ['reports', 'close', ['open', 'closed'], 'open', 'closed'],
      ['edits', 'approve', ['pending', 'approved', 'rejected', 'superseded'], 'pending', 'rejected'],
    ] as const) {
      const formsOf = ({ html }: { html: string }): number =>
        [...html.matchAll(new RegExp(`action="/store/review/${path}/\\d+/${act}"`, 'g'))].length;
      const waiting = await listOf(`/store/review/${path}?status=${waits}`);
      expect([path, formsOf(waiting), waiting.html]).toEqual([path, 20, expect.stringContaining('21 in total, page 1 of 2')]);
      for (const state of states) expect(waiting.html).toContain(`<option value="${state}"`);
      expect(waiting.html).toContain(`href="/store/review/${path}?status=${waits}&amp;page=2"`);
      expect(formsOf(await listOf(`/store/review/${path}?status=${waits}&page=2`))).toBe(1);
      const ended = await listOf(`/store/review/${path}?status=${done}`);
      expect([formsOf(ended), ended.html]).toEqual([0, expect.stringContaining('1 in total')]);
    }
  });

  it('can be downloaded with all filtered rows, in the reader’s language, if they have columns', async () => {
    const fileOf = async (path: string, client = admin, language = 'en') => {
      const answer = await open(path, client, { 'accept-language': language });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
      return { name: answer.headers.get('content-disposition'), lines: text.split('\r\n').slice(0, -1), text };
    };
    const digests = store.database.repository(StoreBlockedDigest);
    for (let i = 0; i < 110; i++)
      await digests.insert({
        sha256: i.toString(16).padStart(64, 'd'),
        reason: i === 0 ? '=1+1' : '',
        createdBy: 1,
        createdAt: new Date(),
      });
    const blocked = await fileOf('/store/review/blocked?size=20&page=2&export=list');
    expect([blocked.name, blocked.lines.length]).toEqual(['attachment; filename="blocked.csv"', 1 + 23 + 110]);
    expect(blocked.lines[0]).toBe('\uFEFFSHA-256,Reason,Created');
    expect(blocked.text).toContain(",'=1+1,");
    expect(new Set(blocked.lines).size).toBe(blocked.lines.length);
    await digests.createQueryBuilder().delete().where("sha256 LIKE 'd%'").execute();

    const people = await fileOf('/store/review/users?keyword=boss&role=admin&export=list', admin, 'zh-CN');
    expect(people.lines[0]).toBe('\uFEFF用户名,邮箱,角色,状态,信任,注册时间');
    expect(people.lines.slice(1).map((line) => line.split(',').slice(0, 4))).toEqual([['boss', 'boss@example.com', '管理员', '正常']]);
    const reports = await fileOf('/store/review/reports?status=closed&export=list');
    expect(reports.lines.slice(1)).toEqual([expect.stringMatching(/^[^,]+Z,Closed,Plugin,[^,]+,Spam,Report 21,,::1$/)]);
    const edits = await fileOf('/store/review/edits?status=rejected&export=list');
    expect(edits.lines.slice(1)).toEqual([expect.stringMatching(/Z,Rejected,Plugin,[^,]+,Price \(¥\),0,9\.90,$/)]);
    expect((await fileOf('/store/developer/?export=list', developer)).lines.length).toBeGreaterThan(2);
    // Public lists have no exports, and exports require access to their page.
    for (const path of ['/store/?export=list', '/store/items/1?export=list'])
      expect((await open(path)).headers.get('content-type')).toBe('text/html; charset=utf-8');
    const other = await open('/store/review/users?export=list', developer);
    expect([other.status, other.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('act on rows with forms that need no script', async () => {
    const { html } = await listOf('/store/review/blocked?size=50');
    const forms = [...html.matchAll(/<form method="post" action="(\/store\/review\/blocked\/\d+\/unblock)"/g)].map(([, action]) => action!);
    expect(forms).toHaveLength(23);
    const headers = { cookie: admin.cookie, referer: `${store.url}/store/review/blocked?size=50` };
    const answer = await fetch(store.url + forms[0]!, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams() });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/store/review/blocked?size=50']);
    expect((await listOf('/store/review/blocked?size=50')).rows).toBe(22);
  });
});

describe('their files', () => {
  const files = () => store.provider(StoreFiles);

  it('are cached forever under an address that changes with them', async () => {
    for (const name of files().names) {
      const path = files().base + name;
      const answer = await open(path);
      const type = name.endsWith('.js')
        ? 'text/javascript; charset=utf-8'
        : name.endsWith('.css')
          ? 'text/css; charset=utf-8'
          : 'image/svg+xml';
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-encoding': 'gzip',
      });
      const etag = answer.headers.get('etag')!;
      expect((await open(path, visitor, { 'if-none-match': etag })).status).toBe(304);
      expect((await open(path, visitor, { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
      expect(await (await open(path, visitor, { 'accept-encoding': 'identity' })).text()).toBe(await answer.text());
    }
    expect(files().base).toMatch(/^\/store\/assets\/[0-9a-f]{16}\/$/);
  });

  it('are exactly those on the list, and nothing else in the folder or beyond it', async () => {
    const { base } = files();
    const tries = ['tsconfig.json', 'store.js.map', '', '..%2f..%2fpackage.json', '..%2fviews%2fitem.liquid', 'constructor', '__proto__'];
    for (const name of tries) expect([name, (await open(base + name)).status]).toEqual([name, 404]);
    expect((await open(`/store/assets/0000000000000000/store.js`)).status).toBe(404);
    // Paths that browsers would normalize.
    for (const path of [`${base}../store-files.js`, `${base}..\\store-files.js`, `${base}x/../../store-files.js`])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });

  it('have styles only for what is on a page', async () => {
    const read = (path: string): string => readFileSync(join(PACKAGE_ROOT, 'src', path), 'utf8');
    const selectors = read('web/browser/styles/store.css')
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/\{[^{}]*\}/g, '');
    const written = ['store', 'web/browser']
      .flatMap((part) =>
        readdirSync(join(PACKAGE_ROOT, 'src', part), { recursive: true, encoding: 'utf8' }).map((name) => `${part}/${name}`),
      )
      .filter((name) => /\.(ts|liquid)$/.test(name))
      .map(read)
      .join('\n');
    const names = new Set([...selectors.matchAll(/[.#]([a-z][\w-]*)/gi)].map(([, name]) => name!));
    const isOnAPage = (name: string): boolean =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(written) ||
      ['-${', '-{{'].some((place) => written.includes(name.replace(/-[a-z]+$/, place)));
    expect(names.size).toBeGreaterThan(50);
    expect([...names].filter((name) => !isOnAPage(name))).toEqual([]);
  });

  it('import only each other, and a page lists all of its own', async () => {
    const { names, base } = files();
    for (const name of names.filter((one) => one.endsWith('.js'))) {
      const source = await (await open(base + name)).text();
      for (const [, target] of source.matchAll(/^import .*?from '([^']+)'/gm)) {
        const resolved = posix.join(posix.dirname(name), target!);
        expect(names, `${name} imports ${target}`).toContain(resolved);
      }
    }
    for (const { path } of STORE_PAGES) {
      const html = await (await open(addressOf(path, admin), admin)).text();
      for (const [, href] of html.matchAll(/(?:src|href)="(\/store\/assets\/[^"]+)"/g)) expect(names).toContain(href!.slice(base.length));
    }
  });
});

describe('their texts', () => {
  const folder = join(PACKAGE_ROOT, 'src/store/web');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|ts|liquid)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  /** The start of a composed key, such as `status.`. */
  const beginnings = [
    ...sources.matchAll(/(?:\bt\(|texts\[|: )[^\n]*?`([a-z_]+\.(?:[a-z_]+_)?)\$\{/g),
    ...sources.matchAll(/'([a-z_]+\.(?:[a-z_]+_)?)' \| append: /g),
    ...sources.matchAll(/`storePages\.([a-z_]+\.)\$\{/g),
    // Error pages have a title and a text.
    ...sources.matchAll(/'storePages\.([a-z_]+)',$/gm),
  ].map(([, beginning]) => beginning!);
  const named = [
    ...sources.matchAll(/(?:\bt\([^`)]*?|text: )'([a-z_]+\.[\w.]+)'/g),
    ...sources.matchAll(/'([a-z_]+\.[\w.]+)' \| t\b/g),
    ...sources.matchAll(/(?:label|name|title|empty|hint|nothing|none|narrowed|confirm): '([a-z_]+\.[\w.]+)'/g),
    ...sources.matchAll(/'storePages\.([a-z_]+\.[\w.]+)'/g),
  ].map(([, key]) => key!);

  it('exist in every language for every key the pages use', () => {
    expect(named.length).toBeGreaterThan(200);
    for (const locale of LOCALES) {
      const keys = Object.keys(PAGE_TEXTS[locale]);
      expect(named.filter((key) => !keys.includes(key) && !keys.includes(`${key}.other`))).toEqual([]);
      expect(beginnings.filter((beginning) => !keys.some((key) => key.startsWith(beginning)))).toEqual([]);
      for (const { title, menu } of STORE_PAGES) expect(keys).toEqual(expect.arrayContaining([title, ...(menu ? [menu.title] : [])]));
      expect(Object.entries(PAGE_TEXTS[locale]).filter(([, text]) => text.trim() === '')).toEqual([]);
    }
    expect(Object.keys(PAGE_TEXTS.en)).toEqual(Object.keys(PAGE_TEXTS['zh-CN']));
  });

  it('have a word for everything the API returns', () => {
    const api = readdirSync(join(PACKAGE_ROOT, 'src/store'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(PACKAGE_ROOT, 'src/store', name), 'utf8'))
      .join('\n');
    const actions = [
      ...new Set(
        [
          ...api.matchAll(/'((?:item|edit|user|report|digest)\.(?:approve|reject|[a-z]+))',\s*subject/g),
          ...api.matchAll(/'(edit\.[a-z]+)'/g),
        ].map(([, action]) => action!),
      ),
    ];
    expect(actions.length).toBeGreaterThan(8);
    const words = [
      ...actions.map((action) => `action.${action}`),
      ...REPORT_REASONS.map((reason) => `reason.${reason}`),
      ...EDIT_FIELDS.map((field) => `field.${field}`),
      ...['pending', 'approved', 'rejected', 'suspended', 'superseded', 'open', 'closed', 'active', 'banned'].map(
        (status) => `status.${status}`,
      ),
      ...['danger', 'warning', 'info'].map((severity) => `severity.${severity}`),
      ...['pending', 'approved', 'rejected', 'suspended'].flatMap((status) => [`own.explain_${status}`, `review_item.settled_${status}`]),
      ...['pending', 'approved', 'suspended'].map((status) => `review_item.waiting_${status}`),
      ...['pending', 'rejected', 'suspended'].map((status) => `item.not_public_${status}`),
    ];
    expect(words.filter((key) => !(key in PAGE_TEXTS.en))).toEqual([]);
    // The filter of the log offers each of them.
    for (const action of actions) expect(AUDIT_ACTIONS).toContain(action);
    expect(AUDIT_ACTIONS.filter((action) => !(`action.${action}` in PAGE_TEXTS.en))).toEqual([]);
  });

  it('describe every possible value of a log entry', async () => {
    const { components } = (await (await fetch(`${store.url}/api/docs/openapi.json`)).json()) as {
      components: { schemas: { AuditDetail: { properties: object } } };
    };
    const parts = readFileSync(join(folder, 'audit-view.ts'), 'utf8');
    for (const name of Object.keys(components.schemas.AuditDetail.properties)) expect(parts).toMatch(new RegExp(`^  ${name}: `, 'm'));
  });

  it('have the same placeholders in every language, and no unused ones', () => {
    const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place!).sort();
    for (const [key, text] of Object.entries(PAGE_TEXTS.en))
      expect([key, ...places(text)]).toEqual([key, ...places(PAGE_TEXTS['zh-CN'][key]!)]);
    const unused = Object.keys(PAGE_TEXTS.en).filter(
      (key) =>
        !['', 'storePages.'].some((prefix) => sources.includes(`'${prefix}${key.replace(/\.(one|other)$/, '')}'`)) &&
        !beginnings.some((beginning) => key.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
  });
});
