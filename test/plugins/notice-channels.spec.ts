/** Kinds of notice channels from plugins. Source: docs/plugin-api.md "Notice channels". */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { CallDeadlines, Faults, PACKAGE_ROOT } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { BackgroundQueue, type TaskTurn } from '../../src/jobs/index.js';
import { NoticeChannel, NoticeDelivery, Notices } from '../../src/notify/index.js';
import { DeliveryWorker } from '../../src/notify/sending/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { serveHttp, type LoopbackServer } from '../support/loopback-server.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { tidyHtml } from '../support/tidy-html.js';

type Saved = AjaxAnswer & { id: number };
interface Heard {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

let panel: TestPanel;
let server: LoopbackServer;
let base: string;
let heard: Heard[] = [];
let status = 200;

/** Returns the example of the documentation, verbatim. */
function example(): string {
  const docs = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-api.md'), 'utf8');
  return /```js\n([^]*?)```/.exec(docs.slice(docs.indexOf('## Notice channels')))![1]!;
}

beforeAll(async () => {
  server = await serveHttp((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const raw = Buffer.concat(parts).toString();
      heard.push({ path: req.url!, authorization: req.headers.authorization, body: raw ? (JSON.parse(raw) as Heard['body']) : {} });
      res.writeHead(status).end('ok');
    });
  });
  base = `http://127.0.0.1:${server.port}`;
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  panel.get(RuntimeLimits).drain = 20;
  const lang = (title: string) =>
    JSON.stringify({ channel: title, channel_help: 'Ask Pager for a token', server: 'Server', token: 'Token', loud: 'Loud' });
  writePlugin(panel.dataDir, 'pager', {
    files: { 'index.js': example(), 'lang/en.json': lang('Pager'), 'lang/zh-CN.json': lang('寻呼机') },
  });
  await panel.enable('pager');
});
afterAll(async () => {
  await panel.close();
  await server.close();
});
beforeEach(async () => {
  heard = [];
  status = 200;
  // Deletes the rows instead of clearing the tables, which would restart the ids that tasks in the queue refer to.
  for (const entity of [NoticeChannel, NoticeDelivery])
    await panel.get(Database).repository<object>(entity).createQueryBuilder().delete().execute();
});

const fieldsOf = (cs: Record<string, string>) => Object.fromEntries(Object.entries(cs).map(([name, value]) => [`cs[${name}]`, value]));
const save = async (lx: string, cs: Record<string, string> = {}, more: Record<string, string> = {}): Promise<Saved> =>
  (await panel.admin('tdbc', { lx, name: `my ${lx}`, ...fieldsOf(cs), ...more })) as Saved;
