import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DurableEvent, EventDispatcher, HookRegistry } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';

const POOL = {
  name: '华东',
  username: 'Dealer',
  password: 'dealer-pass-1',
  web_space: '1000',
  sql_space: '500',
  flow: '100',
  expire_date: '',
};
const HOST = {
  node: 'local',
  host_pass: 'secret-pass-1',
  web_space: '100',
  sql_space: '10',
  flow: '1',
  domain_count: '3',
  expire_date: '',
};
const SECOND = 1_000;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.enable('resource_pool');
});
afterAll(() => panel?.close());

let pools = 0;
/** Creates a pool. */
async function addPool(fields: Record<string, string> = {}): Promise<string> {
  pools += 1;
  const answer = await panel.admin('p_respool_save', { ...POOL, username: `dealer${pools}`, ...fields });
  expect(answer).toMatchObject({ success: true });
  return String(answer.data.id);
}
const open = (pool_id: string, host_user: string, fields: Record<string, string> = {}): Promise<AjaxAnswer & { host_id?: number }> =>
  panel.admin('p_respool_open_host', { ...HOST, pool_id, host_user, ...fields });
const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  ((await panel.admin('p_respool_list', { limit: '200' })).rows as unknown as Record<string, unknown>[]).find(
    (row) => String(row.id) === id,
  )!;
const hostsOf = async (pool: string): Promise<Record<string, unknown>[]> =>
  (await panel.admin('p_respool_hosts', { pool, limit: '200' })).rows as unknown as Record<string, unknown>[];
const sql = (statement: string, params: unknown[] = []): Promise<unknown> =>
  panel.get(Database).dataSource.query(statement.replace(/\{(\w+)\}/g, 'SVC_plg_resource_pool_$1'), params);
const outside = async (user: string, quota: { webMb?: number; databaseMb?: number; trafficGb?: number } = {}): Promise<number> =>
  (
    await panel
      .get(HostingService)
      .provision(
        { node: 'local', user, password: 'secret-pass-1', expiresOn: null, webMb: 10, databaseMb: 10, trafficGb: 1, ...quota },
        'admin',
      )
  ).id;

/** Browser session of a sub-reseller. */
class Dealer {
  cookie = '';

  async get(path: string, language = 'en'): Promise<{ status: number; text: string; location: string | null }> {
    return this.answer(await panel.fetch(path, { headers: { Cookie: this.cookie, 'Accept-Language': language } }));
  }

  async post(path: string, fields: Record<string, string> = {}): Promise<{ status: number; text: string; location: string | null }> {
    const headers = { Cookie: this.cookie, 'Accept-Language': 'en' };
    return this.answer(await panel.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers }));
  }

  signIn(username: string, password = POOL.password) {
    return this.post('/pool/login', { username, password });
  }

  private async answer(response: Response) {
    const line = response.headers.getSetCookie().find((one) => one.startsWith('pool_token='));
    if (line) this.cookie = line.split(';')[0]!;
    return { status: response.status, text: await response.text(), location: response.headers.get('location') };
  }
}

async function dealerOf(pool: string): Promise<Dealer> {
  const dealer = new Dealer();
  expect(await dealer.signIn(String((await rowOf(pool)).username))).toMatchObject({ status: 303, location: '/pool' });
  return dealer;
}

