import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { AppError } from '../common/index.js';
import { BackgroundQueue, FinalFailure, type TaskPage, type TaskTurn, type TaskView } from '../jobs/index.js';
import type { PackageType } from '../packaging/index.js';
import type { ExchangedFolders } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import { PackageCheck, type CheckedPackage } from './package-check.js';
import type { PackageSource } from './package-exchange.js';
import { StoreClient } from './store-client.js';
import { StorePackages } from './store-packages.js';

/** Steps of a deed, for its bar. */
const STEPS = 3;

/** What is done with a package in the background. `author`: the key of another author somebody said yes to, see `otherAuthor`. */
export type PackageDeed =
  | { readonly kind: 'store'; readonly slug: string; readonly version: string; readonly sha256: string; readonly author?: string }
  | { readonly kind: 'upload'; readonly slug: string; readonly file: string; readonly author?: string }
  | { readonly kind: 'back'; readonly slug: string; readonly version: string };

/** Those that bring files. */
type Bringing<Deed> = Exclude<Deed, { readonly kind: 'back' }>;

/** Payload of the task. */
interface DeedPayload<Deed> {
  readonly deed: Deed;
  /** Tells one order from another of the same deed. */
  readonly order: string;
}

/** How deeds of plugins, or of themes, are done. */
export interface PackageExchanging<Deed extends PackageDeed> {
  readonly type: PackageType;
  readonly folders: ExchangedFolders;
  /** Refuses what was checked and may not come all the same, by throwing. */
  readonly allow?: (checked: CheckedPackage, deed: Bringing<Deed>) => void;
  readonly put: (checked: CheckedPackage, source: PackageSource) => Promise<void>;
  readonly back: (slug: string, version: string) => Promise<void>;
  /** Tells what a deed was refused for. */
  readonly refused?: (taskId: string, error: AppError) => Promise<void>;
}

/** How often a deed is tried where what it needs is away. */
export const PACKAGE_ATTEMPTS = 5;

/** Name of the background task. */
export const packageTask = (type: PackageType): string => `${type}-package`;

/** Deeds of plugins and themes in the background: one at a time for each of them, and each once. */
@Injectable()
export class PackageWork {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly client: StoreClient,
    private readonly check: PackageCheck,
    private readonly packages: StorePackages,
  ) {}

  /** @returns the id of the task @throws PluginStoreError BUSY while something is done with this package */
  async order(type: PackageType, deed: PackageDeed, by: string): Promise<string> {
    const payload: DeedPayload<PackageDeed> = { deed, order: randomUUID() };
    const id = await this.queue.add(packageTask(type), payload, { key: `${type}:${deed.slug.toLowerCase()}`, by });
    const added = (await this.queue.find(id))?.payload as DeedPayload<PackageDeed> | undefined;
    if (added && added.order !== payload.order) throw new PluginStoreError('BUSY', { slug: deed.slug });
    return id;
  }

  /** A task of this kind. @throws PluginStoreError TASK_UNKNOWN */
  async task(type: PackageType, id: string): Promise<TaskView> {
    const task = await this.queue.find(id);
    if (task?.name !== packageTask(type)) throw new PluginStoreError('TASK_UNKNOWN');
    return task;
  }

  /** What was done, or is being done, with packages of a kind, newest first. */
  async history(type: PackageType, page: TaskPage): Promise<{ total: number; deeds: { deed: PackageDeed; task: TaskView }[] }> {
    const { total, tasks } = await this.queue.list({ name: packageTask(type) }, page);
    return { total, deeds: tasks.map((task) => ({ deed: (task.payload as DeedPayload<PackageDeed>).deed, task })) };
  }

  /** Does a deed, in its task. */
  async run<Deed extends PackageDeed>(payload: unknown, turn: TaskTurn, how: PackageExchanging<Deed>): Promise<void> {
    try {
      await this.execute(payload as DeedPayload<Deed>, turn, how);
    } catch (error) {
      turn.signal.throwIfAborted();
      // What has words is decided; anything else, such as a database that is away, is tried again.
      if (!(error instanceof AppError)) throw error;
      await how.refused?.(turn.id, error);
      throw new FinalFailure(error.message, { cause: error });
    }
  }

  private async execute<Deed extends PackageDeed>(
    { deed, order }: DeedPayload<Deed>,
    turn: TaskTurn,
    { type, folders, allow, put, back }: PackageExchanging<Deed>,
  ): Promise<void> {
    if (deed.kind === 'back') return void (await back(deed.slug, deed.version));
    const path = await folders.incomingFile(deed.kind === 'upload' ? deed.file : `${order}.zip`);
    // A process may have ended before it could say that it was done.
    if (folders.isDone(deed.slug, order)) return rm(path, { force: true });
    // Somebody has it tried again after its last attempt.
    if (deed.kind === 'upload' && !existsSync(path)) throw new PluginStoreError('UPLOAD_GONE', { slug: deed.slug });
    let isOver = deed.kind === 'store';
    try {
      turn.progress(0, STEPS);
      const checked =
        deed.kind === 'upload' ? await this.check.ofUpload(path, type) : await this.packages.fetch(type, deed.slug, deed, path);
      turn.progress(1, STEPS);
      allow?.(checked, deed as Bringing<Deed>);
      turn.signal.throwIfAborted();
      turn.progress(2, STEPS);
      await put(checked, { store: deed.kind === 'store' ? this.client.name : '', order });
      turn.progress(STEPS, STEPS);
      isOver = true;
    } catch (error) {
      isOver ||= await this.isLast(turn, error);
      throw error;
    } finally {
      // One that is tried again needs the upload.
      if (isOver) await rm(path, { force: true });
    }
  }

  /** Whether no attempt follows the one that failed with `error`. */
  private async isLast(turn: TaskTurn, error: unknown): Promise<boolean> {
    if (turn.signal.aborted) return this.queue.isStopped(turn);
    return error instanceof AppError || turn.attempt >= PACKAGE_ATTEMPTS;
  }
}
