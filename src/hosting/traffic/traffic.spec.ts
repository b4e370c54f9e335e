import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { Clock } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import type { HostRecord } from '../../sdk/index.js';
import { HostingAccount, HostingService, SitesServer, UsageSweep } from '../index.js';
import { TrafficMonth } from '../maintenance/index.js';

import { TrafficRepository, TrafficMeter } from './index.js';

const GB = 1024 ** 3;
const clock = new ManualClock();
let hosting: TestHosting;
let alice: HostRecord;
let meter: TrafficMeter;
let repository: TrafficRepository;

beforeAll(async () => {
  clock.set(new Date('2026-11-15T04:00:00Z'));
  hosting = await createTestHosting([
    { provide: Clock, useValue: clock },
    { provide: ZonedClock, useValue: clock },
  ]);
  meter = hosting.app.get(TrafficMeter);
  repository = hosting.app.get(TrafficRepository);
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  clock.set(new Date('2026-11-15T04:00:00Z'));
  await meter.write();
  const service = hosting.app.get(HostingService);
  const before = await service.get('alice01');
  if (before) await service.terminate(before.id, 'admin');
  alice = await service.provision({ node: 'bh1', user: 'alice01', password: 'secret-1', expiresOn: null }, 'api');
  const { siteName } = await row();
  writeFileSync(join(hosting.config.dataDir, 'sites', siteName, 'public', 'big.bin'), Buffer.alloc(300_000, 1));
});

const row = () => hosting.database.repository(HostingAccount).findOneByOrFail({ id: alice.id });
const used = async () => {
  await meter.write();
  return (await row()).trafficUsedBytes;
};

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Total bytes received over the connection. */
  readonly received: number;
}

function visit(path = '/', options: { agent?: Agent; method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  const { agent, method, headers } = options;
  return new Promise((resolve, reject) => {
    const ask = {
      host: '127.0.0.1',
      port: hosting.app.get(SitesServer).port,
      path,
      agent,
      method,
      headers: { host: 'alice01.localhost', ...headers },
    };
    request(ask, (response) => {
      const { socket } = response;
      let body = '';
      response.setEncoding('latin1').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode!, body, received: socket.bytesRead }));
    })
      .on('error', reject)
      .end();
  });
}

describe('traffic of a site', () => {
  it('counts every byte sent, including headers, ranges and errors, over one connection or several', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let received = 0;
    for (const path of ['/', '/big.bin', '/missing', '/index.php']) ({ received } = await visit(path, { agent }));
    ({ received } = await visit('/big.bin', { agent, headers: { range: 'bytes=10-19' } }));
    ({ received } = await visit('/big.bin', { agent, method: 'HEAD' }));
    agent.destroy();
    const other = await visit('/');
    await expect.poll(used).toBe(received + other.received);
    expect(received).toBeGreaterThan(300_000);
  });

  it('counts what an aborted request received, and counts slow downloads while they run', async () => {
    const { siteName } = await row();
    writeFileSync(join(hosting.config.dataDir, 'sites', siteName, 'public', 'huge.bin'), Buffer.alloc(40_000_000, 1));
    const socket = connect(hosting.app.get(SitesServer).port, '127.0.0.1');
    socket.write('GET /huge.bin HTTP/1.1\r\nHost: alice01.localhost\r\n\r\n');
    await once(socket, 'readable');
    await expect.poll(used).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(used).toBeGreaterThan(1_000);
    expect(await used()).toBeLessThan(40_000_000);
  });

  it('is not counted for an unknown site', async () => {
    await visit('/', { headers: { host: 'nobody99.localhost' } });
    expect(await used()).toBe(0);
  });

  it('is saved completely or not at all, and stays counted until it can be saved', async () => {
    await visit('/');
    await expect.poll(() => meter.pending(alice.id)).toBeGreaterThan(0);
    const bytes = meter.pending(alice.id);
    const add = vi.spyOn(repository, 'add').mockRejectedValue(new Error('the database is away'));
    await meter.write();
    add.mockRestore();
    expect([(await row()).trafficUsedBytes, meter.pending(alice.id)]).toEqual([0, bytes]);
    expect(await used()).toBe(bytes);
    expect(meter.pending(alice.id)).toBe(0);
  });

  it('is summed over several processes', async () => {
    const month = repository.month;
    await Promise.all(
      Array.from({ length: 8 }, () =>
        repository.add(
          month,
          new Map([
            [alice.id, 100],
            [999_999, 5],
          ]),
        ),
      ),
    );
    expect([(await row()).trafficUsedBytes, (await repository.history(alice.id))[month]]).toEqual([800, 800]);
  });

  it('belongs to the month in the time zone of the installation', async () => {
    clock.set(new Date('2026-11-30T15:59:59Z'));
    expect(repository.month).toBe('2026-11');
    await repository.add(repository.month, new Map([[alice.id, 500]]));
    clock.set(new Date('2026-11-30T16:00:01Z'));
    expect(repository.month).toBe('2026-12');
    await repository.add(repository.month, new Map([[alice.id, 7]]));
    // A slow process still saves traffic of the previous month.
    await repository.add('2026-11', new Map([[alice.id, 30]]));
    expect(await row()).toMatchObject({ trafficUsedBytes: 7, trafficMonth: '2026-12' });
    expect(await repository.history(alice.id)).toEqual({ '2026-12': 7, '2026-11': 530 });
  });
});