describe('pools', () => {
  it('are added, changed and listed with their usage, in both languages', async () => {
    const id = await addPool({ name: 'North', nodes: '["local"]', expire_date: '2099-12-31', remark: 'since May' });
    expect(await rowOf(id)).toMatchObject({ name: 'North', nodes: ['local'], expire_date: '2099-12-31', state: 'open', hosts: 0 });
    expect(
      await panel.admin('p_respool_save', { ...POOL, id, name: 'South', username: 'north', password: '', 'nodes[]': 'local' }),
    ).toMatchObject({
      success: true,
    });
    expect(await rowOf(id)).toMatchObject({ name: 'South', username: 'north', nodes: ['local'], expire_date: '' });
    await open(id, 'northhost1');
    expect(await rowOf(id)).toMatchObject({ hosts: 1, web_used: '100 / 1000 MB' });
    for (const [page, language, words] of [
      ['list', 'en', 'Add pool'],
      ['list', 'zh-CN', '新建资源池'],
      [`add&id=${id}`, 'en', 'South'],
      ['add&id=999', 'en', 'Page not found'],
      [`hosts&pool=${id}`, 'zh-CN', 'northhost1'],
      [`open&pool=${id}`, 'en', '100 / 1000 MB'],
    ] as const) {
      const path = `/admin/plugin.php?p=resource_pool&page=${page}`;
      const html = await (await panel.adminFetch(path, { headers: { 'Accept-Language': language } })).text();
      expect(html).toContain(words);
      expect(html).toContain('resource_pool/admin.css');
    }
    const log = JSON.stringify(await panel.admin('log', { limit: '20' }));
    expect(log).not.toContain(POOL.password);
  });

  it.each([
    ['name', ''],
    ['username', 'a b'],
    ['username', '<script>'],
    ['password', 'short'],
    ['nodes', '["nowhere"]'],
    ['nodes', '[1]'],
    ['nodes', '[broken'],
    ['web_space', '-1'],
    ['sql_space', '1.5'],
    ['flow', '99999999999'],
    ['expire_date', '2027-02-30'],
    ['status', 'maybe'],
    ['remark', 'x'.repeat(256)],
  ])('refuse %s = %j and name the field', async (field, value) => {
    const answer = await panel.admin('p_respool_save', { ...POOL, username: 'garbage', [field]: value });
    expect(answer).toMatchObject({ success: false });
    expect(Object.keys(answer.fields!)).toEqual([field]);
    expect(
      (
        (await panel.admin('p_respool_list', { where: JSON.stringify({ name: 'name', type: '2', value: 'garbage' }) })) as {
          total?: number;
        }
      ).total,
    ).toBe(0);
  });

  it('have names that are unique ignoring case, also for concurrent requests', async () => {
    const tries = await Promise.all(['Twin', 'tWIN', 'twin'].map((username) => panel.admin('p_respool_save', { ...POOL, username })));
    expect(tries.filter(({ success }) => success)).toHaveLength(1);
    for (const refused of tries.filter(({ success }) => !success)) expect(refused.fields).toHaveProperty('username');
    for (const id of ['999', 'x', '-1']) expect(await panel.admin('p_respool_save', { ...POOL, id })).toMatchObject({ success: false });
  });

  it('that are deleted leave their hosts to the reseller, and end every session', async () => {
    const id = await addPool();
    const { host_id } = await open(id, 'lefthost1');
    const dealer = await dealerOf(id);
    expect(await panel.admin('p_respool_delete', { id })).toMatchObject({ success: true });
    expect(await rowOf(id)).toBeUndefined();
    expect(await panel.get(HostingService).get(host_id!)).toMatchObject({ status: 'active' });
    expect(await dealer.get('/pool')).toMatchObject({ status: 303, location: '/pool/login?next=%2Fpool' });
    expect(await panel.admin('p_respool_bind_host', { pool_id: await addPool(), host_id: 'lefthost1' })).toMatchObject({ success: true });
  });
});

