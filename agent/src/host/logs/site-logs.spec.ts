/** Logs of sites: one a day, packed and removed in time, and every line counted once. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Services } from '../services/services.js';
import type { SiteFolders } from '../users/site-folders.js';
import { SiteLogs } from './site-logs.js';
import { Traffic } from './traffic.js';

const SITE = { user: 'svc00000001' };
let place: string;
let folder: string;
let now: Date;
/** How often nginx was told to begin new files. */
let reopened: number;
let logs: SiteLogs;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'svc-logs-'));
  folder = join(place, 'logs');
  mkdirSync(folder);
  [now, reopened] = [new Date(2026, 2, 10, 12), 0];
  logs = again();
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Logs of an agent that was started anew. */
function again(): SiteLogs {
  const reopenLogs = (): Promise<void> => {
    reopened += 1;
    writeFileSync(join(folder, 'access.log'), '', { flag: 'a' });
    return Promise.resolve();
  };
  const services = { reopenLogs };
  return new SiteLogs({ home: () => place } as unknown as SiteFolders, services as unknown as Services, () => now.getTime());
}
const line = (bytes: number, month = 'Mar'): string =>
  `192.0.2.1 - - [10/${month}/2026:12:00:00 +0100] "GET / HTTP/1.1" 200 ${bytes} "-" "a \\"b\\""\n`;
/** nginx writes: into the file it has open. */
function write(text: string, file = 'access.log'): void {
  appendFileSync(join(folder, file), text);
  utimesSync(join(folder, file), now, now);
}
const days = (count: number): void => void now.setDate(now.getDate() + count);

it('are rotated daily, compressed after 3 days and kept for 60', async () => {
  write(line(1));
  await logs.care([SITE]);
  expect([readdirSync(folder), reopened]).toEqual([['access.log'], 0]);
  days(1);
  await logs.care([SITE]);
  expect([readdirSync(folder), reopened]).toEqual([['2026-03-10.log', 'access.log'], 1]);
  days(2);
  await logs.care([SITE]);
  expect(readdirSync(folder)).toEqual(['2026-03-10.log', 'access.log']);
  days(1);
  // An agent that ends does not wait for large ones.
  const stop = new AbortController();
  const cared = logs.care([SITE], stop.signal);
  stop.abort();
  await cared.catch(() => undefined);
  expect(readdirSync(folder)).toContain('2026-03-10.log');
  await logs.care([SITE]);
  await logs.care([SITE]);
  expect(readdirSync(folder)).toEqual(['2026-03-10.log.gz', 'access.log']);
  expect(await logs.files(SITE)).toMatchObject([{ day: '2026-03-10', isPacked: true }, { isCurrent: true }]);
  days(56);
  await logs.care([SITE]);
  expect(readdirSync(folder)).toEqual(['2026-03-10.log.gz', 'access.log']);
  days(1);
  await logs.care([SITE]);
  expect([readdirSync(folder), reopened]).toEqual([['access.log'], 1]);
});

it('are counted once per line and month, even if files rotate or the agent restarts', async () => {
  const count = () => new Traffic(place, again()).count(SITE);
  write(line(1_000) + line(10, 'Feb') + 'no line of a log\n' + line(5).slice(0, -1));
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 1_000 });
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 1_000 });
  // The line that was half there is whole; then the day is over, and the last line of it comes late.
  write('\n');
  days(1);
  await logs.care([SITE]);
  write(line(200), '2026-03-10.log');
  write(line(30_000));
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 1_205 });
  // No more of them comes after a minute.
  now.setSeconds(61);
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 31_205 });
  // What there is of a site, an unfinished pack of another process among it, is no log of a day.
  writeFileSync(join(folder, '2026-03-01.log.gz.part'), 'x');
  days(4);
  await logs.care([SITE]);
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 31_205 });
  write(line(1, 'Apr'));
  expect(await count()).toEqual({ '2026-02': 10, '2026-03': 31_205, '2026-04': 1 });
  expect(readdirSync(join(place, 'traffic'))).toEqual([`${SITE.user}.json`]);
  await new Traffic(place, again()).forget(SITE);
  expect(readdirSync(join(place, 'traffic'))).toEqual([]);
});
