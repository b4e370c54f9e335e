import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Not } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount, HostingService } from '../src/hosting/index.js';
import { CronScheduler, JobRegistry, JobRun, Restored } from '../src/jobs/index.js';
import { SiteSettings } from '../src/site/index.js';

import { gate } from './support/event-process.js';
import { TestPanel } from './support/panel.js';

let panel: TestPanel;
let key: string;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on', SERVICES: 'panel' });
  key = panel.get(SiteSettings).current.api;
});
afterAll(() => panel.close());

const call = async (address: string, my = key): Promise<string> => {
  const response = await panel.fetch(`${address}${address.includes('?') ? '&' : '?'}my=${encodeURIComponent(my)}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  return response.text();
};

it('runs due jobs once a minute, however often and from wherever it is called', async () => {
  let runs = 0;
  const block = gate();
  const undo = panel.get(JobRegistry).add({ owner: 'desk', name: 'due', everyMinutes: 1, run: () => ((runs += 1), block.opened) });
  const answers = Array.from({ length: 8 }, () => call('/jk_monitor.php'));
  await expect.poll(() => runs).toBe(1);
  block.open();
  for (const answer of await Promise.all(answers)) expect(answer).toBe('执行完成，检测任务：0');
  const due = await panel
    .get(Database)
    .repository(JobRun)
    .find({ where: { job: 'desk:due' } });
  // The minute may have changed in between.
  expect(due.length).toBe(runs);
  expect(new Set(due.map(({ dueAt }) => dueAt.getTime())).size).toBe(runs);
  undo();
});

it('names the hosts paused after measuring, with the quota they exceeded, and measures once a minute', async () => {
  const database = panel.get(Database);
  const hosting = panel.get(HostingService);
  for (const user of ['large001', 'small001']) {
    const { id } = await hosting.provision({ node: 'local', user, password: 'secret-pass-1', expiresOn: null }, 'admin');
    await database.repository(HostingAccount).update({ id }, { webQuotaMb: 1, usageDueAt: new Date(0) });
  }
  const { siteName } = await database.repository(HostingAccount).findOneByOrFail({ userKey: 'large001' });
  writeFileSync(join(panel.dataDir, 'sites', siteName, 'public', 'film.bin'), Buffer.alloc(2 * 1024 ** 2));
  // The jobs of this minute may already have measured.
  await database.repository(JobRun).delete({ job: 'core:account-usage' });
  const answers = await Promise.all(Array.from({ length: 4 }, () => call('/jk.php?gn=web')));
  expect(answers).toContain('执行完成，有1个主机由于网页空间超过被暂停他们分别是：large001');
  // The second caller does not measure again, and reports nothing false.
  const others = answers.filter((answer) => !answer.includes('large001'));
  for (const answer of others) expect(answer).toMatch(/^上一次执行尚未结束|^执行完成，有0个主机/);
  const accounts = await database.repository(HostingAccount).find({ order: { id: 'ASC' } });
  expect(accounts.map(({ username, state }) => [username, state])).toEqual([
    ['large001', 'paused'],
    ['small001', 'active'],
  ]);
  expect(await call('/jk.php?gn=web')).toBe('执行完成，有0个主机由于网页空间超过被暂停他们分别是：');
  expect(await call('/jk.php?gn=sql')).toBe('执行完成，有0个主机由于数据库空间超过被暂停他们分别是：');
  expect(await call('/jk.php?gn=fh')).toBe('执行完成，有0个主机由于流量超过被暂停他们分别是：');
});

it.each([
  ['/jk.php?gn=nonsense', '该功能不存在！'],
  ['/jk.php?gn=constructor', '该功能不存在！'],
  ['/jk.php', '该功能不存在！'],
  ['/jk.php?gn=fhq', '月流量由各服务器按月统计，无需清零，没有执行任何操作。'],
  ['/jk.php?gn=ywjkdel', '闲置主机处理未开启，没有执行任何操作。可在“设置 → 闲置主机”中开启。'],
  ['/docker_cron.php', '本版本没有容器功能，没有执行任何操作。'],
])('%s reports the truth', async (address, answer) => {
  expect(await call(address)).toBe(answer);
});

it('does nothing and says so while the installation is on hold, whichever address is called', async () => {
  const restored = panel.get(Database).repository(Restored);
  const moment = new Date(Date.now() - 60_000);
  await restored.insert({ madeAt: moment, restoredAt: moment, panel: 'x' });
  await panel.restart();
  const hosts = panel.get(Database).repository(HostingAccount);
  await hosts.update({ userKey: Not('') }, { usageDueAt: new Date(0), expiresOn: '2020-01-01' });
  const states = async (): Promise<string[]> => (await hosts.find({ order: { id: 'ASC' } })).map(({ state }) => state);
  const before = await states();
  const runs = panel.get(Database).repository(JobRun);
  await runs.createQueryBuilder().delete().execute();
  const addresses = ['/jk_monitor.php', '/docker_cron.php', ...['web', 'sql', 'fh', 'fhq', 'ywjkdel'].map((gn) => `/jk.php?gn=${gn}`)];
  for (const address of addresses)
    expect([address, await call(address)]).toEqual([address, '本系统由备份恢复，尚未放行，没有执行任何操作。']);
  expect(await call('/jk.php?gn=web', 'wrong')).toBe('密钥错误');
  expect(await panel.get(CronScheduler).tick(new Date())).toBe(false);
  expect([await runs.count(), await states()]).toEqual([0, before]);
  expect(await panel.admin('bffx')).toMatchObject({ success: true });
  expect(await call('/jk_monitor.php')).toBe('执行完成，检测任务：0');
  expect(await runs.count()).toBeGreaterThan(0);
});

it('rejects other keys, and counts them together with those of the provisioning API', async () => {
  for (const wrong of ['', `${key}x`, key.slice(1), '密钥']) expect(await call('/jk_monitor.php', wrong)).toBe('密钥错误');
  expect(await (await panel.fetch(`/jk.php?gn=web&my[]=${key}`)).text()).toBe('密钥错误');
  expect(await (await panel.fetch('/docker_cron.php')).text()).toBe('密钥错误');
  const answers: string[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) answers.push(await call('/docker_cron.php', 'wrong'));
  expect(answers.at(-1)).toContain('密钥错误次数过多');
  // The right key as well, until the window ends.
  expect(await call('/docker_cron.php')).toContain('密钥错误次数过多');
});
