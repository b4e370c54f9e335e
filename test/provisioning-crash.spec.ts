import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { createDatabase } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';

import { createMigratedPlace, type TestPlace } from './support/database.js';
import { EARLY_KILLER, LATE_KILLER, MIDWAY_KILLER } from './support/killers.js';
import { writePlugin } from './support/plugins.js';
import { ServerProcess } from './support/server-process.js';

const API_KEY = 'an-api-key-of-20-chars';
const KT = {
  username: 'crash-proof',
  password: 'a-password-of-my-own',
  dqtime: '2031-01-31',
  webdx: '10',
  sqldx: '0',
  sizemax: '0',
  ymbds: '1',
  qqh: 'order-1',
};

describe('kt, with the panel killed in the middle', () => {
  let place: TestPlace;
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    place = await createMigratedPlace();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((panel) => panel.stop('SIGKILL')));
    await place.dispose();
  });

  async function start(ports?: [number, number]): Promise<ServerProcess> {
    const panel = await ServerProcess.start(place, { API_KEY }, ports);
    running.push(panel);
    return panel.ready();
  }

  async function recorded(): Promise<{ hosts: HostingAccount[]; hooks: string[] }> {
    const database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    try {
      const events = await database.repository(DurableEvent).find();
      return { hosts: await database.repository(HostingAccount).find(), hooks: events.map(({ hook }) => hook) };
    } finally {
      await database.dataSource.destroy();
    }
  }

  it.each([
    ['before the site is made', EARLY_KILLER],
    ['when the site is there and nothing else', MIDWAY_KILLER],
    ['when all is done but the answer', LATE_KILLER],
  ])('%s, opens one host: the same request gives the first answer after the restart', { timeout: 90_000 }, async (_when, killer) => {
    writePlugin(place.dataDir, 'killer', killer);
    const first = await start();
    const admin = new DemoVisitor(first.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    await admin.operate('admin', { gn: 'plugin_install', slug: 'killer' });
    await admin.operate('admin', { gn: 'plugin_enable', slug: 'killer', enabled: 'true' });
    const [node] = (await admin.operate('admin', { gn: 'listbt' })).rows as { btdh: string; dymy: string }[];
    const call = async (panel: ServerProcess, gn: string): Promise<{ code: number; msg: string }> => {
      const form = { svc_bh: node!.btdh, svc_key: API_KEY, svc_keye: node!.dymy, svc_vs: '15', ...KT };
      const response = await fetch(`${panel.url}/api/api.php?gn=${gn}`, { method: 'POST', body: new URLSearchParams(form) });
      return (await response.json()) as { code: number; msg: string };
    };

    await call(first, 'kt').catch(() => undefined);
    expect(await first.ended).toBe('SIGKILL');
    const second = await start([first.port, first.sitesPort]);
    // While the claim of the dead process lasts, the answer is that somebody is at it.
    await expect
      .poll(() => call(second, 'kt'), { timeout: 60_000, interval: 500 })
      .toMatchObject({ success: true, code: 200, msg: '主机开通成功！' });
    expect(await call(second, 'ztcx')).toMatchObject({
      code: 200,
      data: { state: 'active', pending: false, user: { qk: 'true', qqh: 'order-1' } },
    });

    expect((await new DemoVisitor(second.url).site(second.sitesPort, `${KT.username}.localhost`)).status).toBe(200);
    expect(readdirSync(join(place.dataDir, 'sites')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
    const { hosts, hooks } = await recorded();
    expect(hosts).toMatchObject([{ userKey: KT.username, state: 'active', claimedUntil: null }]);
    expect(hooks).toEqual(['host.created']);
  });
});
