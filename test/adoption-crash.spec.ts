/** Taking over a site from a server while the panel is killed midway: an account owns it completely or not at all, and its files stay. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DurableEvent } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { adoptionKiller } from './support/killers.js';
import { someMoments } from './support/moments.js';
import { PanelClient } from './support/panel-client.js';

const PASS = 'a-password-of-my-own';

describe('taking over a site, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  const accounts = () => crash.database.repository(HostingAccount).find({ select: { id: true, username: true, state: true } });
  const created = () => crash.database.repository(DurableEvent).countBy({ hook: 'host.created' });

  it.each(someMoments(['before', 'after'] as const))(
    '%s its record names the owner: the next call or the recovery completes it once, with the files unchanged',
    { timeout: 120_000 },
    async (when) => {
      const { panel, admin } = await crash.start();
      await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'orphan01', pass: PASS });
      const { id, siteName: site } = await crash.database.repository(HostingAccount).findOneByOrFail({ username: 'orphan01' });
      const path = join(crash.dataDir, 'sites', site, 'public', 'mine.txt');
      writeFileSync(path, 'kept');
      await crash.database.repository(HostingAccount).delete({ id });
      const before = await created();
      await crash.enable(admin, adoptionKiller('adopted1', when));
      const order = { gn: 'zjdr', btdh: 'local', 'list[0][site]': site, 'list[0][user]': 'adopted1', 'list[0][pass]': PASS };
      await admin.operate('admin', order).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect((await accounts()).map(({ state }) => state)).not.toContain('active');
      await crash.endClaims();
      const again = await crash.recover();
      // Before the record, nothing had changed and the site can be taken over; after it, the account owns the site.
      if (when === 'after') await expect.poll(accounts, { timeout: 60_000 }).toMatchObject([{ username: 'adopted1', state: 'active' }]);
      else {
        await expect.poll(accounts, { timeout: 60_000 }).toEqual([]);
        await again.admin.operate('admin', order);
      }
      expect(await accounts()).toMatchObject([{ username: 'adopted1', state: 'active' }]);
      expect([readFileSync(path, 'utf8'), await created()]).toEqual(['kept', before + 1]);
      expect(JSON.parse(readFileSync(join(crash.dataDir, 'sites', site, 'site.json'), 'utf8'))).toMatchObject({ username: 'adopted1' });
      await new PanelClient(again.panel.url).login('user', 'adopted1', PASS);
    },
  );
});