describe('the traffic limit', () => {
  const service = () => hosting.app.get(HostingService);

  it('closes the site immediately, with an explaining page, until the package is enlarged', async () => {
    await service().setQuota(alice.id, { trafficGb: 1 }, 'admin');
    await repository.add(repository.month, new Map([[alice.id, GB - 5]]));
    expect((await visit('/')).status).toBe(200);
    await expect.poll(async () => (await visit('/')).status).toBe(503);
    const page = await visit('/', { headers: { 'accept-language': 'en' } });
    expect(page.body).toContain('This site has used up its traffic');
    await service().setQuota(alice.id, { trafficGb: 2 }, 'admin');
    expect((await visit('/')).status).toBe(200);
    await service().setQuota(alice.id, { trafficGb: 0 }, 'admin');
    expect((await visit('/')).status).toBe(200);
  });

  it('aborts a running download at the next save, and not those of other sites', async () => {
    const bob = await service().provision({ node: 'bh1', user: 'bob0001', password: 'secret-1', expiresOn: null }, 'api');
    const slow = async (user: string) => {
      const { siteName } = await hosting.database.repository(HostingAccount).findOneByOrFail({ userKey: user });
      writeFileSync(join(hosting.config.dataDir, 'sites', siteName, 'public', 'huge.bin'), Buffer.alloc(60_000_000, 1));
      const socket = connect(hosting.app.get(SitesServer).port, '127.0.0.1');
      socket.write(`GET /huge.bin HTTP/1.1\r\nHost: ${user}.localhost\r\n\r\n`);
      await once(socket, 'readable');
      return socket;
    };
    await service().setQuota(alice.id, { trafficGb: 1 }, 'admin');
    const [cut, other] = [await slow('alice01'), await slow('bob0001')];
    await meter.write();
    expect([cut.destroyed, other.destroyed]).toEqual([false, false]);
    // Another process has counted the rest.
    await repository.add(repository.month, new Map([[alice.id, GB]]));
    await meter.write();
    const ended = once(cut.resume(), 'close');
    await ended;
    expect(cut.bytesRead).toBeLessThan(60_000_000);
    expect(other.destroyed).toBe(false);
    other.destroy();
    await service().terminate(bob.id, 'admin');
  });

  it('pauses the account, and unpauses it automatically when the next month begins', async () => {
    await service().setQuota(alice.id, { trafficGb: 1 }, 'admin');
    await repository.add(repository.month, new Map([[alice.id, 2 * GB]]));
    await hosting.app.get(UsageSweep).measure(alice.id);
    expect((await service().get(alice.id))!.pauseReasons).toEqual(['quota']);
    expect((await visit('/', { headers: { 'accept-language': 'en' } })).body).toContain('used up its traffic');
    clock.set(new Date('2026-12-01T00:00:01Z'));
    expect(await hosting.app.get(TrafficMonth).run()).toBeGreaterThan(0);
    expect(await row()).toMatchObject({ trafficUsedBytes: 0, trafficMonth: '2026-12', state: 'active' });
    expect((await visit('/')).status).toBe(200);
    expect(await hosting.app.get(TrafficMonth).run()).toBe(0);
  });

  it('keeps a year of history', async () => {
    await repository.add('2025-10', new Map([[alice.id, 1]]));
    await repository.add('2025-12', new Map([[alice.id, 2]]));
    await repository.add('2026-11', new Map([[alice.id, 3]]));
    clock.set(new Date('2026-12-01T00:00:01Z'));
    await hosting.app.get(TrafficMonth).run();
    expect(await repository.history(alice.id)).toEqual({ '2026-11': 3, '2025-12': 2 });
  });
});

it('is saved before a process ends', async () => {
  await visit('/');
  await hosting.app.get(SitesServer).beforeApplicationShutdown();
  expect((await row()).trafficUsedBytes).toBeGreaterThan(0);
});
