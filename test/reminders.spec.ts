import { afterAll, beforeAll, expect, it } from 'vitest';

import { Administrator } from '../src/auth/index.js';
import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { HostingAccount, SiteDomain } from '../src/hosting/index.js';
import { JobRegistry, JobRun } from '../src/jobs/index.js';
import { Notice, NoticeDelivery } from '../src/notify/index.js';
import { Orders, PaymentTransaction, Settlement } from '../src/payment/index.js';
import { InstalledPlugin } from '../src/plugin-registry/entities/index.js';

import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

let panel: TestPanel;
const GB = 1024 ** 3;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const day = (days: number) => legacyDay(new Date(Date.now() + days * 86_400_000), panel.place.config.timezone);

async function host(user: string, values: Partial<HostingAccount>): Promise<void> {
  await panel.admin('addzj', { user, pass: 'secret-pass-1', btdh: 'local' });
  await panel.get(Database).repository(HostingAccount).update({ username: user }, values);
}
async function told(name: string): Promise<string[][]> {
  await runJob(panel.get(JobRegistry), name);
  await runJob(panel.get(JobRegistry), name);
  const kind = name.startsWith('expiry') ? 'expire' : 'traffic';
  const rows = await panel
    .get(Database)
    .repository(Notice)
    .find({ where: { kind }, order: { username: 'ASC' } });
  return rows.map(({ username, level, content }) => [username, level, content]);
}

it('reminders are sent 7, 3, 1 and 0 days before expiry, once, to the owner only', async () => {
  for (const n of [8, 7, 4, 3, 1, 0]) await host(`ends-${n}`, { expiresOn: day(n) });
  await host('ends-never', { expiresOn: null });
  await host('ends-paused', { expiresOn: day(3), state: 'paused', pauseReasons: ['admin'] });
  expect(await told('expiry-reminders')).toEqual([
    ['ends-0', 'warning', `您的主机将在今天到期，到期时间：${day(0)}`],
    ['ends-1', 'warning', `您的主机将在 1 天后到期，到期时间：${day(1)}`],
    ['ends-3', 'warning', `您的主机将在 3 天后到期，到期时间：${day(3)}`],
    ['ends-7', 'warning', `您的主机将在 7 天后到期，到期时间：${day(7)}`],
  ]);
});

it('reminders are sent from 80 % of the traffic on, as urgent when it is used up, and never for unlimited traffic', async () => {
  await host('traffic-79', { trafficQuotaGb: 10, trafficUsedBytes: 7.9 * GB });
  await host('traffic-80', { trafficQuotaGb: 10, trafficUsedBytes: 8 * GB });
  await host('traffic-full', { trafficQuotaGb: 10, trafficUsedBytes: 12.5 * GB });
  await host('traffic-free', { trafficQuotaGb: 0, trafficUsedBytes: 900 * GB });
  expect(await told('limit-reminders')).toEqual([
    ['traffic-80', 'warning', '您的本月流量已使用 80%，请留意剩余流量。'],
    ['traffic-full', 'danger', '您的本月流量已用完（125%），网站暂停对外提供，下月 1 日或升级套餐后自动恢复。'],
  ]);
});

it('reminders are sent from 80 % of web space, database space and domains on in the same way', async () => {
  const MB = 1024 ** 2;
  await host('web-79', { webQuotaMb: 100, webUsedBytes: 79.9 * MB });
  await host('web-80', { webQuotaMb: 100, webUsedBytes: 80 * MB });
  await host('web-full', { webQuotaMb: 100, webUsedBytes: 104 * MB });
  await host('web-free', { webQuotaMb: 0, webUsedBytes: 900 * GB });
  await host('sql-80', { databaseQuotaMb: 10, databaseUsedBytes: 8 * MB });
  await host('domains-3', { domainQuota: 5 });
  await host('domains-4', { domainQuota: 5 });
  await host('domains-free', { domainQuota: 0 });
  const database = panel.get(Database);
  for (const [user, count] of Object.entries({ 'domains-3': 3, 'domains-4': 4, 'domains-free': 4 })) {
    const { id: accountId } = await database.repository(HostingAccount).findOneByOrFail({ username: user });
    for (let n = 0; n < count; n++)
      await database
        .repository(SiteDomain)
        .insert({ accountId, name: `d${n}.${user}.example.com`, reversed: `com.example.${user}.d${n}`, createdAt: new Date() });
  }
  for (let time = 0; time < 2; time += 1) await runJob(panel.get(JobRegistry), 'limit-reminders');
  const rows = await database.repository(Notice).find({ where: { kind: 'system' }, order: { username: 'ASC' } });
  expect(rows.map(({ username, level, content }) => [username, level, content])).toEqual([
    ['domains-4', 'warning', '您已绑定 4 个域名，套餐最多可绑定 5 个。'],
    ['sql-80', 'warning', '您的数据库空间已使用 80%，请清理数据或升级套餐。'],
    ['web-80', 'warning', '您的网站空间已使用 80%，请清理文件或升级套餐。'],
    ['web-full', 'danger', '您的网站空间已用完（104%），超出后网站会暂停，清理文件或升级套餐后自动恢复。'],
  ]);
});

