import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { BinnedSite, HostingAccount, IdleHost } from '../src/hosting/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';

import { CrashPlace } from './support/crash-place.js';
import { binKiller, pauseKiller } from './support/killers.js';
import { someMoments } from './support/moments.js';

const DAY_MS = 86_400_000;
const USER = 'idler001';

describe('unused hosts, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  const accounts = () => crash.database.repository(HostingAccount);

  /**
   * A host whose owner was notified a week ago that today is the day, and the plugin that kills the panel midway; the job runs and the
   * panel dies.
   */
  async function killed(action: 'stop' | 'del', killer: string): Promise<void> {
    const { panel, admin } = await crash.start();
    await admin.operate('admin', { gn: 'mailmode', host: 'smtp.example.com', user: 'a@example.com', password: 'x', port: '465' });
    const switches = { ymkg: 'false', ymyjkg: 'false', ymtsyz: '7', wjkg: 'true', wjyjkg: 'false', wjtsyz: '7', option: action };
    await admin.operate('admin', { gn: 'jkscsz', ...switches });
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: USER, pass: 'a-password-of-my-own' });
    const { id } = await accounts().findOneByOrFail({ username: USER });
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    await accounts().update({ id }, { email: 'idler@example.com', createdAt: ago(60) });
    const today = legacyDay(new Date(), 'Asia/Shanghai');
    const told = { action, announcedAt: ago(7), dueOn: today, seenAt: ago(1) };
    await crash.database.repository(IdleHost).insert({ hostId: id, username: USER, sign: 'files', ...told });
    await crash.enable(admin, killer);
    await admin.operate('admin', { gn: 'jhrun', id: 'core:idle-hosts' }).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    await crash.endClaims();
  }

  async function state() {
    const [hosts, kept, events, lines, notices] = await Promise.all([
      accounts().find(),
      crash.database.repository(BinnedSite).find(),
      crash.database.repository(DurableEvent).find({ order: { id: 'ASC' } }),
      crash.database.repository(OperationLog).countBy({ category: 'idle-hosts' }),
      crash.database.repository(Notice).countBy({ side: 'user' }),
    ]);
    return {
      hosts: hosts.map((host) => [host.state, ...host.pauseReasons].join(' ')),
      kept: kept.map((site) => site.state),
      hooks: events.map(({ hook }) => hook),
      lines,
      notices,
      suspended: hosts.map(({ siteName }) => {
        const record = join(crash.dataDir, 'sites', siteName, 'site.json');
        return existsSync(record) && (JSON.parse(readFileSync(record, 'utf8')) as { suspended: boolean }).suspended;
      }),
    };
  }
  const settled = (want: object) => expect.poll(state, { timeout: 60_000, interval: 500 }).toEqual(want);

  it.each(someMoments(['before', 'after'] as const))(
    'an interrupted pause (%s the server did it): the site runs on both sides again, and its owner is notified anew before the next try',
    { timeout: 120_000 },
    async (when) => {
      await killed('stop', pauseKiller(when));
      await crash.recover();
      await settled({ hosts: ['active'], suspended: [false], kept: [], hooks: ['host.created'], lines: 1, notices: 0 });
      expect(await crash.database.repository(IdleHost).find()).toMatchObject([{ announcedAt: null, done: 'stop' }]);
    },
  );

  it('an interrupted deletion is completed once, like any deletion, and its data is kept', { timeout: 120_000 }, async () => {
    await killed('del', binKiller('before-in'));
    expect(await state()).toMatchObject({ hosts: ['terminating'], kept: ['moving'], hooks: ['host.created'] });
    await crash.recover();
    await settled({ hosts: [], suspended: [], kept: ['kept'], hooks: ['host.created', 'host.deleted'], lines: 1, notices: 0 });
  });
});
