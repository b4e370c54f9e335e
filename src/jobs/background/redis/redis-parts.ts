import type * as BullMq from 'bullmq';
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

/** BullMQ and its Redis connections, loaded only in processes that use Redis. */
export interface RedisParts {
  readonly bullmq: typeof BullMq;
  /** For adding and querying: fails immediately while Redis is unreachable. */
  readonly client: Redis;
  /** For workers: waits for Redis indefinitely. */
  readonly patient: Redis;
}

/** Data of a task in Redis. */
export interface QueuedTask {
  /** JSON. */
  readonly payload: string;
  readonly key: string | null;
  readonly by: string | null;
}

/** A task in Redis. */
export type QueuedJob = Job<QueuedTask, string | null>;
/** The queue for one task name. */
export type NamedQueue = Queue<QueuedTask, string | null>;
/** Runs the tasks of one name. */
export type NamedWorker = Worker<QueuedTask, string | null>;

/** Timeout of a command, in milliseconds: a server that accepts connections but never answers counts as unreachable. */
const COMMAND_MS = 5_000;
const LONGEST_WAIT_MS = 2_000;

/**
 * Loads BullMQ and connects; also resolves if Redis is not reachable yet.
 *
 * @param onAway called on each failure to reach Redis
 * @param onBack called when Redis answers (again)
 */
export async function connectRedis(url: string, onAway: (error: Error) => void, onBack: () => void): Promise<RedisParts> {
  const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
  const retryStrategy = (times: number): number => Math.min(times * 100, LONGEST_WAIT_MS);
  const client = new Redis(url, { retryStrategy, maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: COMMAND_MS });
  const patient = new Redis(url, { retryStrategy, maxRetriesPerRequest: null });
  for (const connection of [client, patient]) connection.on('error', onAway);
  client.on('ready', onBack);
  await new Promise<void>((resolve) => {
    client.once('ready', () => resolve());
    client.once('error', () => resolve());
  });
  return { bullmq, client, patient };
}
