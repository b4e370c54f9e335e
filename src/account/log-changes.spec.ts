/** Before and after in the operation log. Source: docs/panel-api.md "Operation log". */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { FakeDriver } from '../../test/support/fake-driver.js';
import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel, type AjaxAnswer } from '../../test/support/panel.js';
import { functionPlugin, writePlugin } from '../../test/support/plugins.js';
import { Database } from '../database/index.js';
import { SiteConfig } from '../site/entities/index.js';
import { DriverRegistry } from '../hosting/index.js';
import { AuditLog, OperationLog } from '../operations/index.js';

import { fieldsOf } from './log-changes.js';

let panel: TestPanel;
let hostId: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  hostId = String((await panel.admin('addzj', { user: 'logged01', pass: 'secret-pass-1', btdh: 'local', ll: '10' })).data.id);
  const fields = "[{ key: 'prefix', label: 'Prefix', type: 'text' }, { key: 'api_word', label: 'Word', type: 'password' }]";
  writePlugin(
    panel.dataDir,
    'tabbed',
    functionPlugin(`svc.svc_register_settings_tab('admin', { id: 'tabbed', title: 'T', fields: ${fields} });`),
  );
  await panel.enable('tabbed');
});
afterAll(() => panel.close());
let since = 0;
beforeEach(async () => {
  since = (await lines())[0]?.id ?? 0;
});

const lines = () =>
  panel
    .get(Database)
    .repository(OperationLog)
    .find({ order: { id: 'DESC' }, take: 100 });
async function newest(): Promise<OperationLog> {
  const [line] = await lines();
  expect(line!.id).toBeGreaterThan(since);
  return line!;
}
const done = async (gn: string, fields: Record<string, string>): Promise<OperationLog> => {
  expect([gn, await panel.admin(gn, fields)]).toEqual([gn, expect.objectContaining({ success: true })]);
  return newest();
};
const found = async (name: string, value: string, type = '2'): Promise<number[]> => {
  const { rows } = await panel.admin('listlog', { limit: '200', where: JSON.stringify({ name, type, value }) });
  return (rows as unknown as { id: number }[]).map(({ id }) => id);
};
const told = async (id: number, lang: string): Promise<string> => {
  const answer = await panel.fetch('/admin/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'logsj', id: String(id) }),
    headers: { Cookie: `${panel.adminCookie}; lang=${lang}` },
  });
  return ((await answer.json()) as AjaxAnswer).data.bg as string;
};
const change = (of: string, id: string, ...fields: object[]) => [{ of, id, deed: 'changed', fields }];

