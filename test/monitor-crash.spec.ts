/** A panel killed while it checks monitors: the next one continues each of them, nobody is notified twice, and nothing hangs. */
import type { ServerResponse } from 'node:http';

import { IsNull, Not } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { MonitorCheck, MonitorTask } from '../src/monitor/index.js';
import { Notice } from '../src/notify/index.js';

import { createStartedPlace, type TestPlace } from './support/database.js';
import { serveHttp, type LoopbackServer } from './support/loopback-server.js';
import { ServerProcess } from './support/server-process.js';

const EACH = 8;

describe('the panel, killed while it checks monitors', () => {
  let place: TestPlace;
  let database: Database;
  let target: LoopbackServer;
  /** The target's response; null: none at all. */
  let answer: (url: string) => number | null;
  let held: ServerResponse[];
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    place = await createStartedPlace();
    database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    held = [];
    target = await serveHttp((request, response) => {
      const status = answer(request.url ?? '');
      if (status === null) held.push(response);
      else response.writeHead(status).end();
    });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((panel) => panel.stop('SIGKILL')));
    await target.close();
    await database.dataSource.destroy();
    await place.dispose();
  });

  async function start(): Promise<ServerProcess> {
    const panel = await ServerProcess.start(place, { SERVICES: 'panel,worker', MONITOR_ALLOW: '127.0.0.1' });
    running.push(panel);
    return panel.ready();
  }
  const rows = () => database.repository(MonitorTask);
  const tasks = () => rows().find({ order: { id: 'ASC' } });
  const states = async () => (await tasks()).map(({ state }) => state);
  const all = (state: string) => Array.from({ length: 2 * EACH }, () => state);
  /** How often each notice about a monitor was sent. */
  const told = async () =>
    (await database.repository(Notice).findBy({ kind: 'monitor' })).map(({ link, words }) => `${link} ${words!.title.key}`).sort();
  const each =
    (...keys: string[]) =>
    async () =>
      (await tasks()).flatMap(({ id }) => keys.map((key) => `/admin/monitor?id=${id} monitor.notice.${key}`)).sort();
  const due = (values: Partial<MonitorTask> = {}) => rows().update({ enabled: true }, { nextRunAt: new Date(), ...values });

  it('forgets none: each is checked by the next process, and every transition is notified once', { timeout: 60_000 }, async () => {
    // Half of them fail immediately and are notified; the other half keep the process waiting.
    answer = (url) => (url === '/fails' ? 500 : null);
    const first = await start();
    const now = new Date();
    await rows().insert(
      Array.from({ length: 2 * EACH }, (_value, at) => ({
        user: '',
        name: `m${at}`,
        url: `http://127.0.0.1:${target.port}/${at % 2 === 0 ? 'fails' : 'hangs'}`,
        timeoutSeconds: 30,
        intervalSeconds: 3_600,
        nextRunAt: now,
        createdAt: now,
        updatedAt: now,
      })),
    );
    await expect.poll(() => held.length).toBe(EACH);
    await expect.poll(async () => (await states()).filter((state) => state === 'down').length).toBe(EACH);
    await first.stop('SIGKILL');
    const left = await tasks();
    expect(left.filter(({ claim }) => claim !== null)).toHaveLength(EACH);
    expect(left.every(({ url, claim }) => (claim !== null) === url.endsWith('/hangs'))).toBe(true);

    // The dead process keeps its claims until they expire: that is now.
    answer = () => 500;
    await rows().update({ claim: Not(IsNull()) }, { claimedUntil: now });
    const second = await start();
    await expect.poll(states).toEqual(all('down'));
    // All of them again: they were notified by either process.
    await due();
    await expect.poll(() => database.repository(MonitorCheck).count()).toBe(4 * EACH);
    expect(await told()).toEqual(await each('down')());

    // Killed again, as soon as the first recovery is stored.
    answer = () => 200;
    await due();
    await expect.poll(async () => (await states()).includes('up')).toBe(true);
    await second.stop('SIGKILL');
    await rows().update({ claim: Not(IsNull()) }, { claimedUntil: now });
    await start();
    await expect.poll(states).toEqual(all('up'));
    expect(await told()).toEqual(await each('down', 'up')());
    expect(await tasks()).toEqual(
      (await tasks()).map(() => expect.objectContaining({ claim: null, claimedUntil: null, lastStatus: 'ok', failCount: 0 }) as unknown),
    );
    for (const { nextRunAt } of await tasks()) expect(nextRunAt!.getTime()).toBeGreaterThan(Date.now());
  });
});
