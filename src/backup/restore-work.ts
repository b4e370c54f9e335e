import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { AppConfig, Secrets } from '../config/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, type TaskTurn, type TaskView } from '../jobs/index.js';

import { ArchiveError, type ArchiveVisitor, readArchive } from './archive/archive-reader.js';
import type { Manifest } from './archive/manifest.js';
import { recipientOf, recoveryKeyIn } from './archive/recovery-key.js';
import { BackupMaker } from './backup-maker.js';
import { BackupRecords } from './backup-records.js';
import type { Backup } from './entities/index.js';
import { BackupError } from './errors.js';
import { TaskKeys } from './restore/task-keys.js';
import { PreparedRestore } from './restore/prepared-restore.js';

const CHECK = 'backup.check';
const PREPARE = 'backup.prepare';
/** The second attempt is for a crashed process. */
const ATTEMPTS = 2;
/** Tasks per type searched for those of a backup. */
const RECENT = 50;

/** Payload of a task. */
interface Order {
  readonly id: number;
  /** Token under which the recovery key is stored. */
  readonly key: string;
  readonly by: string;
}

/** Result of a check. */
export interface CheckedBackup {
  readonly id: number;
  readonly manifest: Manifest;
}

/** Verifies backups completely and prepares restores; in the background, because gigabytes take minutes. */
@Injectable()
export class RestoreWork {
  readonly prepared: PreparedRestore;
  private readonly keys: TaskKeys;

  constructor(
    private readonly records: BackupRecords,
    private readonly maker: BackupMaker,
    private readonly queue: BackgroundQueue,
    secrets: Secrets,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.prepared = new PreparedRestore(config.dataDir);
    this.keys = new TaskKeys(config.dataDir, secrets);
  }

  /** Queues a check of a backup. @returns id of the task @throws BackupError `MISSING`, `UNFINISHED`, `RECOVERY_KEY` */
  async orderCheck(id: number, recoveryKey: string, by: string): Promise<string> {
    return this.queue.add(CHECK, await this.orderOf(id, recoveryKey, by), { key: `backup:${id}`, by });
  }

  /**
   * Queues the preparation of a restore: unpacks the backup next to the existing data and backs that up.
   *
   * @returns id of the task
   * @throws BackupError as {@link orderCheck}, `RESTORE_READY`, `NO_KEY`
   */
  async orderRestore(id: number, recoveryKey: string, by: string): Promise<string> {
    if (this.prepared.plan) throw new BackupError('RESTORE_READY');
    if (!(await this.records.setting()).recipient) throw new BackupError('NO_KEY');
    await this.prepared.removeOutcome();
    return this.queue.add(PREPARE, await this.orderOf(id, recoveryKey, by), { key: 'restore', by });
  }

  /** Cancels a prepared or pending restore. @returns whether there was one */
  async cancel(): Promise<boolean> {
    const open = await this.openRestore();
    const isStopped = open !== null && (await this.queue.cancel(open.id));
    const hadOutcome = this.prepared.outcome !== null;
    await this.prepared.removeOutcome();
    // A running task removes its files itself.
    const wasReady = open?.state === 'running' ? false : await this.prepared.discard();
    return isStopped || wasReady || hadOutcome;
  }

  /** Returns the newest recent check of a backup, if any. */
  async lastCheck(id: number): Promise<TaskView | null> {
    return this.newest(CHECK, (order) => order.id === id);
  }

  /** Returns the newest recent restore task, if any. */
  async lastRestore(): Promise<TaskView | null> {
    return this.newest(PREPARE, () => true);
  }

  @BackgroundTask({ name: CHECK, attempts: ATTEMPTS, timeoutMinutes: 720 })
  async check(payload: unknown, turn: TaskTurn): Promise<CheckedBackup> {
    const order = payload as Order;
    const discarding: ArchiveVisitor = { entry: (_header, content) => pipeline(content, nowhere()) };
    return this.runTask(order, turn, async () => ({ id: order.id, manifest: await this.read(order, discarding, turn) }));
  }

