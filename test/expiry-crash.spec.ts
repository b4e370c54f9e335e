import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { IsNull, Not } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { BinnedSite, DeletionDay, HostExpiry, HostingAccount } from '../src/hosting/index.js';
import { JobRun } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';

import { CrashPlace } from './support/crash-place.js';
import { binKiller, pauseKiller } from './support/killers.js';
import { someMoments } from './support/moments.js';

const DAY_MS = 86_400_000;
const USER = 'expired1';

describe('host expiry, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  const accounts = () => crash.database.repository(HostingAccount);
  const ago = (days: number) => legacyDay(new Date(Date.now() - days * DAY_MS), 'Asia/Shanghai');

  /** A host that expired thirty days ago and whose owner was told that it is deleted today; the job runs and the panel dies. */
  async function killed(job: 'account-expiry' | 'expiry-deletions', killer: string): Promise<void> {
    const { panel, admin } = await crash.start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: USER, pass: 'a-password-of-my-own' });
    const { id } = await accounts().findOneByOrFail({ username: USER });
    const isDeletion = job === 'expiry-deletions';
    await accounts().update(
      { id },
      { expiresOn: ago(30), ...(isDeletion ? { state: 'paused', pauseReasons: ['expiry'], keepDays: 3 } : {}) },
    );
    const told = { toldFor: ago(30), toldAt: new Date(Date.now() - 5 * DAY_MS), deletesOn: ago(0) };
    if (isDeletion) await crash.database.repository(HostExpiry).insert({ hostId: id, ...told });
    await crash.enable(admin, killer);
    await admin.operate('admin', { gn: 'jhrun', id: `core:${job}` }).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    await crash.endClaims();
    // The dead process's run is cleared by the tick of the next minute, which is not waited for.
    await crash.database.repository(JobRun).update({ running: Not(IsNull()) }, { running: null });
  }

  async function state() {
    const [hosts, kept, events, lines, notices, days] = await Promise.all([
      accounts().find(),
      crash.database.repository(BinnedSite).find(),
      crash.database.repository(DurableEvent).find({ order: { id: 'ASC' } }),
      crash.database.repository(OperationLog).countBy({ category: 'expiry-deletions' }),
      crash.database.repository(Notice).find({ where: { side: 'user' } }),
      crash.database.repository(DeletionDay).find(),
    ]);
    return {
      hosts: hosts.map((host) => [host.state, ...host.pauseReasons].join(' ')),
      kept: kept.map((site) => `${site.state} ${site.deletedBy}`),
      hooks: events.map(({ hook }) => hook),
      lines,
      notices: notices.map(({ key }) => String(key).split(':')[0]),
      done: days.reduce((sum, { done }) => sum + done, 0),
      suspended: hosts.map(({ siteName }) => {
        const record = join(crash.dataDir, 'sites', siteName, 'site.json');
        return existsSync(record) && (JSON.parse(readFileSync(record, 'utf8')) as { suspended: boolean }).suspended;
      }),
    };
  }
  const settled = (want: object) => expect.poll(state, { timeout: 60_000, interval: 500 }).toMatchObject(want);

  it.each(someMoments(['before', 'after'] as const))(
    'an interrupted pause (%s the server did it) is completed by the next run, and reported once',
    { timeout: 120_000 },
    async (when) => {
      await killed('account-expiry', pauseKiller(when));
      expect(await state()).toMatchObject({ hosts: ['active'], notices: [] });
      const { admin } = await crash.recover();
      await settled({ hosts: ['active'] });
      await expect
        .poll(
          async () => {
            await admin.operate('admin', { gn: 'jhrun', id: 'core:account-expiry' });
            return (await state()).hosts;
          },
          { timeout: 60_000, interval: 1_000 },
        )
        .toEqual(['paused expiry']);
      await settled({ suspended: [true], hooks: ['host.created', 'host.paused'], notices: ['expire-paused'] });
    },
  );

  it.each(someMoments(['before-in', 'after-in'] as const))(
    'an interrupted deletion (%s) is completed once, is in the recycle bin, and counts once towards the daily limit',
    { timeout: 120_000 },
    async (step) => {
      await killed('expiry-deletions', binKiller(step));
      expect(await state()).toMatchObject({ hosts: ['terminating expiry'], kept: ['moving cron'], lines: 1, done: 1 });
      const { admin } = await crash.recover();
      await settled({ hosts: [], kept: ['kept cron'], hooks: ['host.created', 'host.deleted'], lines: 1, done: 1 });
      await admin.operate('admin', { gn: 'jhrun', id: 'core:expiry-deletions' });
      await settled({ hosts: [], kept: ['kept cron'], hooks: ['host.created', 'host.deleted'], lines: 1, done: 1 });
    },
  );
});