describe('the quota', () => {
  it('is never exceeded by concurrent requests, and fires host.created with its source', async () => {
    const id = await addPool({ web_space: '500' });
    const tries = await Promise.all(Array.from({ length: 12 }, (_, at) => open(id, `manyhost${at}`)));
    const opened = tries.filter(({ success }) => success);
    expect(opened).toHaveLength(5);
    for (const refused of tries.filter(({ success }) => !success)) expect(refused.code).toMatch(/额度|quota/);
    expect(await rowOf(id)).toMatchObject({ hosts: 5, web_used: '500 / 500 MB', over: '' });
    const events = await panel
      .get(Database)
      .repository(DurableEvent)
      .findBy({ hook: 'host.created', subject: `host:${opened[0]!.host_id}` });
    expect(events).toMatchObject([{ source: 'resource_pool' }]);
  });

  it('is charged once for a repeated request', async () => {
    const id = await addPool();
    const request = { request: 'b7f3c1de-0001' };
    const answers = await Promise.all([open(id, 'oncehost1', request), open(id, 'oncehost1', request)]);
    const again = await open(id, 'oncehost1', request);
    expect(new Set([...answers, again].flatMap(({ host_id }) => (host_id ? [host_id] : []))).size).toBe(1);
    expect(await rowOf(id)).toMatchObject({ hosts: 1 });
    expect(await open(id, 'otherhost1', request)).toMatchObject({ success: false });
  });

  it('limits the other amounts as well, and 0 means unlimited', async () => {
    const id = await addPool({ web_space: '0', sql_space: '20', flow: '0' });
    expect(await open(id, 'endless01', { web_space: '0', flow: '0' })).toMatchObject({ success: true });
    expect(await open(id, 'endless02', { web_space: '900000', sql_space: '11' })).toMatchObject({ success: false });
    // A host without a limit does not fit into a limited pool.
    expect(await open(id, 'endless03', { sql_space: '0' })).toMatchObject({ success: false });
    expect(await open(id, 'endless04', { sql_space: '' })).toMatchObject({ success: false });
    for (const sql_space of ['-1', 'NaN', '1e3', '0x10']) {
      expect((await open(id, 'endless05', { sql_space })).fields).toHaveProperty('sql_space');
    }
    expect(await open(id, 'endless06')).toMatchObject({ success: true });
    expect(await rowOf(id)).toMatchObject({ sql_used: '20 / 20 MB' });
  });

  it('reports at every field what is missing, and to the person who opens the host what does not fit elsewhere', async () => {
    const id = await addPool({ web_space: '200', sql_space: '20', flow: '0', expire_date: '2099-06-30' });
    const inEnglish = { ...HOST, pool_id: id, host_user: 'lacking001', web_space: '201', sql_space: '0', lang: 'en' };
    const { success, code, fields } = await panel.admin('p_respool_open_host', { ...inEnglish, node: 'nowhere' });
    expect({ success, fields: Object.keys(fields ?? {}).sort() }).toEqual({ success: false, fields: ['node', 'sql_space', 'web_space'] });
    for (const words of Object.values(fields ?? {})) expect(words.split(' ').every((word) => String(code).includes(word))).toBe(true);
    expect([fields!.web_space, fields!.sql_space]).toEqual([expect.stringMatching(/200 MB/), expect.stringMatching(/ 20 MB/)]);

    const dealer = await dealerOf(id);
    const wrongIn = (text: string): string[] => [...text.matchAll(/<small class="wrong" id="(\w+)-error">/g)].map(([, name]) => name!);
    const asked = { ...HOST, host_user: 'lacking001', expire_date: '2099-07-01', web_space: '201', sql_space: '21' };
    const refused = await dealer.post('/pool/open', asked);
    expect([refused.status, wrongIn(refused.text)]).toEqual([422, ['expire_date', 'web_space', 'sql_space']]);
    const { host_id } = await open(id, 'lacking002');
    const limits = async (of: Record<string, string>): Promise<unknown[]> => {
      const { status, text } = await dealer.post(`/pool/host/${host_id}/limits`, { ...HOST, ...of });
      return [status, wrongIn(text)];
    };
    expect(await limits({ web_space: '201', sql_space: '21', flow: '9' })).toEqual([422, ['web_space', 'sql_space']]);
    expect(await limits({ web_space: '-1', flow: 'x', domain_count: 'y' })).toEqual([422, ['web_space', 'flow', 'domain_count']]);
    expect(await rowOf(id)).toMatchObject({ hosts: 1, web_used: '100 / 200 MB' });
  });

  it('is released when the panel refuses, and when a host is deleted, whose name becomes free', async () => {
    const id = await addPool({ web_space: '100' });
    await outside('takenname1');
    for (const [host_user, fields] of [
      ['takenname1', {}],
      ['short', {}],
      ['goodname01', { host_pass: 'x' }],
      ['goodname01', { node: 'nowhere' }],
    ] as const) {
      expect(await open(id, host_user, fields)).toMatchObject({ success: false });
    }
    expect(await rowOf(id)).toMatchObject({ hosts: 0 });
    const { host_id } = await open(id, 'goodname01');
    await panel.get(HostingService).terminate(host_id!, 'admin', { destroy: true });
    await panel.get(EventDispatcher).idle();
    expect(await rowOf(id)).toMatchObject({ hosts: 0 });
    await outside('goodname01');
    expect(await hostsOf(id)).toEqual([]);
  });

  it('counts hosts in their current state: changes made elsewhere count, and nothing new is opened meanwhile', async () => {
    const id = await addPool({ web_space: '300' });
    const { host_id } = await open(id, 'grown00001');
    await panel.get(HostingService).setQuota(host_id!, { webMb: 400 }, 'admin');
    expect(await rowOf(id)).toMatchObject({ web_used: '400 / 300 MB', over: expect.stringMatching(/Web space|网页空间/) });
    expect(await open(id, 'grown00002', { web_space: '1' })).toMatchObject({ success: false });
    await panel.get(HostingService).setQuota(host_id!, { webMb: 0 }, 'admin');
    expect((await rowOf(id)).web_used).toMatch(/^(不限|no limit) \/ 300 MB$/);
    await panel.get(HostingService).setQuota(host_id!, { webMb: 299 }, 'admin');
    expect(await open(id, 'grown00002', { web_space: '1' })).toMatchObject({ success: true });
  });

  it('survives a crash between reservation and host: created hosts join, others are released, nothing twice', async () => {
    const id = await addPool({ web_space: '200' });
    const { host_id } = await open(id, 'crashed001');
    const longAgo = new Date(Date.now() - 3_600 * SECOND).toISOString();
    await sql("UPDATE {member} SET state = 'opening', host_id = NULL, since = ? WHERE host_id = ?", [longAgo, host_id]);
    await sql(
      `INSERT INTO {member} (pool_id, host_user, state, web_mb, database_mb, traffic_gb, starts_paused, opening_key, since)
        VALUES (?, 'never00001', 'opening', 100, 10, 1, ?, 'no-such-key', ?)`,
      [id, 0, longAgo],
    );
    // Both are reserved meanwhile.
    expect(await rowOf(id)).toMatchObject({ hosts: 2, web_used: '200 / 200 MB' });
    expect(await open(id, 'crashed002')).toMatchObject({ success: false });
    expect(await panel.admin('p_respool_delete', { id })).toMatchObject({ success: false });
    await panel.get(HookRegistry).doAction('cron');
    expect(await hostsOf(id)).toMatchObject([{ user: 'crashed001', host_id, state: 'active' }]);
    expect(await panel.admin('p_respool_repair')).toMatchObject({ success: true, adopted: 0, released: 0 });
    expect(await open(id, 'crashed002')).toMatchObject({ success: true });
  });
});

