import type * as BullMq from 'bullmq';
import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

/** BullMQ and its client, loaded in processes that use Redis alone. */
export interface RedisParts {
  readonly bullmq: typeof BullMq;
  /** For whoever adds and looks: refuses at once while Redis is away. */
  readonly client: Redis;
  /** For workers: waits for Redis as long as it takes. */
  readonly patient: Redis;
}

/** What a task is in Redis. */
export interface QueuedTask {
  /** JSON. */
  readonly payload: string;
  readonly key: string | null;
  readonly by: string | null;
}

/** A task in Redis. */
export type QueuedJob = Job<QueuedTask, string | null>;
/** The queue of one name. */
export type NamedQueue = Queue<QueuedTask, string | null>;
/** Runs the tasks of one name. */
export type NamedWorker = Worker<QueuedTask, string | null>;

/** How long one command may take, in milliseconds: a server that accepts and never answers counts as away. */
const COMMAND_MS = 5_000;
const LONGEST_WAIT_MS = 2_000;

/**
 * Loads BullMQ and connects, or finds that it cannot yet.
 *
 * @param onAway told of each failure to reach Redis
 * @param onBack told when it answers (again)
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
