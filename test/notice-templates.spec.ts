import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { BackgroundQueue } from '../src/jobs/index.js';
import { NoticeTemplate, NoticeTexts, Notices } from '../src/notify/index.js';
import { mailHtml, textAsHtml } from '../src/notify/sending/mail-html.js';
import { renderText } from '../src/theme/index.js';

import { startMailServer, type TestMailServer } from './support/mail-server.js';
import { TestPanel, type AjaxAnswer } from './support/panel.js';

let panel: TestPanel;
let server: TestMailServer;
let cookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  server = await startMailServer();
  await panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test' });
  await panel.admin('setwz', { name: 'Sail & Co' });
  cookie = await panel.signInUser('owner01');
  await panel.get(Database).repository(HostingAccount).update({ username: 'owner01' }, { email: 'one@mail.test' });
});
afterAll(async () => {
  await panel.close();
  await server.close();
});

const DOWN = 'monitor.notice.down';
let told = 0;
const notify = (name = 'shop') =>
  panel.get(Notices).send({
    to: { account: 'owner01' },
    kind: 'monitor',
    level: 'warning',
    key: `down-${++told}`,
    title: { key: DOWN, params: { name } },
    text: { key: 'monitor.notice.down_text', params: { what: name, error: { key: 'monitor.problem.failed' } } },
    link: '/user/monitors',
  });
const save = (fields: Record<string, string>): Promise<AjaxAnswer> => panel.admin('mbbc', { key: DOWN, lang: 'zh-CN', ...fields });
const stateOf = async (lang: string) =>
  ((await panel.admin('listmb')).rows as unknown as { key: string; lang: string; zt: string; cw: string }[]).find(
    (row) => row.key === DOWN && row.lang === lang,
  )!;
async function newestOf(language: string): Promise<{ title: string; content: string }> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'listwdtz' }),
    headers: { Cookie: `${cookie}; lang=${language}` },
  });
  return ((await response.json()) as { rows: { title: string; content: string }[] }).rows[0]!;
}
/** The parts of the newest email, decoded. */
async function newestMail(): Promise<{ subject: string; text: string; html: string; raw: string }> {
  await panel.get(BackgroundQueue).idle();
  const raw = server.mails.at(-1)!.text;
  const part = (type: string): string => {
    const found = new RegExp(`Content-Type: text/${type}[^]*?\\r\\n\\r\\n([^]*?)\\r\\n--`, 'i').exec(raw)!;
    const encoding = /Content-Transfer-Encoding: (\S+)/i.exec(found[0])![1];
    if (encoding === 'base64') return Buffer.from(found[1]!, 'base64').toString();
    const bytes = found[1]!.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    return encoding === 'quoted-printable' ? Buffer.from(bytes, 'latin1').toString() : found[1]!;
  };
  return { subject: /^Subject: (.*)$/m.exec(raw)![1]!, text: part('plain'), html: part('html'), raw };
}

