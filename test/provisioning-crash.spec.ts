import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { DurableEvent } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { EARLY_KILLER, LATE_KILLER, MIDWAY_KILLER } from './support/killers.js';
import { someMoments } from './support/moments.js';

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

describe('kt, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create({ API_KEY })));
  afterEach(() => crash.dispose());

  const MOMENTS = [
    ['before the site is made', EARLY_KILLER],
    ['when the site is there and nothing else', MIDWAY_KILLER],
    ['when all is done but the answer', LATE_KILLER],
  ] as const;
  it.each(someMoments(MOMENTS, ([, killer]) => killer === LATE_KILLER))(
    '%s, opens one host: the same request gets the first response after the restart',
    { timeout: 90_000 },
    async (_when, killer) => {
      const { panel: first, admin } = await crash.start();
      await crash.enable(admin, killer);
      const [node] = (await admin.operate('admin', { gn: 'listbt' })).rows as { btdh: string; dymy: string }[];
      const call = async (panel: { url: string }, gn: string): Promise<{ code: number; msg: string }> => {
        const form = { svc_bh: node!.btdh, svc_key: API_KEY, svc_keye: node!.dymy, svc_vs: '15', ...KT };
        const response = await fetch(`${panel.url}/api/api.php?gn=${gn}`, { method: 'POST', body: new URLSearchParams(form) });
        return (await response.json()) as { code: number; msg: string };
      };

      await call(first, 'kt').catch(() => undefined);
      expect(await first.ended).toBe('SIGKILL');
      const { panel: second } = await crash.recover();
      // While the dead process's claim lasts, the response is that it is in progress.
      await expect
        .poll(() => call(second, 'kt'), { timeout: 60_000, interval: 500 })
        .toMatchObject({ success: true, code: 200, msg: '主机开通成功！' });
      expect(await call(second, 'ztcx')).toMatchObject({
        code: 200,
        data: { state: 'active', pending: false, user: { qk: 'true', qqh: 'order-1' } },
      });

      expect((await new DemoVisitor(second.url).site(second.sitesPort, `${KT.username}.localhost`)).status).toBe(200);
      expect(readdirSync(join(crash.dataDir, 'sites')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
      const hosts = await crash.database.repository(HostingAccount).find();
      expect(hosts).toMatchObject([{ userKey: KT.username, state: 'active', claimedUntil: null }]);
      expect((await crash.database.repository(DurableEvent).find()).map(({ hook }) => hook)).toEqual(['host.created']);
    },
  );
});