describe('members', () => {
  it('belong to one pool at most, on its servers, within its quota', async () => {
    const [one, other] = [await addPool({ web_space: '50' }), await addPool()];
    const host = await outside('bindhost01');
    const binds = await Promise.all([one, other].map((pool_id) => panel.admin('p_respool_bind_host', { pool_id, host_id: String(host) })));
    expect(binds.filter(({ success }) => success)).toHaveLength(1);
    expect(await panel.admin('p_respool_bind_host', { pool_id: other, host_id: 'BINDHOST01' })).toMatchObject({ success: false });
    await outside('bindhost02', { webMb: 51 });
    expect(await panel.admin('p_respool_bind_host', { pool_id: one, host_id: 'bindhost02' })).toMatchObject({ success: false });
    await outside('bindhost03', { webMb: 0 });
    expect(await panel.admin('p_respool_bind_host', { pool_id: one, host_id: 'bindhost03' })).toMatchObject({ success: false });
    for (const host_id of ['', 'nobody-here', '999999', '<script>', '__proto__']) {
      expect(await panel.admin('p_respool_bind_host', { pool_id: one, host_id })).toMatchObject({ success: false });
    }
    const owner = binds[0]!.success ? one : other;
    const wrong = owner === one ? other : one;
    expect(await panel.admin('p_respool_unbind_host', { pool_id: wrong, host_id: String(host) })).toMatchObject({ success: false });
    expect(await panel.admin('p_respool_unbind_host', { pool_id: owner, host_id: String(host) })).toMatchObject({ success: true });
    expect(await panel.get(HostingService).get(host)).toMatchObject({ status: 'active' });
  });

  it('stay on the servers of their pool, or are reported', async () => {
    const id = await addPool({ nodes: '["local"]' });
    await open(id, 'placed0001');
    await sql('UPDATE {pool} SET nodes = ? WHERE id = ?', ['["elsewhere"]', id]);
    expect(await open(id, 'placed0002')).toMatchObject({ success: false });
    await outside('placed0003');
    expect(await panel.admin('p_respool_bind_host', { pool_id: id, host_id: 'placed0003' })).toMatchObject({ success: false });
    expect((await hostsOf(id))[0]!.notes).toHaveLength(1);
    // A deleted server may stay in the list, or be removed from it.
    const { username } = await rowOf(id);
    const saved = await panel.admin('p_respool_save', { ...POOL, id, username: String(username), password: '', nodes: 'elsewhere,local' });
    expect(saved).toMatchObject({ success: true });
    expect(await open(id, 'placed0002')).toMatchObject({ success: true });
  });

  it('are opened paused on request, and not at all in a disabled or expired pool', async () => {
    const id = await addPool();
    const { host_id } = await open(id, 'paused0001', { host_status: 'false' });
    expect(await panel.get(HostingService).get(host_id!)).toMatchObject({ status: 'paused', pauseReasons: ['resource_pool'] });
    await panel.admin('p_respool_status', { id, status: 'disabled' });
    expect(await open(id, 'paused0002')).toMatchObject({ success: false });
    expect(await panel.admin('p_respool_status', { id, status: 'x' })).toMatchObject({ success: false });
    const over = await addPool({ expire_date: '2020-01-01' });
    expect(await rowOf(over)).toMatchObject({ state: 'over' });
    expect(await open(over, 'paused0003')).toMatchObject({ success: false });
    expect(await open('999', 'paused0003')).toMatchObject({ success: false });
  });

  it('that no longer exist are pruned', async () => {
    const id = await addPool();
    await open(id, 'pruned0001');
    await sql(
      "INSERT INTO {member} (pool_id, host_id, host_user, state, opening_key, since) VALUES (?, 999999, 'ghost00001', 'open', '', '')",
      [id],
    );
    expect(await rowOf(id)).toMatchObject({ hosts: 1 });
    expect(await hostsOf(id)).toMatchObject([{ user: 'ghost00001', state: 'gone' }, { user: 'pruned0001' }]);
    expect(await panel.admin('p_respool_prune')).toMatchObject({ success: true, removed: 1 });
    expect(await hostsOf(id)).toMatchObject([{ user: 'pruned0001' }]);
  });
});