const test = ({ id }: Saved) => panel.admin('tdcs', { id: String(id) });
const english = async (path: string) =>
  (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en', Cookie: `${panel.adminCookie}; lang=en` } })).text();
const rows = async () => (await panel.admin('listtd')).rows as unknown as Record<string, string>[];

let notices = 0;
async function tell(text = 'a text'): Promise<void> {
  await panel.get(Notices).send({
    to: 'administrators',
    kind: 'system',
    level: 'danger',
    key: `of-plugin-${(notices += 1)}`,
    title: { key: 'A title' },
    text: { key: text },
  });
  await panel.get(BackgroundQueue).idle();
}
const delivery = async (): Promise<NoticeDelivery> =>
  (
    await panel
      .get(Database)
      .repository(NoticeDelivery)
      .find({ order: { id: 'DESC' }, take: 1 })
  )[0]!;
const turn = (attempt: number): TaskTurn => ({ id: '1', attempt, signal: new AbortController().signal, progress: () => undefined });
/** Retries the delivery, as the queue does after a pause. */
const again = async (attempt = 2): Promise<unknown> => {
  const { id } = await delivery();
  return panel
    .get(DeliveryWorker)
    .deliver({ id }, turn(attempt))
    .catch(() => undefined);
};

describe('a plugin’s kind of channel', () => {
  it('is offered on both sides in the viewer’s language, with a form of its fields', async () => {
    for (const path of ['/admin/channels', '/admin/channel?type=pager:pager']) expect(await english(path)).toContain('Pager');
    expect(await (await panel.adminFetch('/admin/channels')).text()).toContain('寻呼机');
    const form = tidyHtml(await english('/admin/channel?type=pager:pager'));
    for (const words of [
      'Ask Pager for a token',
      'name="cs[server]"',
      'type="password"',
      'type="checkbox" id="channel-loud" name="cs[loud]"',
    ])
      expect(form).toContain(words);
    const cookie = await panel.signInUser('pager001');
    expect(await (await panel.fetch('/user/channels', { headers: { Cookie: cookie } })).text()).toContain('寻呼机');
    expect((await panel.fetch('/user/channel?type=pager:pager', { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await panel.fetch('/user/channel?type=pager:none', { headers: { Cookie: cookie } })).status).toBe(404);
  });

  it('sends as documented, protects its secrets, and reports the response readably', async () => {
    const saved = await save('pager:pager', { server: base, token: 'tok/secret+1', loud: 'true' });
    expect(saved).toMatchObject({ success: true });
    expect(await test(saved)).toMatchObject({ success: true });
    expect(heard).toMatchObject([{ path: '/me', authorization: 'Bearer tok/secret+1' }]);
    await tell();
    expect(heard[1]).toMatchObject({ path: '/send', body: { id: String((await delivery()).id), text: 'A title\na text\n', loud: true } });
    expect(await delivery()).toMatchObject({ state: 'sent', target: 'my pager:pager', error: null });
    const row = await panel.get(Database).repository(NoticeChannel).findOneByOrFail({ id: saved.id });
    expect(row).toMatchObject({ plugin: 'pager', type: 'pager', settings: expect.stringMatching(/^sealed:1:/) as string });
    expect((await rows())[0]).toMatchObject({ lx: 'pager:pager', lxmc: '寻呼机', cs: { server: base, loud: 'true' }, bz: '' });
    for (const shown of [
      JSON.stringify(await rows()),
      await english(`/admin/channel?id=${saved.id}`),
      JSON.stringify(await panel.admin('listlog')),
    ])
      expect(shown).not.toContain('tok/secret');
    await panel.admin('tdbc', { id: String(saved.id), name: 'renamed', ...fieldsOf({ server: base, token: '', loud: 'false' }) });
    status = 401;
    await tell();
    expect(heard[2]).toMatchObject({ authorization: 'Bearer tok/secret+1', body: { loud: true } });
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      error: { key: 'notify.channel_refused', params: { reply: 'The token is not right.' } },
    });
    status = 200;
    await again();
    expect(await delivery()).toMatchObject({ state: 'sent', attempts: 2, error: null });
  });

  it('needs its secrets entered again when its destination is changed', async () => {
    const saved = await save('pager:pager', { server: base, token: 'tok-secret-1' });
    const change = (cs: Record<string, string>, id = saved.id) => panel.admin('tdbc', { id: String(id), name: 'mine', ...fieldsOf(cs) });
    for (const elsewhere of [`${base}/mine`, 'http://evil.test', ` ${base}x `])
      expect((await change({ server: elsewhere, token: '' })).fields).toEqual({ 'cs[token]': expect.any(String) as string });
    expect(await test(saved)).toMatchObject({ success: true });
    expect(heard).toMatchObject([{ path: '/me', authorization: 'Bearer tok-secret-1' }]);
    expect(await change({ server: ` ${base} `, token: '', loud: 'true' })).toMatchObject({ success: true });
    expect(await change({ server: `${base}/mine`, token: 'another-one' })).toMatchObject({ success: true });
    await test(saved);
    expect(heard[1]).toMatchObject({ path: '/mine/me', authorization: 'Bearer another-one' });
    await panel.admin('tdsc', { id: String(saved.id) });
    // Changing any field requires the secrets again, whatever its name and type, because the panel does not know how the plugin uses it,
    // unless the plugin declares that.
    const kinds = "['text', 'textarea', 'number', 'switch', 'select', 'password'].map((type) => ({ key: type, label: type, type,";
    const fields = `${kinds} options: ['a', 'b'].map((value) => ({ value, label: value })) }))`;
    const typed = { text: 'a', textarea: 'a', number: '1', switch: 'true', select: 'a', password: 'first', second: 'other' };
    await hostile('() => {}', `[...${fields}, { key: 'second', label: 'S', type: 'password' }]`);
    const { id } = await save('hostile:x', typed);
    const kept = { ...typed, password: '', second: '' };
    const again = async (changed: Record<string, string>) => Object.keys((await change({ ...kept, ...changed }, id)).fields ?? {}).sort();
    const changes: Record<string, string>[] = [{ text: 'b' }, { textarea: '' }, { number: '2' }, { switch: 'false' }, { select: 'b' }];
    for (const changed of changes) expect([changed, await again(changed)]).toEqual([changed, ['cs[password]', 'cs[second]']]);
    expect(await again({ password: 'https://evil.test' })).toEqual(['cs[second]']);
    expect(await again({ password: 'first' })).toEqual([]);
    await hostile('() => {}', `[...${fields.replace('type,', 'type, target: false,')}, { key: 'second', label: 'S', type: 'password' }]`);
    expect(await again({ text: 'b', textarea: '', number: '2', switch: 'false', select: 'b', password: 'second' })).toEqual([]);
    expect(await again({ second: 'https://evil.test' })).toEqual(['cs[password]']);
  });

  it('is refused at the invalid field', async () => {
    const wrong = async (cs: Record<string, string>) => Object.keys((await save('pager:pager', cs)).fields ?? {});
    expect(await wrong({})).toEqual(['cs[server]', 'cs[token]']);
    expect(await wrong({ server: base, token: 'x', loud: 'maybe' })).toEqual(['cs[loud]']);
    expect(await wrong({ server: 'a\u0007', token: 'x'.repeat(1_001) })).toEqual(['cs[server]', 'cs[token]']);
    expect(await wrong({ server: base, token: 'x', ['__proto__']: 'y' })).toEqual(['cs[__proto__]']);
    expect(Object.keys((await save('pager:none')).fields ?? {})).toEqual(['lx']);
    expect(await rows()).toEqual([]);
  });

  it('keeps its settings while the plugin is disabled: says so, holds messages, and resumes when it is enabled', async () => {
    const saved = await save('pager:pager', { server: base, token: 'kept-secret' });
    await panel.disable('pager');
    expect(await english('/admin/channels')).toContain('The plugin “pager” that provides this channel is disabled.');
    const form = await english(`/admin/channel?id=${saved.id}`);
    expect([form.includes('that provides this channel is disabled'), form.includes('name="cs[')]).toEqual([true, false]);
    expect(await test(saved)).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await save('pager:pager', { server: base, token: 'x' })).toMatchObject({
      success: false,
      fields: { lx: expect.any(String) as string },
    });
    expect(await panel.admin('tdbc', { id: String(saved.id), name: 'while off', ...fieldsOf({ token: 'other' }) })).toMatchObject({
      err: 'E_STATE',
    });
    expect(await panel.admin('tdbc', { id: String(saved.id), name: 'while off' })).toMatchObject({ success: true });
    await tell();
    expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 1, error: { key: 'notify.channel_plugin_off' } });
    await again(31);
    expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 2 });
    await again(32);
    expect(await delivery()).toMatchObject({ state: 'failed', attempts: 3 });
    expect(await english('/admin/deliveries')).toMatch(/data-ajax="tdcf"/);
    await panel.tryEnable('pager');
    expect(await panel.admin('tdcf', { id: String((await delivery()).id) })).toMatchObject({ success: true });
    await again(1);
    expect(heard).toMatchObject([{ path: '/send', authorization: 'Bearer kept-secret' }]);
    expect(await delivery()).toMatchObject({ state: 'sent', target: 'while off' });
    expect((await rows())[0]).toMatchObject({ name: 'while off', bz: '' });
  });
});