it('reminders inform administrators of the past week, once, and of a quiet one in a line', async () => {
  const database = panel.get(Database);
  const reports = async (): Promise<Notice[]> => {
    await runJob(panel.get(JobRegistry), 'weekly-report');
    await runJob(panel.get(JobRegistry), 'weekly-report');
    return database.repository(Notice).find({ where: { kind: 'report' } });
  };
  expect(await reports(), 'there was no installation then').toEqual([]);

  const monthAgo = new Date(Date.now() - 30 * 86_400_000);
  await database.repository(Administrator).update({ username: 'admin' }, { createdAt: monthAgo });
  await panel.admin('mailmode', { host: '127.0.0.1', port: '1', tls: 'none', from: 'panel@mail.test' });
  await panel.admin('tzsz', { email: 'admin@mail.test' });
  const [quiet, ...more] = await reports();
  expect(more).toEqual([]);
  expect(quiet).toMatchObject({
    side: 'admin',
    level: 'success',
    content: expect.stringMatching(/^平静的一周[^\n]*还没有备份[^\n]*磁盘剩余[^\n]*$/),
  });

  // A weekly report by email, also for a week without problems.
  const mails = await database.repository(NoticeDelivery).findBy({ noticeId: quiet!.id, route: 'mail' });
  expect(mails).toMatchObject([{ target: 'admin@mail.test' }]);

  // The weekday is that of the time zone; four days before its Monday is in the previous week.
  const weekday = (new Date(`${day(0)}T12:00:00Z`).getUTCDay() + 6) % 7;
  const lastWeek = new Date(Date.now() - (weekday + 4) * 86_400_000);
  await host('report-new', { createdAt: lastWeek });
  await host('report-over', { expiresOn: day(-weekday - 4) });
  const order = await panel.get(Orders).create({ user: 'report-new', scene: 'test', name: 'x', amount: 1_050, type: 'sandbox__test' });
  await panel.get(Settlement).settle(order.number, 'sandbox', { money: '10.50', trade_no: 'report-1' });
  await database.repository(PaymentTransaction).update({ tradeNumber: 'report-1' }, { createdAt: lastWeek });
  const run = {
    job: 'core:x',
    dueAt: lastWeek,
    holder: 'x',
    leaseUntil: lastWeek,
    startedAt: lastWeek,
    endedAt: lastWeek,
    error: 'broken',
  };
  await database.repository(JobRun).insert(run);
  const plugin = { slug: 'held', slugKey: 'held', enabled: true, quarantinedAt: lastWeek, installedAt: lastWeek, updatedAt: lastWeek };
  await database.repository(InstalledPlugin).insert(plugin);
  await database.repository(Notice).delete({ kind: 'report' });
  const [report] = await reports();
  expect(report).toMatchObject({ level: 'warning', key: quiet!.key });
  for (const line of ['新开通 1 个，到期 1 个', '付款：1 笔，共 ¥10.50', '均未失败', '定时任务 1 次', '被隔离：held'])
    expect(report!.content).toContain(line);

  const settings = async (side: string, cookie: string): Promise<string> =>
    (await panel.fetch(`/${side}/notice-settings`, { headers: { cookie } })).text();
  expect(await settings('admin', panel.adminCookie)).toContain('report_mail');
  expect(await settings('user', await panel.signInUser())).not.toContain('report_mail');
});