describe('the sub-reseller', () => {
  const form = (host_user: string, fields: Record<string, string> = {}) => ({
    ...HOST,
    host_user,
    request: crypto.randomUUID(),
    ...fields,
  });
  const idIn = (text: string): string => /\/pool\/host\/(\d+)/.exec(text)![1]!;

  it('signs in by name and password, and is signed out when disabled', async () => {
    const id = await addPool();
    const { username } = (await rowOf(id)) as { username: string };
    const dealer = new Dealer();
    for (const path of ['/pool', '/pool/open', '/pool/host/1', '/pool/password']) {
      expect(await dealer.get(path)).toMatchObject({ status: 303, location: `/pool/login?next=${encodeURIComponent(path)}` });
    }
    expect((await dealer.get('/pool/login', 'zh-CN')).text).toContain('分销商登录');
    expect(await dealer.signIn(username, 'wrong-pass-1')).toMatchObject({ status: 422 });
    expect(await dealer.signIn('nobody', POOL.password)).toMatchObject({ status: 422 });
    expect(await dealer.signIn(` ${username.toUpperCase()} `)).toMatchObject({ status: 303, location: '/pool' });
    expect((await dealer.get('/pool')).text).toContain('No hosts yet');
    await panel.admin('p_respool_status', { id, status: 'disabled' });
    expect(await dealer.get('/pool')).toMatchObject({ status: 303 });
    expect(await dealer.signIn(username)).toMatchObject({ status: 403 });
    await panel.admin('p_respool_status', { id, status: 'enabled' });
    expect(await dealer.get('/pool')).toMatchObject({ status: 303 });
  });

  it('changes the password, which ends every other session', async () => {
    const id = await addPool();
    const [here, there] = [await dealerOf(id), await dealerOf(id)];
    const change = (old_password: string, new_password: string, new_password2 = new_password) =>
      here.post('/pool/password', { old_password, new_password, new_password2 });
    expect(await change('wrong', 'another-pass-1')).toMatchObject({ status: 422 });
    expect(await change(POOL.password, 'short')).toMatchObject({ status: 422 });
    expect(await change(POOL.password, 'another-pass-1', 'another-pass-2')).toMatchObject({ status: 422 });
    expect(await change(POOL.password, 'another-pass-1')).toMatchObject({ status: 303 });
    expect(await here.get('/pool')).toMatchObject({ status: 200 });
    expect(await there.get('/pool')).toMatchObject({ status: 303 });
    const { username } = (await rowOf(id)) as { username: string };
    expect(await there.signIn(username)).toMatchObject({ status: 422 });
    expect(await here.post('/pool/logout')).toMatchObject({ status: 303, location: '/pool/login' });
    expect(await here.get('/pool')).toMatchObject({ status: 303 });
  });

  it('opens, renews, suspends, resumes, enlarges, resets and deletes a host of the pool', async () => {
    const id = await addPool({ expire_date: '2099-12-31', web_space: '200' });
    const dealer = await dealerOf(id);
    expect((await dealer.get('/pool/open')).text).toContain('0 / 200 MB');
    for (const expire_date of ['', '2100-01-01', '2027-02-30']) {
      expect(await dealer.post('/pool/open', form('mydeal0001', { expire_date }))).toMatchObject({ status: 422 });
    }
    const opened = await dealer.post('/pool/open', form('mydeal0001', { expire_date: '2099-06-30', host_pass: '' }));
    const password = /<code>([^<]{16})<\/code>/.exec(opened.text)![1]!;
    const host = idIn(opened.text);
    await expect(panel.signInUser('mydeal0001', password)).resolves.toContain('user_token');
    expect((await dealer.post('/pool/open', form('mydeal0002', { expire_date: '2099-06-30', web_space: '101' }))).text).toContain(
      '100 MB of 200 MB left',
    );
    expect((await dealer.get('/pool?q=mydeal')).text).toContain('mydeal0001');
    const run = async (action: string, fields: Record<string, string> = {}) => {
      const { status, text } = await dealer.post(`/pool/host/${host}/${action}`, fields);
      return { status, text, host: await panel.get(HostingService).get(Number(host)) };
    };
    expect(await run('renew', { expire_date: '2099-12-31' })).toMatchObject({ status: 200, host: { expiresOn: '2099-12-31' } });
    for (const expire_date of ['', '2100-01-01', '2001-01-01', 'x']) {
      expect(await run('renew', { expire_date })).toMatchObject({ status: 422, host: { expiresOn: '2099-12-31' } });
    }
    expect(await run('suspend')).toMatchObject({ host: { status: 'paused' } });
    await panel.get(HostingService).pause(Number(host), 'admin', 'admin');
    expect(await run('resume')).toMatchObject({ host: { status: 'paused', pauseReasons: ['admin'] } });
    await panel.get(HostingService).unpause(Number(host), 'admin', 'admin');
    const limits = { web_space: '200', sql_space: '20', flow: '2', domain_count: '0' };
    expect(await run('limits', limits)).toMatchObject({ status: 200, host: { webMb: 200, databaseMb: 20, trafficGb: 2, domains: 0 } });
    for (const web_space of ['201', '0', '', '-1'])
      expect(await run('limits', { ...limits, web_space })).toMatchObject({ status: 422, host: { webMb: 200 } });
    expect((await run('reset', { password: 'a-given-pass-1' })).text).not.toContain('a-given-pass-1');
    await expect(panel.signInUser('mydeal0001', 'a-given-pass-1')).resolves.toContain('user_token');
    expect(await run('reset', { password: 'x' })).toMatchObject({ status: 422 });
    expect(await run('delete', { confirm: 'other' })).toMatchObject({ status: 422, host: { status: 'active' } });
    expect(await run('delete', { confirm: 'MyDeal0001' })).toMatchObject({ status: 303, host: null });
    expect(await rowOf(id)).toMatchObject({ hosts: 0 });
    // Each action has one line in the operation log that names the sub-reseller; refused actions have none.
    const { username } = (await rowOf(id)) as { username: string };
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { actor: `resource_pool:${username}` }, order: { id: 'ASC' } });
    expect(lines.map(({ summary }) => summary.replace('[resource_pool] 分销商', ''))).toEqual([
      '登录',
      '开通主机',
      '续期主机',
      '暂停主机',
      '恢复主机',
      '修改主机配额',
      '重置主机密码',
      '删除主机',
    ]);
    expect(lines[3]).toMatchObject({ plugin: 'resource_pool', subject: `host:${host}`, ip: '127.0.0.1' });
  });

  it('can never access another owner’s host, whatever id is sent', async () => {
    const [mine, others] = [await addPool(), await addPool()];
    const dealer = await dealerOf(mine);
    const { host_id: foreign } = await open(others, 'foreign001');
    const free = await outside('foreign002');
    for (const host of [foreign, free, 0, -1, 999_999, 'x', '1%20OR%201', '__proto__']) {
      expect((await dealer.get(`/pool/host/${host}`)).status).toBe(404);
      for (const action of ['renew', 'suspend', 'resume', 'limits', 'reset', 'delete', 'constructor', '__proto__']) {
        expect(
          (await dealer.post(`/pool/host/${host}/${action}`, { ...HOST, confirm: 'foreign001', expire_date: '2099-01-01' })).status,
        ).toBe(404);
      }
    }
    for (const id of [foreign!, free]) expect(await panel.get(HostingService).get(id)).toMatchObject({ status: 'active', expiresOn: null });
    expect(
      (await panel.fetch('/pool', { method: 'POST', headers: { Cookie: dealer.cookie, Origin: 'https://evil.example' } })).status,
    ).not.toBe(200);
    const forged = await panel.fetch('/pool/open', {
      method: 'POST',
      body: new URLSearchParams(form('forged0001')),
      headers: { Cookie: dealer.cookie, Origin: 'https://evil.example' },
    });
    expect(forged.status).toBe(403);
  });

  it('of an expired pool can view, suspend and delete, but not add anything', async () => {
    const id = await addPool();
    const { host_id } = await open(id, 'ended00001');
    const dealer = await dealerOf(id);
    await sql("UPDATE {pool} SET expires_on = '2020-01-01' WHERE id = ?", [id]);
    expect((await dealer.get('/pool')).text).toContain('Your quota has expired');
    expect(await dealer.post('/pool/open', form('ended00002'))).toMatchObject({ status: 403 });
    for (const action of ['renew', 'limits']) {
      expect(await dealer.post(`/pool/host/${host_id}/${action}`, { ...HOST, expire_date: '2019-12-31' })).toMatchObject({ status: 422 });
    }
    expect(await dealer.post(`/pool/host/${host_id}/suspend`)).toMatchObject({ status: 200 });
    expect(await dealer.post(`/pool/host/${host_id}/delete`, { confirm: 'ended00001' })).toMatchObject({ status: 303 });
  });
});