describe('a line of a change', () => {
  it('of a setting contains old and new values in both languages, but no unchanged ones', async () => {
    const line = await done('setwz', { name: 'Better Hosting', yzm: 'false', qq: '' });
    expect(line).toMatchObject({
      subject: 'settings',
      fields: ',name,adminCaptcha,',
      changes: change(
        'settings',
        '',
        { name: 'name', before: 'SVC Panel', after: 'Better Hosting' },
        { name: 'adminCaptcha', before: true, after: false },
      ),
    });
    expect(await told(line.id, 'en')).toBe('Settings\nPanel name: SVC Panel → Better Hosting\nAdministrator captcha: on → off');
    expect(await told(line.id, 'zh-CN')).toBe('设置\n面板名称：SVC Panel → Better Hosting\n管理员登录验证码：开 → 关');
    expect((await done('setwz', { name: 'Better Hosting' })).changes).toBeNull();
  });

  it('contains no secrets, truncates long texts, and keeps every text on one line', async () => {
    const key = 'a-very-long-api-key-1234567';
    const line = await done('setapi', { apikey: key, linux: '/www/\u202esites' });
    expect(line.changes).toEqual(
      change('settings', '', { name: 'api', secret: true }, { name: 'linuxRoot', before: '/www/wwwroot', after: '/www/\u202esites' }),
    );
    expect(JSON.stringify(line)).not.toContain(key);
    expect(await told(line.id, 'en')).toBe('Settings\nAPI key: changed\nSite folder on Linux: /www/wwwroot → /www/ sites');
    const long = await done('setwz', { gg: `<p>${'x'.repeat(5_000)}</p>` });
    expect(await told(long.id, 'en')).toMatch(/^Settings\nNotice: \(empty\) → <p>x{197}… \(5007 characters\)$/);
    const page = await (await panel.adminFetch(`/admin/log-line?id=${long.id}`)).text();
    expect([page.includes('&lt;p&gt;xxx'), page.includes('<p>xxx')]).toEqual([true, false]);
    await panel.admin('setwz', { gg: '' });
    expect(JSON.stringify((await done('mailmode', { host: 'smtp.test', user: 'me', password: 'mail-secret-1' })).changes)).not.toContain(
      'mail-secret',
    );
  });

  it('of a host describes each step, and is found by host and by field', async () => {
    const line = await done('zjxgjl', { id: hostId, llmax: '20', pass: 'another-pass-2', mailuser: 'a@example.com' });
    expect(line.subject).toBe(`host:${hostId}`);
    expect(line.changes!.flatMap(({ fields }) => fields)).toEqual([
      { name: 'trafficQuotaGb', before: 10, after: 20 },
      { name: 'passwordHash', secret: true },
      { name: 'email', before: null, after: 'a@example.com' },
    ]);
    await panel.get(AuditLog).write({
      actor: 'x',
      category: 'made-up',
      summary: 'another host',
      changes: [{ of: 'host', id: `${hostId}7`, deed: 'changed', fields: [{ name: 'email', before: 1, after: 2 }] }],
    });
    const other = (await newest()).id;
    for (const text of [`host:${hostId}`, `Host ${hostId}`, `主机 ${hostId}`, `主机${hostId}`, hostId, ` HOST ${hostId} `])
      expect([text, await found('zt', text)]).toEqual([text, expect.arrayContaining([line.id])]);
    expect(await found('zt', `host:${hostId}`)).not.toContain(other);
    for (const text of ['nobody', 'host', `server:${hostId}`, '%', "' OR 1=1"]) expect([text, await found('zt', text)]).toEqual([text, []]);
    for (const text of ['trafficQuotaGb', '流量', 'traffic (gb)', 'Password'])
      expect([text, await found('zd', text)]).toEqual([text, expect.arrayContaining([line.id])]);
    expect(await found('zd', 'email')).toEqual(expect.arrayContaining([line.id, other]));
    for (const text of ['no such field', '%', '_']) expect([text, await found('zd', text)]).toEqual([text, []]);
    const list = await (await panel.fetch('/admin/log', { headers: { Cookie: `${panel.adminCookie}; lang=en` } })).text();
    expect(list).toMatch(
      /<details>\s*<summary>Changed host logged01[^<]*<\/summary>\s*<pre>Host \d+\nTraffic \(GB\): 10 → 20\nPassword: changed\nEmail/,
    );
    const file = await (await panel.fetch('/admin/log?export=log', { headers: { Cookie: `${panel.adminCookie}; lang=en` } })).text();
    expect(file).toContain(`email address\nHost ${hostId}\nTraffic (GB): 10 → 20\nPassword: changed\nEmail`);
  });

  it('is written for everything an administrator creates, changes and removes', async () => {
    panel.get(DriverRegistry).register(new FakeDriver());
    const server = String(
      (
        await done('addbt', { bh: 'srv1', ip: '127.0.0.9', dk: '8888', key: 'panel-key-secret-1', btos: '1', driver: 'fake' })
      ).subject!.split(':')[1],
    );
    expect((await done('xgjl', { id: server, dk: '8899' })).changes).toEqual(
      change('server', server, { name: 'port', before: 8888, after: 8899 }),
    );
    const role = String((await panel.admin('jsbc', { name: 'Support', qx: 'listzj' })).data?.id ?? (await newest()).subject!.split(':')[1]);
    expect((await done('jsbc', { id: role, name: 'Support', qx: 'listzj,zjzt' })).changes).toEqual(
      change('role', role, { name: 'patterns', before: '["listzj"]', after: '["listzj","zjzt"]' }),
    );
    const admin = (await done('addadmin', { user: 'colleague', pass: 'secret-of-one', js_id: '0' })).subject!.split(':')[1]!;
    expect((await done('adminxg', { id: admin, js_id: role, pass: 'secret-of-two' })).changes).toEqual(
      change('administrator', admin, { name: 'passwordHash', secret: true }, { name: 'roleId', before: null, after: Number(role) }),
    );
    const key = (await done('addmy', { name: 'shop', qx: 'listzj', ips: '', dq: '', kg: 'true' })).subject!.split(':')[1]!;
    expect((await done('myxg', { id: key, name: 'shop', qx: 'listzj', ips: '192.0.2.1', dq: '', kg: 'true' })).fields).toBe(',addresses,');
    const channel = (await done('tdbc', { lx: 'ntfy', name: 'Phone', 'cs[topic]': 'alarm', 'cs[token]': 'tk_hidden' })).subject!.split(
      ':',
    )[1]!;
    expect((await done('tdbc', { id: channel, name: 'Phone', 'cs[topic]': 'other', 'cs[token]': 'tk_hidden2' })).changes).toEqual(
      [
        {
          of: 'channel',
          id: channel,
          deed: 'changed',
          fields: [expect.objectContaining({ name: 'topic' }), { name: 'token', secret: true }],
        },
      ].map((one) => ({ ...one, fields: expect.arrayContaining(one.fields) as object[] })),
    );
    const monitor = (await done('jkbc', { name: 'Home', task_type: 'url', url: 'https://93.184.216.34/' })).subject!.split(':')[1]!;
    expect((await done('jkkg', { id: monitor, enabled: 'false' })).changes).toEqual(
      change('monitor', monitor, { name: 'enabled', before: true, after: false }),
    );
    expect((await done('szbc', { slug: 'tabbed', prefix: 'A', api_word: 'hidden-word' })).changes).toEqual(
      change('plugin', 'tabbed', { name: 'prefix', before: null, after: 'A' }, { name: 'api_word', secret: true }),
    );
    for (const [gn, id, of] of [
      ['jksc', monitor, 'monitor'],
      ['tdsc', channel, 'channel'],
      ['mysc', key, 'api_key'],
      ['adminsc', admin, 'administrator'],
      ['jssc', role, 'role'],
      ['btsc', server, 'server'],
    ] as const) {
      const line = await done(gn, { id });
      expect([gn, line.subject, line.changes![0]!.deed]).toEqual([gn, `${of}:${id}`, 'removed']);
    }
    const kept = JSON.stringify(await lines());
    for (const secret of ['panel-key-secret-1', 'secret-of-', 'tk_hidden', 'hidden-word']) expect(kept).not.toContain(secret);
  });

  it("of one's own name or password appears in one's own history", async () => {
    await panel.admin('addadmin', { user: 'renaming1', pass: 'secret-of-one', js_id: '0' });
    const own = await new PanelClient(panel.url).login('admin', 'renaming1', 'secret-of-one');
    await own.ajax('admin', { gn: 'gl', yuser: 'renaming1', ypass: 'secret-of-one', xuser: 'renamed01', xpass: 'secret-of-two' });
    const [line] = (await own.ajax('admin', { gn: 'wdlog', lx: 'gl' })).json.rows as { bg: string }[];
    expect(line!.bg).toMatch(/renaming1 → renamed01\n密码：已更改$/);
  });
});

