/** Files with forbidden words: quarantined by agents that support it, restored, deleted; with the panel's rows, notices and pages. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { AgentNode, ForbiddenMatch, ForbiddenScan, NodeTask, QuarantinedFile } from '../../src/agents/index.js';
import { QuarantineSweep, ScanConsequences } from '../../src/agents/scans/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { BackgroundQueue, type TaskTurn } from '../../src/jobs/index.js';
import { Notice } from '../../src/notify/index.js';
import { OperationLog } from '../../src/operations/index.js';

import { TestAgent } from '../support/agent.js';
import { AgentPlace } from '../support/agent-process.js';
import { jobRan } from '../support/job-witness.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let database: Database;
let agent: TestAgent;
let config: Record<string, string>;
let host: HostingAccount;
let reported = 0;

beforeAll(async () => {
  panel = await TestPanel.start();
  database = panel.get(Database);
  const added = (await panel.admin('addnode', { bt_id: '1' })).data as { node_id: string; config: Record<string, string> };
  config = added.config;
  const secrets = { platformSecret: config.platform_secret!, nodeSecret: config.node_secret! };
  agent = new TestAgent(panel.url, added.node_id, secrets, () => Date.now());
  await panel.signInUser('alice001');
  host = await database.repository(HostingAccount).findOneByOrFail({ username: 'alice001' });
});
afterAll(() => panel?.close());
beforeEach(async () => {
  for (const entity of [QuarantinedFile, NodeTask, ForbiddenMatch, ForbiddenScan, Notice, OperationLog])
    await database.repository<object>(entity).createQueryBuilder().delete().execute();
  await able(true);
  await set({ sgl: 'true', sglts: '30' });
});
afterEach(() => set({ sgl: 'false', sml: '/www/wwwroot' }));

const set = (fields: Record<string, string>) => panel.admin('savescancfg', fields);
const able = (can: boolean) =>
  agent.call('heartbeat', { capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan', ...(can ? ['quarantine'] : [])] });
const inSite = (file = 'index.php') => `/www/wwwroot/${host.siteName}/${file}`;
async function found(...paths: string[]): Promise<void> {
  const matches = paths.map((path) => ({ site: '', type: 'file', path, line: 1, keyword: 'casino', excerpt: 'the casino' }));
  const task_id = `scan_full_${(reported += 1)}`;
  expect(await agent.call('report_result', { task_id, status: 'success', result: { matches }, error: '' })).toMatchObject({
    success: true,
  });
  await panel.get(BackgroundQueue).idle();
}
const pull = async () =>
  ((await agent.call('pull_task')).data as { task: { task_id: string; action: string; payload: Record<string, string> } | null }).task;
const report = (task_id: string, status = 'success', more: object = {}) =>
  agent.call('report_result', { task_id, status, result: { sha256: 'b'.repeat(64), size: 7 }, error: '', ...more });
const files = async () => ((await panel.admin('listwjgl')) as unknown as { rows: Record<string, string>[] }).rows;
const states = async () => (await files()).map(({ state }) => state);
const notices = async () => (await database.repository(Notice).find({ order: { id: 'ASC' } })).map(({ side, title }) => `${side} ${title}`);

describe('a file with a new match', () => {
  it('is quarantined once by a capable agent, its owner is notified afterwards, and it is restored and deleted manually', async () => {
    await found(inSite(), inSite());
    const task = (await pull())!;
    expect(task).toMatchObject({ action: 'quarantine_file', payload: { path: inSite() } });
    expect(await pull()).toBeNull();
    expect([await states(), (await notices()).filter((text) => text.includes('隔离'))]).toEqual([['moving'], []]);
    await report(task.task_id);
    await report(task.task_id);
    expect(await notices()).toContain('user 您网站的一个文件已被隔离');
    const [row] = await files();
    expect(row).toMatchObject({ state: 'held', user: 'alice001', keyword: 'casino', target: inSite(), size: '7' });
    expect(row!.until).not.toBe('');
    // A scan that finds it again changes nothing, and neither does repeated processing of the first one.
    const scan = await database.repository(ForbiddenScan).findOneByOrFail({});
    await database.repository(ForbiddenMatch).update({ scanId: scan.id }, { pending: true });
    const turn = { signal: new AbortController().signal, progress: () => undefined } as unknown as TaskTurn;
    await panel.get(ScanConsequences).process({ scanId: scan.id }, turn);
    expect(await states()).toEqual(['held']);

    expect(await panel.admin('wjglhf', { id: row!.id! })).toMatchObject({ success: true });
    expect(await panel.admin('wjglhf', { id: row!.id! })).toMatchObject({ success: false, err: 'E_STATE' });
    const back = (await pull())!;
    expect(back).toMatchObject({ action: 'restore_file', payload: { id: task.payload.id, path: inSite(), sha256: 'b'.repeat(64) } });
    await report(back.task_id, 'failed', { error: '原位置已有其他文件，未覆盖' });
    expect(await files()).toMatchObject([{ state: 'held', error: '原位置已有其他文件，未覆盖' }]);
    const page = async (language: string) =>
      (await panel.adminFetch('/admin/quarantine', { headers: { 'Accept-Language': language } })).text();
    expect(await page('en')).toContain('Another file is now in its place and was not overwritten.');
    expect(await page('zh-CN')).toContain('原位置已有其他文件，未覆盖');
    await panel.admin('wjglhf', { id: row!.id! });
    await report((await pull())!.task_id);
    expect(await states()).toEqual(['restored']);

    const match = await database.repository(ForbiddenMatch).findOneByOrFail({});
    expect(await panel.admin('wjgl', { id: String(match.id) })).toMatchObject({ success: true });
    expect(await panel.admin('wjgl', { id: String(match.id) })).toMatchObject({ success: false, err: 'E_STATE' });
    await report((await pull())!.task_id);
    const [held] = await files();
    expect(await panel.admin('wjglsc', { id: held!.id! })).toMatchObject({ success: true });
    await report((await pull())!.task_id);
    expect(await states()).toEqual(['deleted', 'restored']);
    const lines = (await database.repository(OperationLog).find({ order: { id: 'ASC' } })).map(
      ({ actor, category }) => `${actor} ${category}`,
    );
    expect(lines.filter((line) => line.includes('wjgl'))).toEqual([
      'cron wjgl',
      'admin wjglhf',
      'admin wjglhf',
      'admin wjgl',
      'admin wjglsc',
    ]);
  });

  it('stays when its agent cannot quarantine, and the page says which', async () => {
    await able(false);
    await found(inSite());
    expect([await pull(), await states()]).toEqual([null, []]);
    const match = await database.repository(ForbiddenMatch).findOneByOrFail({});
    expect(await panel.admin('wjgl', { id: String(match.id) })).toMatchObject({ success: false, err: 'E_DISABLED' });
    const html = await (await panel.adminFetch('/admin/quarantine', { headers: { 'Accept-Language': 'en' } })).text();
    expect(html).toMatch(/These agents cannot quarantine files[^<]*<span[^>]*>local/);
    await set({ sgl: 'false' });
    expect(await set({ sgl: 'true' })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await (await panel.adminFetch('/admin/scans')).text()).not.toContain('wjgl"');
  });

  it('stays when quarantine is disabled, without a host, and when so many files match that a word must be wrong', async () => {
    await found('/www/wwwroot/nobody/x.php');
    await found(...Array.from({ length: 21 }, (_, n) => inSite(`${n}.php`)));
    expect(await states()).toEqual([]);
    const many = await database.repository(Notice).find({ where: { level: 'danger', side: 'admin' } });
    expect(many.map(({ content }) => content.includes('20'))).toEqual([true]);
    await set({ sgl: 'false' });
    await found(inSite('other.php'));
    expect(await states()).toEqual([]);
    for (const id of ['999999', '0', 'x'])
      for (const gn of ['wjgl', 'wjglhf', 'wjglsc']) expect(await panel.admin(gn, { id })).toMatchObject({ success: false });
  });
});

describe('a task', () => {
  it('that ended without a report is handled by the job; a file that may still be with the agent can be restored', async () => {
    await found(inSite());
    await pull();
    await database.repository(NodeTask).update({ status: 'running' }, { status: 'failed', error: 'lost' });
    await panel.get(QuarantineSweep).sweep();
    const [row] = await files();
    expect(row).toMatchObject({ state: 'failed', error: 'lost' });
    await panel.admin('wjglhf', { id: row!.id! });
    await report((await pull())!.task_id, 'failed', { error: '隔离区中没有该文件' });
    expect(await states()).toEqual(['failed']);
  });

  it('deletes files after their retention period, once, and retries the next day on failure', async () => {
    await found(inSite());
    await report((await pull())!.task_id);
    const rows = database.repository(QuarantinedFile);
    await rows.update({ state: 'held' }, { purgeAt: new Date(0) });
    // The clock has not been observed at this time for a day.
    await panel.get(QuarantineSweep).sweep();
    expect(await states()).toEqual(['held']);
    await jobRan(database, 'quarantine', new Date(Date.now() - 86_400_000));
    await Promise.all([panel.get(QuarantineSweep).sweep(), panel.get(QuarantineSweep).sweep()]);
    const task = (await pull())!;
    expect([task.action, await pull()]).toEqual(['delete_quarantined', null]);
    await report(task.task_id, 'failed', { error: 'EIO' });
    const row = await rows.findOneByOrFail({});
    expect([row.state, row.purgeAt!.getTime() > Date.now()]).toEqual(['held', true]);
    await rows.update({ state: 'held' }, { purgeAt: new Date(0) });
    await able(false);
    await panel.get(QuarantineSweep).sweep();
    expect([await states(), await pull()]).toEqual([['held'], null]);
  });
});

it('with the agent as a process: from the match to the file and back', async () => {
  const place = new AgentPlace({ ...config, svc_url: panel.url, interval_seconds: 5, quarantine: true });
  try {
    const folder = join(place.sites, host.siteName);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'bad.php');
    writeFileSync(file, 'the casino');
    const withRoot = JSON.parse(readFileSync(place.configFile, 'utf8')) as object;
    writeFileSync(place.configFile, JSON.stringify({ ...withRoot, sites_root: place.sites }), { mode: 0o600 });
    await set({ sml: place.sites });
    await database.repository(AgentNode).update({ nodeId: agent.nodeId }, { capabilities: [] });
    expect(await place.start(['--once']).ended).toBe(0);
    await found(file);
    expect(await place.start(['--once']).ended).toBe(0);
    const [row] = await files();
    expect([row!.state, row!.error, existsSync(file)]).toEqual(['held', '', false]);
    await panel.admin('wjglhf', { id: row!.id! });
    expect(await place.start(['--once']).ended).toBe(0);
    expect([await states(), readFileSync(file, 'utf8')]).toEqual([['restored'], 'the casino']);
  } finally {
    await place.dispose();
  }
});