it('accepts any garbage in any field, and answers only with documented messages', async () => {
  const id = await addPool();
  const dealer = await dealerOf(id);
  for (const bad of ['', '<script>alert(1)</script>', '[1,2]', 'NaN', '1e9', '\u0000', '\uFFFD', 'x'.repeat(5_000), "' OR 1=1 --"]) {
    for (const gn of ['save', 'delete', 'status', 'open_host', 'bind_host', 'unbind_host']) {
      const fields = Object.keys({ ...POOL, ...HOST, id, pool_id: id, host_id: '', status: '', remark: '', nodes: '', host_user: '' });
      const answer = await panel.admin(`p_respool_${gn}`, Object.fromEntries(fields.map((field) => [field, bad])));
      expect(answer.success, `${gn} ${bad.slice(0, 20)}`).toBe(false);
    }
    for (const gn of ['list', 'hosts', 'sums']) {
      const answer = await panel.admin(`p_respool_${gn}`, { page: bad, limit: bad, where: bad, sort: bad, pool: bad, status: bad });
      expect(answer.success).not.toBe(false);
    }
    const page = await dealer.post(
      '/pool/open',
      Object.fromEntries(Object.keys({ ...HOST, host_user: '', request: '' }).map((field) => [field, bad])),
    );
    expect(page.status).toBe(422);
    expect(page.text).not.toContain('<script>alert');
    expect((await dealer.get(`/pool?${new URLSearchParams({ q: bad, page: bad, lang: 'en' }).toString()}`)).text).not.toContain(
      '<script>alert',
    );
  }
});