/** Returns a plugin with the channel kind `x`, which has a secret. */
const channelPlugin = (send: string, fields = "[{ key: 'secret', label: 'Secret', type: 'password', required: true }]", more = '') =>
  functionPlugin(`svc.svc_register_notice_channel('x', { title: 'X', fields: ${fields}, send: ${send}, ${more} });`);
async function hostile(...parts: Parameters<typeof channelPlugin>): Promise<void> {
  await panel.disable('hostile');
  writePlugin(panel.dataDir, 'hostile', channelPlugin(...parts));
  await panel.enable('hostile');
}
const SECRET = 'hunter2-öü';

describe('how a plugin handles a message', () => {
  it.each([
    ['throws', "() => { throw new Error('no ' + 'route'); }", /no route/],
    ['rejects', "async () => { throw new TypeError('later'); }", /later/],
    ['throws a text', "() => { throw 'only text'; }", /only text/],
    ['throws nothing', '() => { throw undefined; }', /undefined/],
    ['throws a symbol', "() => { throw Symbol('odd'); }", /odd/],
    ['throws what is no error', '() => { throw Object.create(null); }', /a value that is not an error/],
    [
      'throws what does not like to be asked',
      "() => { throw { toString() { throw new Error('never'); } }; }",
      /a value that is not an error/,
    ],
    ['throws 10 MB', "() => { throw new Error('x'.repeat(10_000_000)); }", /^x{300}$/],
    ['answers no', '() => false', /send returned a value/],
    ['answers an answer', "async () => ({ ok: false, code: 500, body: 'x'.repeat(10_000_000) })", /send returned a value/],
    ['answers a thenable that fails', "() => ({ then: (_, no) => no(new Error('thenable')) })", /thenable/],
    ['tells its secret', "(m, s) => { throw new Error('https://x/?k=' + encodeURIComponent(s.secret) + '#' + s.secret); }", /k=••••#••••$/],
  ])('%s: the message waits, and the reason is shown', async (_what, send, said) => {
    await hostile(send);
    const saved = await save('hostile:x', { secret: SECRET });
    await tell();
    const { state, error } = await delivery();
    expect(state).toBe('waiting');
    expect(String(error!.params!.reply)).toMatch(said);
    expect(String(error!.params!.reply).length).toBeLessThanOrEqual(300);
    expect(await test(saved)).toMatchObject({ success: false, err: 'E_UNREACH' });
    expect(await panel.row('hostile')).toMatchObject({ status: 'active', error: expect.stringContaining('通知渠道 x') as string });
    expect(JSON.stringify(panel.get(Faults).last('hostile'))).not.toContain(SECRET);
  });

  it('never settles: it is aborted, and a late result is ignored', async () => {
    const deadlines = panel.get(CallDeadlines);
    const { channel } = deadlines;
    Object.assign(deadlines, { channel: 40 });
    try {
      await hostile(
        '(m, s, ctx) => new Promise((done) => ctx.signal.addEventListener("abort", () => { globalThis.toldToStop = true; done(); }))',
      );
      await save('hostile:x', { secret: SECRET });
      await tell();
      expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 1, error: { key: 'notify.channel_plugin_silent' } });
      await expect.poll(() => (globalThis as { toldToStop?: boolean }).toldToStop).toBe(true);
      expect(await delivery()).toMatchObject({ state: 'waiting', attempts: 1 });
    } finally {
      Object.assign(deadlines, { channel });
    }
  });

  it('receives copies, and no more text than documented', async () => {
    await hostile(
      '(m, s) => { globalThis.gotten = { length: m.text.length, at: m.at instanceof Date, secret: s.secret }; ' +
        "m.title = 'changed'; s.secret = 'changed'; m.at.setTime(0); }",
    );
    const saved = await save('hostile:x', { secret: SECRET });
    await tell('long '.repeat(10_000));
    const gotten = () => (globalThis as { gotten?: object }).gotten;
    expect(gotten()).toEqual({ length: expect.any(Number) as number, at: true, secret: SECRET });
    expect((gotten() as { length: number }).length).toBeLessThanOrEqual(20_000);
    expect(await test(saved)).toMatchObject({ success: true });
    expect(gotten()).toMatchObject({ secret: SECRET });
  });

  it('is disabled in the middle of sending: aborted, and nothing is lost', async () => {
    await hostile(
      '(m, s, ctx) => new Promise((done, no) => { globalThis.inTheMiddle = true; ' +
        'ctx.signal.addEventListener("abort", () => no(new Error("stopped"))); })',
    );
    await save('hostile:x', { secret: SECRET });
    const told = tell();
    await expect.poll(() => (globalThis as { inTheMiddle?: boolean }).inTheMiddle).toBe(true);
    await panel.disable('hostile');
    await told;
    expect(await delivery()).toMatchObject({ state: 'waiting', error: { key: 'notify.channel_refused', params: { reply: 'stopped' } } });
    await hostile('() => {}');
    await again();
    expect(await delivery()).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('has other fields in a newer version: missing ones are reported until they are filled in', async () => {
    await hostile('() => {}');
    const saved = await save('hostile:x', { secret: SECRET });
    const fields =
      "[{ key: 'secret', label: 'Secret', type: 'password' }, { key: 'constructor', label: 'Region', type: " +
      "'select', options: [{ value: 'eu', label: 'EU' }], required: true }]";
    await hostile('(m, s) => { globalThis.newer = s; }', fields);
    expect(await test(saved)).toMatchObject({ success: false, err: 'E_STATE', code: expect.stringContaining('Region') as string });
    expect((await rows())[0]!.bz).toContain('Region');
    await tell();
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      error: { key: 'notify.channel_fields_lack', params: { fields: 'Region' } },
    });
    const fill = (cs: Record<string, string>) => panel.admin('tdbc', { id: String(saved.id), name: 'x', ...fieldsOf(cs) });
    expect(Object.keys((await fill({ constructor: 'eu' })).fields ?? {})).toEqual(['cs[secret]']);
    expect(await fill({ secret: SECRET, constructor: 'eu' })).toMatchObject({ success: true });
    await again();
    expect(await delivery()).toMatchObject({ state: 'sent' });
    expect((globalThis as { newer?: object }).newer).toEqual({ secret: SECRET, constructor: 'eu' });
  });
});