describe('a notice with an administrator’s texts', () => {
  it('uses them in the panel and by email, in each language', async () => {
    expect(await stateOf('zh-CN')).toMatchObject({ zt: 'builtin', cw: '' });
    expect(await save({ title: '{{ name }} is down!', body: '**Look** at {{ what }} now.\n\n{{ text }} {{ site }}' })).toMatchObject({
      success: true,
    });
    expect(await stateOf('zh-CN')).toMatchObject({ zt: 'own' });
    expect(await stateOf('en')).toMatchObject({ zt: 'builtin' });
    await notify();
    expect((await newestOf('zh-CN')).title).toBe('shop is down!');
    expect((await newestOf('zh-CN')).content).toMatch(/^\*\*Look\*\* at shop now\.\n\nshop.*Sail & Co$/s);
    expect((await newestOf('en')).title).toBe('Down: shop');
    const { text, html, raw } = await newestMail();
    expect(raw).toMatch(/Content-Type: multipart\/alternative/);
    expect(raw).toMatch(/^List-Unsubscribe:/m);
    expect(text).toContain('**Look** at shop now.');
    expect(html).toContain('<strong>Look</strong> at shop now.');
    expect(html).toContain('Sail &amp; Co');
    expect(html).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/notices\/mail\?t=/);
    expect(html).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/user\/monitors"/);
  });

  it('shows values typed by others as text, and loads nothing from elsewhere', async () => {
    await save({ title: '{{ name }}', body: '![pixel](https://evil.test/p.png) <img src="https://evil.test/q"> {{ what }}' });
    await notify('[here](https://evil.test/) <b>x</b> **y** https://evil.test/z');
    const { html, text } = await newestMail();
    expect(html).not.toMatch(/<img|<script|<link|url\(|<b>|<strong>/);
    expect(html).not.toMatch(/href="[^"]*evil/);
    expect(html).toContain('[here](https://evil.test/)');
    expect(text).toContain('[here](https://evil.test/) <b>x</b>');
    // Built-in texts are text, and nothing else.
    await save({});
    expect(await stateOf('zh-CN')).toMatchObject({ zt: 'builtin' });
    await notify('<i>[a](https://evil.test/)</i>');
    const plain = await newestMail();
    expect(plain.html).toContain('&lt;i&gt;[a](https://evil.test/)&lt;/i&gt;');
    expect(plain.html).not.toMatch(/href="[^"]*evil/);
  });

  it('is previewed with the latest notice, or with an example', async () => {
    await notify('latest-shop');
    const preview = (key: string, body = '*{{ what }}*') => panel.admin('mbyl', { key, lang: 'en', title: '{{ name }}', body });
    expect(await preview(DOWN)).toMatchObject({ title: 'latest-shop', text: '*latest-shop*', html: '<p><em>latest-shop</em></p>\n' });
    expect(await preview('monitor.notice.up')).toMatchObject({ title: 'example.com', text: '*https://example.com/*' });
  });

  it.each([
    ['no title', { title: '', body: 'x' }, 'title'],
    ['no body', { title: 'x', body: ' ' }, 'body'],
    ['what does not parse', { title: 'x', body: '{% if %}' }, 'body'],
    ['a name without a value', { title: '{{ nmae }}', body: 'x' }, 'title'],
    ['a filter that is none', { title: 'x', body: '{{ name | nothing }}' }, 'body'],
    ['raw output', { title: 'x', body: '{{ name | raw }}' }, 'body'],
    ['files', { title: 'x', body: "{% include '/etc/passwd' %}" }, 'body'],
    ['endless loops', { title: 'x', body: '{% for a in (1..99999999) %}{{ a }}{% endfor %}' }, 'body'],
    ['a notice that does not exist', { key: 'common.minutes', title: 'x', body: 'y' }, 'key'],
  ])('rejects %s by name', async (_, fields, field) => {
    const refused = await save(fields);
    expect(refused.success).toBe(false);
    expect(Object.keys(refused.fields ?? {})).toEqual([field]);
    expect(await stateOf('zh-CN')).toMatchObject({ zt: 'builtin' });
  });

  it('falls back to the built-in texts when it is broken since, and says so', async () => {
    await save({ title: '{{ name }}', body: 'works' });
    const rows = panel.get(Database).repository(NoticeTemplate);
    await rows.update({ key: DOWN }, { body: '{{ name | gone }}' });
    await panel.get(NoticeTexts).reload();
    await notify('broken-shop');
    expect((await newestOf('zh-CN')).content).not.toContain('works');
    await expect.poll(async () => (await stateOf('zh-CN')).zt).toBe('broken');
    expect((await stateOf('zh-CN')).cw).toContain('gone');
    const page = await (
      await panel.adminFetch(`/admin/notice-template?key=${DOWN}&in=zh-CN`, { headers: { 'Accept-Language': 'en' } })
    ).text();
    expect(page).toContain('undefined filter: gone');
    await save({ title: '{{ name }}', body: 'mended' });
    await notify('mended-shop');
    expect((await newestOf('zh-CN')).content).toBe('mended');
  });

  it('is changed by one person at a time', async () => {
    const form = await (await panel.adminFetch(`/admin/notice-template?key=${DOWN}&in=en`)).text();
    const row_version = /name="row_version" value="([^"]+)"/.exec(form)![1]!;
    expect(await save({ lang: 'en', title: 'A', body: 'A', row_version })).toMatchObject({ success: true });
    expect(await save({ lang: 'en', title: 'B', body: 'B', row_version })).toMatchObject({ success: false });
    expect((await panel.adminFetch('/admin/notice-template?key=nothing&in=en')).status).toBe(404);
  });
});

it('several in one email have their own titles and times', () => {
  const section = { heading: '<one>', time: '2026-01-01 00:00:00', html: textAsHtml('a\n<b>'), link: '' };
  const html = mailHtml({
    locale: 'en',
    site: 'S',
    subject: 'two',
    sections: [section, { ...section, heading: 'two' }],
    open: 'Open',
    footer: 'F',
  });
  expect(html.match(/2026-01-01/g)).toHaveLength(2);
  expect(html).toContain('&lt;one&gt;');
  expect(html).toContain('a\n&lt;b&gt;');
});

it('a template can access only its values', () => {
  expect(renderText('{{ a.constructor }}{{ a.length }}{{ constructor }}', { a: 'text' })).toBe('4');
  expect(renderText('{{ a }}', { a: '<b>`*' }, 'markdown')).toBe('&#60;b&#62;&#96;&#42;');
});
