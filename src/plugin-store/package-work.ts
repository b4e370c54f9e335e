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

/** Steps of the progress bar. */
const STEPS = 3;

/** A background action on a package. `author`: the confirmed key of another author, see `otherAuthor`. */
export type PackageAction =
  | { readonly kind: 'store'; readonly slug: string; readonly version: string; readonly sha256: string; readonly author?: string }
  | { readonly kind: 'upload'; readonly slug: string; readonly file: string; readonly author?: string }
  | { readonly kind: 'back'; readonly slug: string; readonly version: string };

/** Actions that install files. */
type Bringing<Action> = Exclude<Action, { readonly kind: 'back' }>;

/** Payload of the task. */
interface QueuedAction<Action> {
  readonly deed: Action;
  /** Distinguishes two orders of the same action. */
  readonly order: string;
}

/** How actions are carried out for plugins or themes. */
export interface PackageExchanging<Action extends PackageAction> {
  readonly type: PackageType;
  readonly folders: ExchangedFolders;
  /** Throws if a checked package may not be installed. */
  readonly allow?: (checked: CheckedPackage, action: Bringing<Action>) => void;
  readonly put: (checked: CheckedPackage, source: PackageSource) => Promise<void>;
  readonly back: (slug: string, version: string) => Promise<void>;
  /** Reports a failed action. */
  readonly refused?: (taskId: string, error: AppError) => Promise<void>;
}

/** How often an action is retried while a dependency is unavailable. */
export const PACKAGE_ATTEMPTS = 5;

/** Name of the background task. */
export const packageTask = (type: PackageType): string => `${type}-package`;

/** Background actions on plugins and themes: one at a time per package, each executed once. */
@Injectable()
export class PackageWork {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly client: StoreClient,
    private readonly check: PackageCheck,
    private readonly packages: StorePackages,
  ) {}

  /** Queues an action. @returns id of the task @throws PluginStoreError BUSY while another action on this package is pending */
  async order(type: PackageType, action: PackageAction, by: string): Promise<string> {
    const payload: QueuedAction<PackageAction> = { deed: action, order: randomUUID() };
    const id = await this.queue.add(packageTask(type), payload, { key: `${type}:${action.slug.toLowerCase()}`, by });
    const added = (await this.queue.find(id))?.payload as QueuedAction<PackageAction> | undefined;
    if (added && added.order !== payload.order) throw new PluginStoreError('BUSY', { slug: action.slug });
    return id;
  }

  /** Returns a task of this type. @throws PluginStoreError TASK_UNKNOWN */
  async task(type: PackageType, id: string): Promise<TaskView> {
    const task = await this.queue.find(id);
    if (task?.name !== packageTask(type)) throw new PluginStoreError('TASK_UNKNOWN');
    return task;
  }

  /** Returns past and current actions on packages of a type, newest first. */
  async history(type: PackageType, page: TaskPage): Promise<{ total: number; actions: { action: PackageAction; task: TaskView }[] }> {
    const { total, tasks } = await this.queue.list({ name: packageTask(type) }, page);
    return { total, actions: tasks.map((task) => ({ action: (task.payload as QueuedAction<PackageAction>).deed, task })) };
  }

  /** Runs an action within its task. */
  async run<Action extends PackageAction>(payload: unknown, turn: TaskTurn, handlers: PackageExchanging<Action>): Promise<void> {
    try {
      await this.execute(payload as QueuedAction<Action>, turn, handlers);
    } catch (error) {
      turn.signal.throwIfAborted();
      // An `AppError` is final; other errors, such as an unreachable database, are retried.
      if (!(error instanceof AppError)) throw error;
      await handlers.refused?.(turn.id, error);
      throw new FinalFailure(error.message, { cause: error });
    }
  }

  private async execute<Action extends PackageAction>(
    { deed: action, order }: QueuedAction<Action>,
    turn: TaskTurn,
    { type, folders, allow, put, back }: PackageExchanging<Action>,
  ): Promise<void> {
    if (action.kind === 'back') return void (await back(action.slug, action.version));
    const path = await folders.incomingFile(action.kind === 'upload' ? action.file : `${order}.zip`);
    // The process may have ended before it reported completion.
    if (folders.isDone(action.slug, order)) return rm(path, { force: true });
    // Happens when a task is retried manually after its last attempt.
    if (action.kind === 'upload' && !existsSync(path)) throw new PluginStoreError('UPLOAD_GONE', { slug: action.slug });
    let isOver = action.kind === 'store';
    try {
      turn.progress(0, STEPS);
      const checked =
        action.kind === 'upload' ? await this.check.ofUpload(path, type) : await this.packages.fetch(type, action.slug, action, path);
      turn.progress(1, STEPS);
      allow?.(checked, action as Bringing<Action>);
      turn.signal.throwIfAborted();
      turn.progress(2, STEPS);
      await put(checked, { store: action.kind === 'store' ? this.client.name : '', order });
      turn.progress(STEPS, STEPS);
      isOver = true;
    } catch (error) {
      isOver ||= await this.isLast(turn, error);
      throw error;
    } finally {
      // A retry needs the upload again.
      if (isOver) await rm(path, { force: true });
    }
  }

  /** Whether no further attempt follows after `error`. */
  private async isLast(turn: TaskTurn, error: unknown): Promise<boolean> {
    if (turn.signal.aborted) return this.queue.isStopped(turn);
    return error instanceof AppError || turn.attempt >= PACKAGE_ATTEMPTS;
  }
}
