import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { connectAgain } from '../../../../test/support/event-process.js';
import { createTestDatabase, type TestPlace } from '../../../../test/support/database.js';
import { LoopbackProxy } from '../../../../test/support/loopback-proxy.js';
import { Clock } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import type { Database } from '../../../database/index.js';

import { RedisQueue, Task, TaskRecords, TaskRegistry } from '../index.js';
import { describeQueue, type QueueProcess } from '../testing/queue-contract.js';

const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Whether a Redis answers; the suite of `.ci/run` sees to it that one does. */
const hasRedis = await new Promise<boolean>((resolve) => {
  const { hostname, port } = new URL(REDIS);
  const socket = createConnection({ host: hostname, port: Number(port || 6379) });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  socket.once('close', () => socket.destroy());
  setTimeout(() => socket.destroy(), 1_000).unref();
});
if (!hasRedis) process.stderr.write(`No Redis answers at ${REDIS}: the specs of the queue in Redis are skipped.\n`);

describe.skipIf(!hasRedis)('with Redis', () => {
  let database: Database;
  let place: TestPlace;
  let dispose: () => Promise<void>;
  let redis: Redis;
  const prefix = `svc-test-${randomBytes(6).toString('hex')}`;

  async function clear(): Promise<void> {
    await database.dataSource.manager.createQueryBuilder().delete().from(Task).execute();
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.del(...keys);
  }

  beforeAll(async () => {
    redis = new Redis(REDIS);
    ({ database, place, dispose } = await createTestDatabase());
  });
  afterAll(async () => {
    await clear();
    redis.disconnect();
    await dispose();
  });

  async function newProcess(proxy?: LoopbackProxy): Promise<QueueProcess> {
    // Each its own connections and way to Redis, so that one that is killed writes nothing more.
    const connection = await connectAgain(place);
    const handlers = new TaskRegistry();
    const records = new TaskRecords(connection, new Clock(), handlers);
    const config = new AppConfig({ DATA_DIR: place.dataDir, REDIS_URL: proxy?.url ?? REDIS });
    const settings = { lease: 600, renewal: 100, skew: 200, poll: 100, shutdown: 5_000 };
    const queue = new RedisQueue(config, connection, new Clock(), records, handlers, settings, prefix);
    queue.start();
    let ended: Promise<unknown> | undefined;
    const stop = async (): Promise<void> => {
      await queue.onModuleDestroy();
      await connection.dataSource.destroy();
      await proxy?.close();
    };
    const kill = async (): Promise<void> => {
      await proxy?.cut();
      await connection.dataSource.destroy();
      void queue.onModuleDestroy();
    };
    return {
      queue,
      handlers,
      database: connection,
      stop: async () => void (await (ended ??= stop())),
      kill: async () => void (await (ended ??= kill())),
    };
  }

  describeQueue('the queue in Redis', { clear, start: async () => newProcess(await LoopbackProxy.start(REDIS)) });

  describe('that is away', () => {
    it('keeps what is added meanwhile, shows it, and runs it when Redis is back', async () => {
      await clear();
      const proxy = await LoopbackProxy.start(REDIS);
      const process = await newProcess(proxy);
      const ran: unknown[] = [];
      process.handlers.add({ name: 'test.work', run: (payload) => void ran.push(payload), concurrency: 4 });
      await process.queue.add('test.work', 'before');
      await vi.waitFor(() => expect(ran).toEqual(['before']), { timeout: 10_000 });
      await proxy.cut();
      await vi.waitFor(() => expect(process.queue.available).toBe(false), { timeout: 10_000 });
      const kept = await process.queue.add('test.work', 'meanwhile', { key: 'k' });
      expect(await process.queue.add('test.work', 'meanwhile', { key: 'k' })).toBe(kept);
      expect(await process.queue.find(kept)).toMatchObject({ id: kept, state: 'waiting', payload: 'meanwhile' });
      expect((await process.queue.list({}, { page: 1, limit: 10 })).tasks.map(({ id }) => id)).toEqual([kept]);
      await expect(process.queue.retry('test.work~1')).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
      await proxy.restore();
      await vi.waitFor(() => expect(ran).toEqual(['before', 'meanwhile']), { timeout: 20_000 });
      await vi.waitFor(async () => expect((await process.queue.find(kept))?.state).toBe('done'), { timeout: 10_000 });
      expect(process.queue.available).toBe(true);
      expect(await database.repository(Task).count()).toBe(0);
      await process.stop();
    });

    it('sends on what a process that died had kept, and what waited before there was Redis', async () => {
      await clear();
      const records = new TaskRecords(database, new Clock(), new TaskRegistry());
      await records.add({ name: 'test.work', payload: '"left"', key: null, runAt: null, priority: 10, by: null });
      const process = await newProcess();
      const ran: unknown[] = [];
      process.handlers.add({ name: 'test.work', run: (payload) => void ran.push(payload) });
      await vi.waitFor(() => expect(ran).toEqual(['left']), { timeout: 10_000 });
      await process.stop();
    });
  });
});
