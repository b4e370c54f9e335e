/** Monitors over real HTTP: created by their owners, run, notified and shown. */
import type { ServerResponse } from 'node:http';

import type { Type } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { AgentNode } from '../src/agents/index.js';
import { Clock } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { DomainExpiry, MonitorCheck, MonitorHold, MonitorStat, MonitorTask } from '../src/monitor/entities/index.js';
import { MaintenanceOperations } from '../src/monitor/maintenance.operations.js';
import { Maintenance, MonitorRepository } from '../src/monitor/records/index.js';
import { DomainExpiryCheck } from '../src/monitor/checks/domain-expiry-check.js';
import { PushCheck } from '../src/monitor/checks/push-check.js';
import { Rdap } from '../src/monitor/checks/rdap.js';
import { ServerCheck } from '../src/monitor/checks/server-check.js';
import { MonitorViews } from '../src/monitor/monitor-views.js';
import { DueMonitors } from '../src/monitor/runs/due-monitors.js';
import { MaintenanceWindows } from '../src/monitor/runs/maintenance-windows.js';
import { Outcomes } from '../src/monitor/runs/outcomes.js';
import { OwnNetwork } from '../src/monitor/runs/own-network.js';
import { MonitorOwners } from '../src/monitor/runs/owners.js';
import { MonitorStats, RollUps } from '../src/monitor/stats/index.js';
import { Notice } from '../src/notify/index.js';

import { kumaBackup, kumaMonitor } from './support/kuma-backup.js';
import { serveHttp, type LoopbackServer } from './support/loopback-server.js';
import { lookOnceIn } from './support/monitor-runs.js';
import { TestPanel, type AjaxAnswer } from './support/panel.js';
import { planOf, readsOf } from './support/query-plans.js';
import { testEngine } from './support/database.js';

/** Everything related to the time of monitors. */
const TIMED: Type<object>[] = [
  DomainExpiryCheck,
  DueMonitors,
  MaintenanceWindows,
  Maintenance,
  MaintenanceOperations,
  MonitorRepository,
  MonitorOwners,
  MonitorStats,
  MonitorViews,
  Outcomes,
  PushCheck,
  Rdap,
  RollUps,
  ServerCheck,
];

let panel: TestPanel;
let database: Database;
let owner: string;
let stranger: string;
let target: LoopbackServer;
let answer: (response: ServerResponse, url: string) => void;
let url: string;
let now: number;

beforeAll(async () => {
  target = await serveHttp((request, response) => answer(response, request.url ?? ''));
  url = `http://127.0.0.1:${target.port}`;
  // Without the worker, nothing runs except what a test runs.
  panel = await TestPanel.start({ SERVICES: 'panel,store', MONITOR_ALLOW: '127.0.0.1' });
  database = panel.get(Database);
  owner = await panel.signInUser('owner01');
  stranger = await panel.signInUser('other01');
  // Their own time: people's sessions stay.
  now = Date.parse('2027-03-01T10:00:00.000Z');
  const clock = new Clock();
  clock.now = () => new Date(now);
  for (const provider of TIMED) Object.assign(panel.get<object>(provider), { clock });
});
afterAll(async () => {
  await panel.close();
  await target.close();
});
beforeEach(async () => {
  answer = (response) => void response.end('all is well');
  for (const entity of [MonitorTask, Notice]) await database.repository<object>(entity).createQueryBuilder().delete().execute();
});

type Answer = AjaxAnswer & {
  msg: Record<string, never> & { tasks: Record<string, string>[]; logs: Record<string, string>[] };
  push_url: string;
};

async function user(gn: string, fields: Record<string, string> = {}, cookie = owner): Promise<Answer> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn, ...fields }),
    headers: { Cookie: cookie, 'Accept-Language': 'zh-CN' },
  });
  return (await response.json()) as Answer;
}
const save = (fields: Record<string, string> = {}) => user('monitor_save', { name: 'shop', url, ...fields });
const only = async () => (await user('monitor_list')).msg.tasks[0]!;
/** Runs what is due one minute later. */
async function minute(): Promise<void> {
  now += 60_000;
  await lookOnceIn(panel);
}
const notices = () => database.repository(Notice).find({ order: { id: 'ASC' } });
const page = async (path: string, cookie = owner, language = 'en') => {
  const response = await panel.fetch(path, { headers: { Cookie: cookie, 'Accept-Language': language } });
  return { status: response.status, html: await response.text() };
};

