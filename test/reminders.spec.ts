import { afterAll, beforeAll, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';

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

it('tells 7, 3, 1 and 0 days before the end, once, and nobody else', async () => {
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

it('tells from 80 % of the traffic on, seriously where it is used up, and never where it is unlimited', async () => {
  await host('traffic-79', { trafficQuotaGb: 10, trafficUsedBytes: 7.9 * GB });
  await host('traffic-80', { trafficQuotaGb: 10, trafficUsedBytes: 8 * GB });
  await host('traffic-full', { trafficQuotaGb: 10, trafficUsedBytes: 12.5 * GB });
  await host('traffic-free', { trafficQuotaGb: 0, trafficUsedBytes: 900 * GB });
  expect(await told('traffic-reminders')).toEqual([
    ['traffic-80', 'warning', '您的本月流量已使用 80%，请留意剩余流量。'],
    ['traffic-full', 'danger', '您的本月流量已使用 125%，请留意剩余流量。'],
  ]);
});