  /** Unpacks and verifies the backup, backs up the current state, and schedules the restore for the next start. */
  @BackgroundTask({ name: PREPARE, attempts: ATTEMPTS, timeoutMinutes: 720 })
  async prepare(payload: unknown, turn: TaskTurn): Promise<{ readonly id: number }> {
    const order = payload as Order;
    const { prepared } = this;
    // The process crashed after writing the plan but before completing the task.
    if (prepared.plan?.task === turn.id) return { id: order.id };
    return this.runTask(order, turn, async () => {
      try {
        const { name } = await this.records.find(order.id);
        await prepared.begin();
        const manifest = await this.read(order, prepared.unpacked, turn);
        await prepared.unpacked.makeLinks();
        const { name: safety } = await this.maker.make('hand', turn.signal);
        turn.signal.throwIfAborted();
        const readyAt = this.clock.now().toISOString();
        await prepared.ready({ task: turn.id, id: order.id, backup: name, by: order.by, readyAt, safety, manifest, attempts: 0 });
        return { id: order.id };
      } catch (error) {
        await prepared.discard();
        throw error;
      }
    });
  }

  private async orderOf(id: number, recoveryKey: string, by: string): Promise<Order> {
    const { state } = await this.records.find(id);
    if (state !== 'done') throw new BackupError('UNFINISHED');
    const key = recoveryKeyIn(recoveryKey);
    if (!(await recipientOf(key))) throw new BackupError('RECOVERY_KEY');
    return { id, key: await this.keys.add(key), by };
  }

  private async read({ id, key }: Order, visitor: ArchiveVisitor, turn: TaskTurn): Promise<Manifest> {
    const backup: Backup = await this.records.find(id);
    const { content, size } = await this.maker.storageFor(backup).read(backup.name);
    try {
      const tracked = Readable.from(trackProgress(content, turn, size), { objectMode: false });
      return await readArchive({ name: backup.name, content: tracked }, await this.keys.read(key), visitor);
    } finally {
      content.destroy();
    }
  }

  /** Runs the work of a task; errors of a damaged backup are final. The key is kept only for a retry. */
  private async runTask<Result>({ key }: Order, turn: TaskTurn, work: () => Promise<Result>): Promise<Result> {
    let isOver = true;
    try {
      return await work();
    } catch (error) {
      isOver = false;
      turn.signal.throwIfAborted();
      const final = finalText(error);
      isOver = final !== null || turn.attempt >= ATTEMPTS;
      throw final === null ? error : new FinalFailure(final);
    } finally {
      if (isOver) await this.keys.remove(key);
    }
  }

  private async openRestore(): Promise<TaskView | null> {
    const last = await this.lastRestore();
    return last?.state === 'waiting' || last?.state === 'running' ? last : null;
  }

  private async newest(name: string, isMeant: (order: Order) => boolean): Promise<TaskView | null> {
    const { tasks } = await this.queue.list({ name }, { page: 1, limit: RECENT });
    return tasks.find(({ payload }) => isMeant(payload as Order)) ?? null;
  }
}

/** Passes the content on and reports the progress. */
async function* trackProgress(content: Readable, { signal, progress }: TaskTurn, size: number): AsyncGenerator<Buffer> {
  let done = 0;
  signal.addEventListener('abort', () => content.destroy(signal.reason as Error), { once: true });
  for await (const chunk of content as AsyncIterable<Buffer>) {
    progress((done += chunk.length), size);
    yield chunk;
  }
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Returns the text or text key of an error that would recur on a retry. */
function finalText(error: unknown): string | null {
  if (error instanceof ArchiveError) return error.text ?? error.message;
  if (error instanceof BackupError) return error.shape.text;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'backup.data_disk_full' : null;
}