describe('monitor_save', () => {
  it('reports errors in the words clients know', async () => {
    for (const [fields, code] of [
      [{ name: '' }, '任务名称不能为空'],
      [{ url: '' }, 'URL不能为空'],
      [{ url: 'ftp://a.test/' }, 'URL格式错误或不允许访问内网地址'],
      [{ url: 'http://10.0.0.1/' }, 'URL格式错误或不允许访问内网地址'],
      [{ url: 'http://[::1]/' }, 'URL格式错误或不允许访问内网地址'],
      [{ task_type: 'resource' }, '请选择资源类型'],
      [{ id: '999' }, '任务不存在'],
    ] as const)
      expect(await save(fields), JSON.stringify(fields)).toMatchObject({ success: false, code });
    for (const [fields, field] of [
      [{ task_type: 'ping' }, 'task_type'],
      [{ interval_seconds: '14' }, 'interval_seconds'],
      [{ timeout_seconds: '31' }, 'timeout_seconds'],
      [{ status_rule: 'like' }, 'status_rule'],
      [{ status_value: '2xx' }, 'status_value'],
      [{ content_rule: 'contains' }, 'content_value'],
      [{ headers: 'no colon' }, 'headers'],
      [{ url: url.replace('//', '//user:secret@') }, 'url'],
      [{ cs_jg: '3' }, 'cs_jg'],
      [{ task_type: 'tcp', url: 'mail.example.com' }, 'url'],
      [{ task_type: 'tcp', url: '127.0.0.2:25' }, 'url'],
      [{ task_type: 'dns', url: 'db.internal' }, 'url'],
      [{ task_type: 'domain', url: 'co.uk' }, 'url'],
      [{ task_type: 'domain', url: '10.0.0.1' }, 'url'],
      [{ task_type: 'server', url: 'node_1' }, 'task_type'],
      [{ task_type: 'resource', resource_type: 'sql' }, 'resource_type'],
    ] as const)
      expect((await save(fields)).fields, JSON.stringify(fields)).toHaveProperty(field);
    expect(await database.repository(MonitorTask).count()).toBe(0);
  });

  it('creates five and no sixth, also for many requests at once; existing ones can still be changed', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => save()));
    expect(answers.filter(({ success }) => success)).toHaveLength(5);
    expect(answers.find(({ success }) => !success)).toMatchObject({ err: 'E_LIMIT', code: '每个用户最多只能添加5个监控任务' });
    const { id } = await only();
    expect(await save({ id: id!, name: 'renamed', notify_email: 'false', status_rule: 'not_eq', status_value: '500' })).toMatchObject({
      code: '保存成功',
    });
    expect(await only()).toMatchObject({
      name: 'renamed',
      status_rule: 'neq',
      notify_email: 'false',
      interval_seconds: 60,
      last_status: '',
    });
    expect((await user('monitor_list')).msg).toMatchObject({ task_count: 5, max: 5 });
    await panel.admin('jksz', { jk_max: '6' });
    expect(await save()).toMatchObject({ code: '添加成功' });
    await panel.admin('jksz', { jk_max: '5' });
  });

  it('follows the plan of a host, whose limit takes precedence over that of the installation', async () => {
    const hosts = (await panel.admin('listzj')).rows as unknown as { id: string; user: string; jk_max: string }[];
    const host = hosts.find(({ user: name }) => name === 'owner01')!;
    expect(host.jk_max).toBe('');
    const plan = (jk_max: string) => panel.admin('zjmode', { id: host.id, jk_max });
    try {
      expect((await plan('2')).success).toBe(true);
      const answers = await Promise.all(Array.from({ length: 6 }, () => save()));
      expect(answers.filter(({ success }) => success)).toHaveLength(2);
      expect(answers.find(({ success }) => !success)).toMatchObject({ err: 'E_LIMIT', code: '每个用户最多只能添加2个监控任务' });
      expect((await page('/user/monitors')).html).toContain('2 of 2 monitors used');
      // Another host's limit is independent.
      expect((await user('monitor_list', {}, stranger)).msg).toMatchObject({ max: 5 });

      await plan('1');
      expect((await user('monitor_list')).msg).toMatchObject({ task_count: 2, max: 1 });
      const { id } = await only();
      expect(await save({ id: id!, name: 'renamed' })).toMatchObject({ code: '保存成功' });
      expect(await user('monitor_toggle', { id: id!, enabled: 'false' })).toMatchObject({ success: true });
      expect(await user('monitor_toggle', { id: id!, enabled: 'true' })).toMatchObject({ success: true });
      expect(await save()).toMatchObject({ err: 'E_LIMIT' });
      expect((await page('/user/monitors')).html).toContain('You have more monitors than your plan allows');
      expect((await page('/user/monitors', owner, 'zh-CN')).html).toContain('已有任务照常运行');
      expect((await page('/user/monitors')).html).not.toContain('href="/user/monitor-import"');

      await plan('0');
      expect(await save()).toMatchObject({ err: 'E_LIMIT', code: '您的套餐不含监控任务，请更换包含监控的套餐' });
      for (const task of (await user('monitor_list')).msg.tasks) await user('monitor_del', { id: task.id! });
      expect((await page('/user/monitors')).html).toContain('Your plan does not include monitors.');

      await plan('');
      expect((await user('monitor_list')).msg).toMatchObject({ max: 5 });
      expect(await save()).toMatchObject({ success: true });
      for (const wrong of ['-1', '1001', 'many', '1.5']) expect((await plan(wrong)).fields, wrong).toHaveProperty('jk_max');
    } finally {
      await plan('');
    }
  });

  it('of an account is inaccessible to others', async () => {
    await save();
    const { id } = await only();
    for (const [gn, fields] of [
      ['monitor_save', { id: id!, name: 'x' }],
      ['monitor_toggle', { id: id!, enabled: 'false' }],
      ['monitor_del', { id: id! }],
      ['monitor_test', { id: id! }],
      ['monitor_push', { id: id! }],
      ['monitor_log_list', { id: id! }],
      ['monitor_stat', { id: id! }],
    ] as const)
      expect(await user(gn, fields, stranger), gn).toMatchObject({ success: false, code: '任务不存在' });
    expect((await page(`/user/monitor?id=${id}`, stranger)).status).toBe(404);
    expect((await page(`/user/monitor-form?id=${id}`, stranger)).status).toBe(404);
    expect(await only()).toMatchObject({ name: 'shop', enabled: 'true' });
  });

  it('accepts words and switches as other programs write them', async () => {
    expect(
      await save({ task_type: ' URL ', method: 'head', status_rule: 'NE', status_value: '500', upside_down: 'Yes', enabled: ' on ' }),
    ).toMatchObject({
      success: true,
    });
    expect(await only()).toMatchObject({ task_type: 'url', method: 'HEAD', status_rule: 'neq', upside_down: 'true', enabled: 'true' });
    expect((await user('monitor_save', {})).fields).toMatchObject({ name: '任务名称不能为空' });
    expect((await user('monitor_toggle', {})).fields).toEqual({ id: '不能为空', enabled: '不能为空' });
  });

  it('stores headers encrypted, sends them, and shows them to nobody', async () => {
    let sent: unknown;
    const secret = await serveHttp((request, response) => {
      sent = request.headers.authorization;
      response.end();
    });
    await save({ url: `http://127.0.0.1:${secret.port}`, headers: 'Authorization: Bearer s3cret-token' });
    const { id, ...shown } = await only();
    expect(shown).toMatchObject({ has_headers: 'true' });
    const row = await database.repository(MonitorTask).findOneByOrFail({ id: Number(id) });
    expect(JSON.stringify([shown, row, (await page(`/user/monitor-form?id=${id}`)).html])).not.toContain('s3cret');
    await save({ id: id!, headers: '', url: `http://127.0.0.1:${secret.port}` });
    await user('monitor_test', { id: id! });
    expect(sent).toBe('Bearer s3cret-token');
    // Someone who may change a monitor cannot get a header by sending it to a server of his own.
    expect((await save({ id: id!, headers: '', url })).fields).toHaveProperty('headers');
    await save({ id: id!, headers: '', headers_clear: 'true', url: `http://127.0.0.1:${secret.port}` });
    await user('monitor_test', { id: id! });
    expect(sent).toBeUndefined();
    await secret.close();
  });
});