it('keeps track of changes while disabled, and leaves nothing behind when removed', async () => {
  const id = await addPool();
  const { host_id } = await open(id, 'offhost001');
  expect(await panel.disable('resource_pool')).toMatchObject({ success: true });
  expect((await panel.fetch('/pool/login')).status).toBe(404);
  await panel.get(HostingService).terminate(host_id!, 'admin', { destroy: true });
  expect(await panel.tryEnable('resource_pool')).toMatchObject({ success: true });
  await expect.poll(() => hostsOf(id), { timeout: 10_000 }).toEqual([]);
  await panel.disable('resource_pool');
  expect(await panel.admin('plugin_uninstall', { slug: 'resource_pool', data: 'keep' })).toMatchObject({ success: true });
  await panel.enable('resource_pool');
  expect(await rowOf(id)).toMatchObject({ id: Number(id) });
  await panel.disable('resource_pool');
  expect(await panel.admin('plugin_uninstall', { slug: 'resource_pool', data: 'drop' })).toMatchObject({ success: true });
  expect(panel.registrations('resource_pool')).toEqual({});
  await expect(sql('SELECT 1 FROM {pool}')).rejects.toThrow();
  // A host from before is not in a pool created afterwards, although ids start again.
  await panel.enable('resource_pool');
  expect(await open(await addPool({ username: 'anew' }), 'anewhost01')).toMatchObject({ success: true });
});