describe('the name of a kind', () => {
  it('belongs to its plugin only: other plugins and the panel do not conflict with it', async () => {
    await hostile('() => { globalThis.ofHostile = true; }', '[]');
    writePlugin(
      panel.dataDir,
      'second',
      functionPlugin(`
      svc.svc_register_notice_channel('x', { title: 'X of second', fields: [], send: () => { globalThis.ofSecond = true; } });
      svc.svc_register_notice_channel('webhook', { title: 'Webhook of second', fields: [], send: () => {} });
    `),
    );
    await panel.enable('second');
    expect(await test(await save('second:x'))).toMatchObject({ success: true });
    expect([(globalThis as { ofSecond?: boolean }).ofSecond, (globalThis as { ofHostile?: boolean }).ofHostile]).toEqual([true, undefined]);
    expect(Object.keys((await save('webhook')).fields ?? {})).toEqual(['cs[url]', 'cs[secret]']);
    expect(await save('second:webhook')).toMatchObject({ success: true });
    await panel.disable('second');
    expect(panel.registrations('second')).toEqual({});
  });

  const ok = "{ title: 'X', fields: [], send: () => {} }";
  it.each([
    [`svc.svc_register_notice_channel('x', ${ok}); svc.svc_register_notice_channel('x', ${ok});`, /already registered/],
    [`svc.svc_register_notice_channel('x:y', ${ok});`, /kind/],
    [`svc.svc_register_notice_channel('', ${ok});`, /kind/],
    ["svc.svc_register_notice_channel('x');", /record/],
    ["svc.svc_register_notice_channel('x', { fields: [], send: () => {} });", /title/],
    ["svc.svc_register_notice_channel('x', { title: 'X', fields: [] });", /send/],
    ["svc.svc_register_notice_channel('x', { title: 'X', fields: [], send: () => {}, test: 1 });", /test/],
    ["svc.svc_register_notice_channel('x', { title: 'X', fields: [{ key: 'a b', label: 'A', type: 'text' }], send: () => {} });", /key/],
    ["svc.svc_register_notice_channel('x', { title: 'X', fields: [{ key: 'a', label: 'A', type: 'file' }], send: () => {} });", /type/],
    [
      "svc.svc_register_notice_channel('x', { title: 'X', fields: [{ key: 'a', label: 'A', type: 'text', required: " +
        '1 }], send: () => {} });',
      /required/,
    ],
    [
      "svc.svc_register_notice_channel('x', { title: 'X', fields: [{ key: 'a', label: 'A', type: 'text', target: " +
        "'no' }], send: () => {} });",
      /target/,
    ],
    [
      "svc.svc_register_notice_channel('x', { title: 'X', fields: Array(13).fill({ key: 'a', label: 'A', type: " +
        "'text' }), send: () => {} });",
      /12/,
    ],
  ])('%s is refused, and leaves nothing behind', async (body, reason) => {
    writePlugin(panel.dataDir, 'refused', functionPlugin(body));
    await panel.admin('plugin_install', { slug: 'refused' });
    const { success } = await panel.tryEnable('refused');
    expect([success, panel.registrations('refused')]).toEqual([false, {}]);
    expect((await panel.row('refused'))!.error).toMatch(reason);
  });
});

it('a user signed in on both sides sees the channels of each side there', async () => {
  const cookie = `${panel.adminCookie}; ${await panel.signInUser('bothsides')}`;
  const user = async (gn: string, fields: Record<string, string> = {}) =>
    (await (
      await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { Cookie: cookie } })
    ).json()) as Saved;
  await save('pager:pager', { server: base, token: 'x' });
  expect((await user('listtd')).rows).toEqual([]);
  expect(await user('tdbc', { lx: 'pager:pager', name: 'mine', ...fieldsOf({ server: base, token: 'x' }) })).toMatchObject({
    success: true,
  });
  expect([(await rows()).length, (await user('listtd')).rows.length]).toEqual([1, 1]);
});
