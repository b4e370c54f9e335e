/** Traffic and logs of a hosted site, with the panel killed while it serves. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { HostingAccount, SiteTraffic } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';

const SIZE = 200_000;
let crash: CrashPlace;

beforeEach(async () => void (crash = await CrashPlace.create()));
afterEach(() => crash.dispose());

/** One response on its own connection. @returns the received bytes, including its head */
function download({ sitesPort }: { sitesPort: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: sitesPort, path: '/big.bin', agent: false, headers: { host: 'counted01.localhost' } }, (response) => {
      const { socket } = response;
      response.resume().once('end', () => resolve(socket.bytesRead));
    }).on('error', reject);
  });
}

it('traffic counts lose only what was not written yet, and count nothing twice', { timeout: 120_000 }, async () => {
  const { panel: first, admin } = await crash.start();
  await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'counted01', pass: 'a-password-of-my-own' });
  const account = async () => crash.database.repository(HostingAccount).findOneByOrFail({ username: 'counted01' });
  const { id, siteName } = await account();
  writeFileSync(join(crash.dataDir, 'sites', siteName, 'public', 'big.bin'), Buffer.alloc(SIZE, 1));
  const used = async () => (await account()).trafficUsedBytes;
  const lines = () => {
    const root = join(crash.dataDir, 'site-logs');
    const days = existsSync(root) ? readdirSync(root) : [];
    return days.flatMap((day) =>
      readFileSync(join(root, day, `${siteName}.log`), 'latin1')
        .trimEnd()
        .split('\n'),
    ).length;
  };

  let written = 0;
  for (let n = 0; n < 5; n += 1) written += await download(first);
  // Without visitors, counts are written only by the timer.
  await expect.poll(used, { timeout: 30_000 }).toBe(written);
  await expect.poll(lines, { timeout: 30_000 }).toBe(5);

  let late = 0;
  for (let n = 0; n < 3; n += 1) late += await download(first);
  await first.stop('SIGKILL');
  const kept = await used();
  expect(kept).toBeGreaterThanOrEqual(written);
  expect(kept).toBeLessThanOrEqual(written + late);
  const logged = lines();
  expect(logged).toBeGreaterThanOrEqual(5);
  expect(logged).toBeLessThanOrEqual(8);

  const { panel: second } = await crash.recover();
  const more = await download(second);
  await expect.poll(used, { timeout: 30_000 }).toBe(kept + more);
  await expect.poll(lines, { timeout: 30_000 }).toBe(logged + 1);
  const months = await crash.database.repository(SiteTraffic).findBy({ accountId: id });
  expect(months.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(kept + more);
});