describe('a monitor', () => {
  it('goes down and up again, and its owner is notified once of each', async () => {
    await save({ status_rule: 'range', status_value: '200-299', content_rule: 'contains', content_value: 'well', fail_threshold: '2' });
    await minute();
    expect(await only()).toMatchObject({ state: 'up', last_status: 'ok', last_code: 200, last_error: '' });
    answer = (response) => void response.writeHead(503).end('gone');
    await minute();
    expect(await only()).toMatchObject({ state: 'pending', fail_count: 1, last_error: '规则不匹配：状态码 503' });
    expect(await notices()).toEqual([]);
    for (let n = 0; n < 3; n += 1) await minute();
    expect(await only()).toMatchObject({ state: 'down', fail_count: 4 });
    answer = (response) => void response.end('all is well');
    await minute();
    const told = await notices();
    expect(told.map(({ title, level, username }) => [title, level, username])).toEqual([
      ['监控异常：shop', 'warning', 'owner01'],
      ['监控恢复：shop', 'success', 'owner01'],
    ]);
    expect(told[0]!.content).toMatch(/^URL：http.* 状态码：503 耗时：\d+ms 错误：规则不匹配：状态码 503$/);
    const { logs } = (await user('monitor_log_list', { id: (await only()).id! })).msg;
    expect(logs.map(({ check_status, notified }) => [check_status, notified])).toEqual([
      ['ok', 'true'],
      ['fail', 'false'],
      ['fail', 'false'],
      ['fail', 'true'],
      ['fail', 'false'],
      ['ok', 'false'],
    ]);
    expect(logs[1]).toMatchObject({ status_code: 503, http_code: 503, response_excerpt: 'gone' });
  });

  it('is neither checked nor notified during a maintenance window', async () => {
    let asked = 0;
    answer = (response) => void response.writeHead(500).end(String((asked += 1)));
    await save({ tags: 'shop, cn' });
    expect(
      await panel.admin('jkwh', {
        title: 'move',
        starts_at: '2027-03-01 00:00',
        ends_at: '2027-03-02 00:00',
        tag: 'cn',
        repeats: 'weekly',
      }),
    ).toMatchObject({ success: true });
    const before = now;
    now = Date.parse('2027-03-08T04:00:00.000Z');
    await minute();
    expect(await only()).toMatchObject({ state: 'maintenance', last_status: '' });
    expect(asked).toBe(0);
    const { rows } = (await panel.admin('listjkwh')) as unknown as { rows: Record<string, string>[] };
    expect(rows).toMatchObject([{ title: 'move', tag: 'cn', state: 'open', starts_at: '2027-03-01 00:00:00' }]);
    for (const fields of [
      { ends_at: '2027-02-28 00:00' },
      { ends_at: '2027-03-09 00:00' },
      { starts_at: 'soon' },
      { user: 'nobody01' },
    ] as Record<string, string>[])
      expect(
        await panel.admin('jkwh', {
          id: rows[0]!.id!,
          title: 'move',
          starts_at: '2027-03-01 00:00',
          ends_at: '2027-03-02 00:00',
          repeats: 'weekly',
          ...fields,
        }),
      ).toHaveProperty('fields');
    const changed = {
      id: rows[0]!.id!,
      title: 'move',
      starts_at: '2027-03-01 00:00',
      ends_at: '2027-03-02 00:00',
      repeats: 'Weekly',
      user: 'OWNER01',
    };
    expect(await panel.admin('jkwh', changed)).toMatchObject({ success: true });
    expect((await panel.admin('listjkwh')) as unknown).toMatchObject({ rows: [{ user: 'owner01', repeats: 'weekly' }] });
    await panel.admin('jkwhsc', { id: rows[0]!.id! });
    await minute();
    expect(await only()).toMatchObject({ state: 'down', last_code: 500 });
    expect(await notices()).toHaveLength(1);
    now = before + 600_000;
  });

  it('in inverted mode fails when something responds', async () => {
    await save({ upside_down: 'true' });
    await minute();
    expect(await only()).toMatchObject({ state: 'down', last_status: 'fail' });
  });

  it('of kind push waits for calls to an address that only its owner knows', async () => {
    const saved = await save({ task_type: 'push', interval_seconds: '60', timeout_seconds: '5' });
    expect(saved.push_url).toMatch(/^http.*\/push\/[0-9a-f]{48}$/);
    const { id } = await only();
    expect(JSON.stringify(await user('monitor_list'))).not.toContain(saved.push_url.slice(-48));
    await minute();
    expect(await only()).toMatchObject({ state: 'pending' });
    const call = (address: string, method = 'GET') => fetch(address, { method }).then(({ status }) => status);
    expect(await call(saved.push_url, 'POST')).toBe(200);
    now += 30_000;
    await minute();
    expect(await only()).toMatchObject({ state: 'down' });
    expect(await call(saved.push_url)).toBe(200);
    await minute();
    expect(await only()).toMatchObject({ state: 'up' });
    const renewed = (await user('monitor_push', { id: id! })).push_url;
    expect(await call(saved.push_url)).toBe(404);
    expect(await call(renewed)).toBe(200);
    for (const [language, msg] of [
      ['en', 'No monitor uses this push address. Check it, or generate a new one for the monitor.'],
      ['zh-CN', '没有监控任务使用此推送地址，请检查地址，或到监控任务中生成新的推送地址'],
    ] as const) {
      const response = await fetch(`${panel.url}/push/${'0'.repeat(48)}`, { headers: { 'Accept-Language': language } });
      expect([response.status, await response.json()]).toEqual([404, { ok: false, msg }]);
    }
    await save({ id: id!, task_type: 'url' });
    expect(await call(renewed)).toBe(404);
    expect(await user('monitor_push', { id: id! })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('of a domain shows how long it is registered, and says once when this cannot be determined', async () => {
    panel.get(Rdap).listUrl = `${url}/dns.json`;
    const ends = new Date(now + 90.5 * 86_400_000).toISOString();
    answer = (response, path) => {
      if (path === '/dns.json') return void response.end(JSON.stringify({ services: [[['com', 'xn--fiqs8s'], [`${url}/`]]] }));
      if (path !== '/domain/example.com') return void response.writeHead(500).end();
      response.end(JSON.stringify({ events: [{ eventAction: 'expiration', eventDate: ends }] }));
    };
    await save({ name: 'known', task_type: 'domain', url: 'WWW.Example.com.', interval_seconds: '15' });
    expect(await only()).toMatchObject({ url: 'www.example.com', warn_days: 30, interval_seconds: 43_260 });
    await save({ name: 'silent', task_type: 'domain', url: '例子.中国' });
    await save({ name: 'no rdap', task_type: 'domain', url: 'example.cn', notify_email: 'false' });
    const run = async () => {
      now += 43_260_000;
      await lookOnceIn(panel);
      return (await user('monitor_list')).msg.tasks.map(({ state, last_code, last_error }) => [state, last_code, last_error]);
    };
    expect(await run()).toEqual([
      ['up', 89, ''],
      ['pending', '', '注册局已连续 1 次没有答复：规则不匹配：状态码 500'],
      ['pending', '', '.cn 的注册局不通过 RDAP 提供到期日期'],
    ]);
    expect((await user('monitor_list')).msg.tasks[1]).toMatchObject({ url: 'xn--fsqu00a.xn--fiqs8s', last_status: '' });
    for (let n = 0; n < 4; n += 1) await run();
    expect((await notices()).map(({ title, level }) => [title, level])).toEqual([
      ['无法判断：no rdap', 'warning'],
      ['无法判断：silent', 'warning'],
    ]);
    expect((await user('monitor_log_list', { id: '0' })).msg.logs.map(({ url: of }) => of)).toEqual(Array(5).fill('www.example.com'));
    const { id } = await only();
    expect(await user('monitor_test', { id: id! })).toMatchObject({ ok: 'true', status_code: 87 });
    expect((await page(`/user/monitor-form?id=${id}`)).html).not.toContain('name="interval_seconds"');
    const known = database.repository(DomainExpiry);
    await known.update({ domain: 'example.cn' }, { triedAt: new Date(now - 31 * 86_400_000) });
    await panel.get(MonitorOwners).tidy();
    expect((await known.find({ order: { domain: 'ASC' } })).map(({ domain }) => domain)).toEqual(['example.com', 'xn--fsqu00a.xn--fiqs8s']);
  });

  it('checks the own host, and refuses what its server does not measure', async () => {
    expect(await save({ task_type: 'resource', resource_type: 'web', resource_threshold: '50', interval_seconds: '20' })).toMatchObject({
      success: true,
    });
    expect(await only()).toMatchObject({ interval_seconds: 180, url: '' });
    now += 180_000;
    await minute();
    expect(await only()).toMatchObject({ state: 'up', last_status: 'ok' });
    expect((await save({ task_type: 'resource', resource_type: 'traffic' })).success).toBe(true);
    expect((await save({ task_type: 'resource', resource_type: 'sql' })).fields).toEqual({
      resource_type: '该主机所在的服务器不测量此项用量',
    });
  });

  it('of a server belongs to the administrators, who are notified', async () => {
    await database.repository(AgentNode).insert({
      nodeId: 'node_x',
      secret: 's',
      name: 'bj01',
      capabilities: [],
      lastHeartbeatAt: new Date(now + 60_000),
      load: 9.5,
      createdAt: new Date(now),
      updatedAt: new Date(now),
    });
    expect((await panel.admin('jkbc', { name: 'n', task_type: 'server', url: 'node_none' })).fields).toHaveProperty('url');
    await panel.admin('jkbc', { name: 'heart', task_type: 'server', url: 'node_x' });
    await panel.admin('jkbc', { name: 'load', task_type: 'server', url: 'node_x', resource_type: 'load', resource_threshold: '4' });
    await minute();
    const states = async () => {
      const { rows } = (await panel.admin('listjk', { sortOrder: 'asc' })) as unknown as { rows: Record<string, string>[] };
      return rows.map(({ name, state, user: of }) => [name, state, of]);
    };
    expect(await states()).toEqual([
      ['heart', 'up', ''],
      ['load', 'down', ''],
    ]);
    now += 120_000;
    await minute();
    expect(await states()).toEqual([
      ['heart', 'down', ''],
      ['load', 'down', ''],
    ]);
    expect((await notices()).map(({ side, title }) => [side, title])).toEqual([
      ['admin', '监控异常：load'],
      ['admin', '监控异常：heart'],
    ]);
    await database.repository(AgentNode).delete({ nodeId: 'node_x' });
  });

  it('of a server’s disks names full disks; when its agent reports none, nobody is notified', async () => {
    const nodes = database.repository(AgentNode);
    const times = { createdAt: new Date(now), updatedAt: new Date(now) };
    await nodes.insert({
      nodeId: 'node_x',
      secret: 's',
      name: 'bj01',
      capabilities: [],
      lastHeartbeatAt: new Date(now + 60_000),
      ...times,
    });
    const disk = { name: 'disk', task_type: 'server', url: 'node_x', resource_type: 'disk', resource_threshold: '80' };
    const { id } = (await panel.admin('jkbc', disk)).data;
    const found = async (disks: AgentNode['disks']) => {
      await nodes.update({ nodeId: 'node_x' }, { disks });
      const { result, status_code } = (await panel.admin('jkcs', { id: String(id) })) as unknown as Record<string, string>;
      return [result, status_code];
    };
    expect(await found([{ mount: '/', percent: 80 }])).toEqual(['正常', 80]);
    const full = [
      { mount: '/', percent: 12.5 },
      { mount: '/data', percent: 93.2 },
      { mount: '/home', percent: 81 },
    ];
    expect(await found(full)).toEqual(['磁盘使用超过 80%：/data 93.2%, /home 81%', 93]);
    expect(await found(null)).toEqual(['此版本的节点程序不测量磁盘，请更新节点程序', '–']);
    await minute();
    expect(await database.repository(MonitorTask).findOneByOrFail({ id: Number(id) })).toMatchObject({ state: 'pending', told: false });
    expect(await notices()).toEqual([]);
    await nodes.delete({ nodeId: 'node_x' });
  });

  it('shows the result of a test without changing anything', async () => {
    await save();
    const { id } = await only();
    expect(await user('monitor_test', { id: id! })).toMatchObject({
      success: true,
      ok: 'true',
      code: '已检测',
      status_code: 200,
      excerpt: 'all is well',
    });
    answer = (response) => void response.writeHead(404).end();
    expect(await user('monitor_test', { id: id! })).toMatchObject({ ok: 'false', result: '规则不匹配：状态码 404' });
    expect(await only()).toMatchObject({ state: 'pending', last_run: '' });
    expect(await database.repository(MonitorCheck).count()).toBe(0);
  });

  it('is disabled and enabled, and is deleted with all its results', async () => {
    await save();
    const { id } = await only();
    await minute();
    expect(await user('monitor_toggle', { id: id!, enabled: 'false' })).toMatchObject({ code: '修改成功' });
    await minute();
    expect(await only()).toMatchObject({ enabled: 'false', state: 'off', next_run: '' });
    expect(await database.repository(MonitorCheck).count()).toBe(1);
    await user('monitor_toggle', { id: id!, enabled: 'true' });
    await minute();
    expect(await database.repository(MonitorCheck).count()).toBe(2);
    expect(await user('monitor_del', { id: id! })).toMatchObject({ code: '删除成功' });
    expect(await database.repository(MonitorCheck).count()).toBe(0);
  });

  it('is deleted with its account, and a later account of the same name has none of it', async () => {
    await panel.signInUser('gone01').then((cookie) => user('monitor_save', { name: 'mine', url }, cookie));
    const { rows } = (await panel.admin('listzj', { where: JSON.stringify({ name: 'user', type: '1', value: 'gone01' }) })) as unknown as {
      rows: { id: number }[];
    };
    await panel.admin('zjsc', { id: String(rows[0]!.id) });
    const again = await panel.signInUser('gone01');
    expect((await user('monitor_list', {}, again)).msg).toMatchObject({ task_count: 0 });
    expect(await panel.get(MonitorOwners).tidy()).toBe(1);
    expect(await database.repository(MonitorTask).count()).toBe(0);
  });
});

describe('monitor results', () => {
  it('are aggregated by minute, hour and day once, and shown as uptime and chart', async () => {
    now = Date.parse('2027-03-10T00:00:30.000Z');
    await save();
    const { id } = await only();
    const rows = Array.from({ length: 26 * 60 }, (_value, minutes) => ({
      taskId: Number(id),
      user: 'owner01',
      status: minutes % 4 === 3 ? 'fail' : 'ok',
      responseTime: minutes % 4 === 3 ? null : 100,
      createdAt: new Date(now + minutes * 60_000),
    }));
    for (let at = 0; at < rows.length; at += 400) await database.repository(MonitorCheck).insert(rows.slice(at, at + 400));
    now += 26 * 3_600_000;
    const rollUps = panel.get(RollUps);
    await Promise.all([rollUps.addUp(), rollUps.addUp()]);
    const count = (unit: 'm' | 'h' | 'd') => database.repository(MonitorStat).countBy({ taskId: Number(id), unit });
    expect([await count('m'), await count('h'), await count('d')]).toEqual([26 * 60 - 1, 25, 1]);
    expect(await rollUps.addUp()).toBe(0);
    const day = await database.repository(MonitorStat).findOneByOrFail({ taskId: Number(id), unit: 'd' });
    expect(day).toMatchObject({ checks: 1440, oks: 1080, timed: 1080, msTotal: 108_000, msMost: 100 });
    const { msg } = (await user('monitor_stat', { id: id!, range: '7d' })) as unknown as {
      msg: { uptime: Record<string, number>; points: { checks: number; ms: number }[] };
    };
    expect(msg.uptime).toMatchObject({ '7d': 75, '30d': 75, '1y': 75 });
    expect(msg.uptime['24h']).toBeCloseTo(75, 0);
    expect(msg.points.reduce((sum, { checks }) => sum + checks, 0)).toBe(26 * 60);
    expect(msg.points[0]!.ms).toBe(100);
    for (const range of ['24h', '7d', '30d', '1y']) {
      const { html } = await page(`/user/monitor?id=${id}&range=${range}`);
      expect(html).toContain('data-chart');
      expect(html).toContain('75 %');
    }
    expect((await page(`/user/monitor?id=${id}&range=x`)).status).toBe(200);
    now += 4 * 86_400_000;
    expect(await rollUps.removeOld()).toBeGreaterThan(26 * 60);
    expect(await database.repository(MonitorCheck).count()).toBe(0);
    expect([await count('m'), await count('h'), await count('d')]).toEqual([0, 25, 1]);
  });

  it('count immediately in every range, before aggregation', async () => {
    now = Date.parse('2027-03-10T13:10:30.000Z');
    await save();
    const { id } = await only();
    const found = (status: string, ago: number) => ({
      ...{ taskId: Number(id), user: 'owner01', status, responseTime: status === 'ok' ? 40 : null, createdAt: new Date(now - ago) },
    });
    const checks = database.repository(MonitorCheck);
    await checks.insert([found('ok', 150_000), found('ok', 90_000), found('fail', 5_000)]);
    const seen = async (range: string) =>
      (await user('monitor_stat', { id: id!, range })).msg as unknown as { uptime: object; points: { checks: number; oks: number }[] };
    const all = { '24h': 66.66, '7d': 66.66, '30d': 66.66, '1y': 66.66 };
    for (const range of Object.keys(all)) {
      const { uptime, points } = await seen(range);
      expect(uptime).toEqual(all);
      expect([points.reduce((sum, { checks }) => sum + checks, 0), points.at(-1)]).toMatchObject([3, { oks: 2, ms: 40 }]);
    }
    await panel.get(RollUps).addUp();
    await checks.insert(found('fail', 0));
    for (const range of Object.keys(all)) expect((await seen(range)).uptime).toEqual({ '24h': 50, '7d': 50, '30d': 50, '1y': 50 });
    expect((await page('/user/monitors')).html).toContain('50 %');
  });

  it.runIf(testEngine === 'sqlite')('are read from an index, however many there are', async () => {
    await save();
    const { id } = await only();
    const asked = await readsOf(database, async () => {
      await lookOnceIn(panel);
      await user('monitor_list');
      await user('monitor_log_list', { id: id! });
      await user('monitor_stat', { id: id!, range: '30d' });
      await page('/user/monitors');
    });
    const ours = asked.filter((sql) => /FROM `SVC_monitor_(task|log|stat)`/.test(sql));
    expect(ours.length).toBeGreaterThan(6);
    for (const sql of ours)
      expect(
        planOf(database, sql).filter((line) => /^SCAN/.test(line) && !/USING (COVERING )?INDEX/.test(line)),
        sql,
      ).toEqual([]);
  });
});

describe('an Uptime-Kuma export', () => {
  type Imported = Omit<AjaxAnswer, 'rows'> & { summary: string; new_text: string; refused_text: string; rows: Record<string, string>[] };
  async function send(gn: string, file: string | Uint8Array<ArrayBuffer> | null, cookie = owner): Promise<Imported> {
    const body = new FormData();
    body.append('gn', gn);
    if (file !== null) body.append('file', new Blob([file]), 'Uptime_Kuma_Backup.json');
    const side = cookie === panel.adminCookie ? 'admin' : 'user';
    const headers = { Cookie: cookie, 'Accept-Language': 'en' };
    return (await (await panel.fetch(`/${side}/ajax.php`, { method: 'POST', body, headers })).json()) as Imported;
  }
  const outcomes = ({ rows }: Imported) => rows.map(({ name, outcome, reason }) => [name, outcome, reason]);
  const web = (name: string, more: object = {}) => kumaMonitor({ name, url, timeout: 10, ...more });

  it('is previewed, imports what fits, and explains what it skips', async () => {
    const file = kumaBackup([
      web('shop', { interval: 5, basic_auth_user: 'me', basic_auth_pass: 's3cret' }),
      web('router', { type: 'ping', hostname: '10.0.0.1' }),
      web('inside', { url: 'http://10.0.0.1/' }),
      web('long', { url: `${url}/${'x'.repeat(1_000)}` }),
      web('shop'),
      kumaMonitor({ id: 5, name: 'cron', type: 'push', pushToken: 'abc' }),
    ]);
    const expected = [
      ['shop', 'new', ''],
      ['router', 'refused', 'type “ping” is not supported'],
      ['inside', 'refused', 'This is not a valid http or https address, or it points to an internal network.'],
      ['long', 'refused', 'exceeds the allowed length: url'],
      ['shop', 'there', ''],
      ['cron', 'new', ''],
    ];
    const looked = await send('monitor_import_look', file);
    expect(outcomes(looked)).toEqual(expected);
    expect(looked.summary).toBe('2 can be imported, 1 already exist, 3 cannot be imported. Nothing has been changed yet.');
    expect(looked.new_text).toContain('shop · URL · http://127.0.0.1');
    expect(looked.new_text).toContain('– checked every 15 s, not 5 s');
    expect(looked.rows.every(({ push_url }) => push_url === '')).toBe(true);
    expect(await database.repository(MonitorTask).count()).toBe(0);
    const made = await send('monitor_import', file);
    expect(outcomes(made)).toEqual(expected);
    expect((await user('monitor_list')).msg.tasks).toMatchObject([
      { name: 'shop', interval_seconds: 15, has_headers: 'true', state: 'pending', enabled: 'true' },
      { name: 'cron', task_type: 'push' },
    ]);
    expect(JSON.stringify([looked, made, await database.repository(MonitorTask).find()])).not.toMatch(/s3cret|bWU6czNjcmV0/);
    const pushed = made.rows.at(-1)!.push_url!;
    expect((await fetch(pushed)).status).toBe(200);
    const again = await send('monitor_import', file);
    expect(again.summary).toBe('0 imported, 3 already existed, 3 could not be imported.');
    expect(await database.repository(MonitorTask).count()).toBe(2);
  });

  it('imports no more than an account may have, also for many at once, and everything for administrators', async () => {
    const file = kumaBackup(Array.from({ length: 120 }, (_value, at) => web(`m${at}`)));
    const [one, two] = await Promise.all([send('monitor_import', file), send('monitor_import', file), save({ name: 'by hand' })]);
    expect(await database.repository(MonitorTask).count()).toBe(5);
    expect(outcomes(one!).at(-1)).toEqual(['m119', 'refused', 'the limit is 5 monitors']);
    expect(outcomes(two!).at(-1)).toEqual(['m119', 'refused', 'the limit is 5 monitors']);
    const all = await Promise.all([send('jkdr', file, panel.adminCookie), send('jkdr', file, panel.adminCookie)]);
    expect(all.map(({ summary }) => summary.replace(/\D+/g, ' ').trim()).sort()).toEqual(['0 120 0', '120 0 0']);
    expect(await database.repository(MonitorTask).countBy({ user: '' })).toBe(120);
  });

  it('imports as many as the plan allows, and nothing if it allows none', async () => {
    const hosts = (await panel.admin('listzj')).rows as unknown as { id: string; user: string }[];
    const { id } = hosts.find(({ user: name }) => name === 'owner01')!;
    const file = kumaBackup([web('one'), web('two'), web('three')]);
    try {
      await panel.admin('zjmode', { id, jk_max: '0' });
      expect(outcomes(await send('monitor_import', file))[0]).toEqual([
        'one',
        'refused',
        'Your plan does not include monitors. Ask for a plan that does.',
      ]);
      await panel.admin('zjmode', { id, jk_max: '2' });
      const expected = [
        ['one', 'new', ''],
        ['two', 'new', ''],
        ['three', 'refused', 'the limit is 2 monitors'],
      ];
      expect(outcomes(await send('monitor_import_look', file))).toEqual(expected);
      expect(outcomes(await send('monitor_import', file))).toEqual(expected);
      expect(await database.repository(MonitorTask).count()).toBe(2);
    } finally {
      await panel.admin('zjmode', { id, jk_max: '' });
    }
  });

  it('is rejected with what to do when invalid, and for anyone not signed in', async () => {
    for (const [file, problem] of [
      [null, 'Choose a file first'],
      ['<html>', 'Not a JSON file, or incomplete. In Uptime-Kuma: Settings → Backup → Export'],
      [new Uint8Array([0xff, 0xfe, 0x7b, 0]), /^Not UTF-8/],
      ['[]', 'Not an Uptime-Kuma export: monitorList is missing'],
      [' '.repeat(4 * 1024 * 1024 + 1), /^Larger than 4 MB/],
    ] as const)
      expect((await send('monitor_import', file)).fields, String(problem)).toEqual({ file: expect.stringMatching(problem) as string });
    expect(await send('monitor_import', kumaBackup([web('x')]), 'none')).toMatchObject({ code: '请登陆' });
    expect(await database.repository(MonitorTask).count()).toBe(0);
  });
});

describe('the neutral target', () => {
  it('is refused when it does not respond, saved when it does, and the page says that alarms are on hold', async () => {
    for (const neutral of ['nonsense', 'ftp://a.test/', '127.0.0.2:9', '10.0.0.1:80', 'http://127.0.0.1:1/'])
      expect((await panel.admin('jksz', { jk_max: '5', neutral })).fields, neutral).toHaveProperty('neutral');
    for (const neutral of [`127.0.0.1:${target.port}`, url]) {
      expect(await panel.admin('jksz', { jk_max: '5', neutral })).toMatchObject({ success: true });
      expect(await panel.admin('jksz', { jk_max: '5' })).toMatchObject({ success: true });
      expect((await page('/admin/monitors', panel.adminCookie)).html).toContain(neutral);
    }
    await database.repository(MonitorHold).insert({ id: 1, since: new Date(now), told: false });
    expect((await page('/admin/monitors', panel.adminCookie)).html).toContain('Alerts have been on hold since');
    await panel.admin('jksz', { neutral: '' });
    await panel.get(OwnNetwork).review();
    expect((await page('/admin/monitors', panel.adminCookie)).html).not.toContain('Alerts have been on hold since');
  });
});

describe('pages of monitors', () => {
  it('show the monitors and link on, on both sides and in both languages', async () => {
    for (const language of ['en', 'zh-CN']) {
      const empty = await page('/user/monitors', owner, language);
      expect(empty.html).toContain('/user/monitor-form?kind=url');
      for (const kind of ['url', 'tcp', 'dns', 'cert', 'domain', 'push', 'resource']) {
        const { status, html } = await page(`/user/monitor-form?kind=${kind}`, owner, language);
        expect([kind, status]).toEqual([kind, 200]);
        expect(html).toContain('data-ajax="monitor_save"');
        expect(html.includes('name="status_rule"'), kind).toBe(kind === 'url');
        expect(html.includes('name="resource_type"'), kind).toBe(kind === 'resource');
      }
      expect(empty.html).toContain('href="/user/monitor-import"');
      expect((await page('/user/monitor-import', owner, language)).html).toContain('data-instead="monitor_import_look"');
      for (const path of ['monitors', 'monitor-form?kind=server', 'monitor-form?kind=url', 'monitor-import'])
        expect((await page(`/admin/${path}`, panel.adminCookie, language)).status, path).toBe(200);
    }
    for (const path of [
      '/user/monitor-form?kind=server',
      '/user/monitor-form?kind=x',
      '/user/monitor-form',
      '/user/monitor?id=1e9',
      '/user/monitor',
    ])
      expect((await page(path)).status, path).toBe(404);
  });

  it('show names and responses as text', async () => {
    answer = (response) => void response.writeHead(500).end('<script>alert(1)</script>');
    await save({ name: '<img src=x onerror=alert(1)>', tags: '<b>' });
    await minute();
    const { id } = await only();
    for (const [path, cookie] of [
      ['/user/monitors', owner],
      [`/user/monitor?id=${id}`, owner],
      ['/admin/monitors', panel.adminCookie],
      [`/admin/monitor?id=${id}`, panel.adminCookie],
    ] as const) {
      const { html } = await page(path, cookie);
      expect(html, path).toContain('&lt;img src=x');
      expect(html, path).not.toMatch(/<img src=x|<script>alert/);
    }
  });

  it('list those of an account, also as a file, by name, state and kind', async () => {
    answer = (response) => void response.writeHead(200).end('ok');
    await save({ name: 'Shop' });
    await save({ name: 'Blog', tags: 'Words', task_type: 'push', interval_seconds: '60' });
    await minute();
    const namesOn = async (query: string): Promise<string[]> =>
      [...(await page(`/user/monitors?${query}`)).html.matchAll(/<a href="\/user\/monitor\?id=\d+"[^>]*>\s*([^<]+?)\s*<\/a/g)].map(
        ([, name]) => name!,
      );
    expect(await namesOn('')).toEqual(['Shop', 'Blog']);
    expect(await namesOn('q=SHOP')).toEqual(['Shop']);
    expect(await namesOn('q=words')).toEqual(['Blog']);
    expect(await namesOn('state=pending')).toEqual(['Blog']);
    expect(await namesOn('task_type=url')).toEqual(['Shop']);
    expect((await page('/user/monitors')).html).toMatch(/<div class="bars" role="img" aria-label="Recent checks 1 \/ 1">/);
    const file = await panel.fetch('/user/monitors?task_type=url&export=monitors', { headers: { Cookie: owner, 'Accept-Language': 'en' } });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="monitors.csv"');
    expect(Buffer.from(await file.arrayBuffer()).toString('utf8')).toMatch(
      /^\uFEFFName,Status,Recent checks,Time,Uptime 24 h\r\nShop,Up,1 \/ 1,\d+ ms,100 %\r\n$/,
    );
  });
});