it('has labels for every setting', () => {
  const columns = panel
    .get(Database)
    .repository(SiteConfig)
    .metadata.columns.map(({ propertyName }) => propertyName);
  const own = columns.filter((name) => !['id', 'secretCheck', 'payGateways'].includes(name));
  expect(own.filter((name) => !fieldsOf(name).includes(name))).toEqual([]);
});

describe('before and after', () => {
  it('are those of this change, even with concurrent changes', async () => {
    await panel.admin('setwz', { qq: 'first' });
    const names = Array.from({ length: 12 }, (_, n) => `contact ${n}`);
    await Promise.all(names.map((qq) => panel.admin('setwz', { qq })));
    const changes = (await lines()).filter(({ id }) => id > since).flatMap(({ changes }) => changes?.flatMap(({ fields }) => fields) ?? []);
    const steps = changes.filter(({ name, before }) => name === 'contact' && before !== null);
    // A chain: each began with what another one left.
    expect(steps.map(({ after }) => after).sort()).toEqual([...names].sort());
    const [{ qqh: last }] = (await panel.get(Database).query('SELECT qqh FROM SVC_config')) as [{ qqh: string }];
    expect(steps.map(({ before }) => before).sort()).toEqual(['first', ...names.filter((name) => name !== last)].sort());
  });

  it('are not logged for rejected or failed changes', async () => {
    const { rows } = await panel.admin('listbt');
    const [server] = rows as unknown as { id: string; row_version: string; btdk: string }[];
    await panel.admin('xgjl', { id: String(server!.id), dk: '1111' });
    const stale = await panel.admin('xgjl', { id: String(server!.id), dk: '2222', row_version: server!.row_version });
    expect(stale).toMatchObject({ success: false, err: 'E_CONFLICT' });
    const port = (await lines()).filter(({ id }) => id > since).flatMap(({ changes }) => changes ?? []);
    expect(port.map(({ fields }) => fields[0]!.after)).toEqual([1111]);
  });

  it('are limited in size, with a note about omitted ones', async () => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ name: `field${n}`, before: '旧'.repeat(60), after: '新'.repeat(60) }));
    const changes = Array.from({ length: 20 }, (_, n) => ({ of: 'host', id: String(n), deed: 'changed', fields }) as const);
    await panel.get(AuditLog).write({ actor: 'x', category: 'made-up', summary: 'many', changes });
    const line = await newest();
    expect(Buffer.byteLength(JSON.stringify(line.changes))).toBeLessThanOrEqual(8_192);
    expect([line.subject, line.changes!.length, line.changes!.at(-1)]).toEqual([
      null,
      20,
      { of: 'host', id: '19', deed: 'changed', fields: [], more: 40 },
    ]);
    expect(await told(line.id, 'en')).toContain('Host 19\n40 more fields');
  });
});
