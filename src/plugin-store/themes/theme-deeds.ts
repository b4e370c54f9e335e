import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, type TaskTurn, type TaskView } from '../../jobs/index.js';
import { PluginStoreError } from '../errors.js';
import { PackageCheck, type CheckedPackage } from '../package-check.js';
import { StoreClient } from '../store-client.js';
import { ThemeExchange } from './theme-exchange.js';
import { ThemeFolders } from './theme-folders.js';

/** Name of the background task. */
const THEME_TASK = 'theme-package';
/** Steps of one, for its bar. */
const STEPS = 3;

/** What is done with a theme in the background. */
export type ThemeDeed =
  | { readonly kind: 'store'; readonly slug: string; readonly version: string; readonly sha256: string }
  | { readonly kind: 'upload'; readonly slug: string; readonly file: string }
  | { readonly kind: 'back'; readonly slug: string; readonly version: string };

/** Payload of the task. */
interface DeedPayload {
  readonly deed: ThemeDeed;
  /** Tells one order from another of the same deed. */
  readonly order: string;
}

/** Installs, upgrades and takes back themes in the background: one at a time, and each once. */
@Injectable()
export class ThemeDeeds {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly client: StoreClient,
    private readonly check: PackageCheck,
    private readonly exchange: ThemeExchange,
    private readonly folders: ThemeFolders,
  ) {}

  /** @returns the id of the task @throws PluginStoreError BUSY while something is done with this theme */
  async order(deed: ThemeDeed, by: string): Promise<string> {
    const payload: DeedPayload = { deed, order: randomUUID() };
    const id = await this.queue.add(THEME_TASK, payload, { key: `theme:${deed.slug.toLowerCase()}`, by });
    const added = (await this.queue.find(id))?.payload as DeedPayload | undefined;
    if (added && added.order !== payload.order) throw new PluginStoreError('BUSY', { slug: deed.slug });
    return id;
  }

  /** A task of this kind. @throws PluginStoreError TASK_UNKNOWN */
  async task(id: string): Promise<TaskView> {
    const task = await this.queue.find(id);
    if (task?.name !== THEME_TASK) throw new PluginStoreError('TASK_UNKNOWN');
    return task;
  }

  @BackgroundTask({ name: THEME_TASK, attempts: 5, timeoutMinutes: 15 })
  async run(payload: unknown, turn: TaskTurn): Promise<void> {
    const { deed, order } = payload as DeedPayload;
    try {
      await this.execute(deed, order, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      // What has words is decided; anything else, such as a database that is away, is tried again.
      if (!(error instanceof AppError)) throw error;
      throw new FinalFailure(error.message, { cause: error });
    }
  }

  private async execute(deed: ThemeDeed, order: string, turn: TaskTurn): Promise<void> {
    if (deed.kind === 'back') return void (await this.exchange.back(deed.slug, deed.version));
    const path = await this.folders.incomingFile(deed.kind === 'upload' ? deed.file : `${order}.zip`);
    try {
      turn.progress(0, STEPS);
      const checked = deed.kind === 'upload' ? await this.check.ofUpload(path, 'theme') : await this.fetch(deed, path);
      turn.progress(1, STEPS);
      turn.signal.throwIfAborted();
      turn.progress(2, STEPS);
      await this.exchange.put(checked, deed.kind === 'store' ? this.client.name : '');
      turn.progress(STEPS, STEPS);
    } finally {
      // One that is tried again needs the upload.
      if (deed.kind === 'store' || !turn.signal.aborted) await rm(path, { force: true });
    }
  }

  /** @throws PluginStoreError, for everything that is not what was asked for */
  private async fetch({ slug, version, sha256 }: Extract<ThemeDeed, { kind: 'store' }>, path: string): Promise<CheckedPackage> {
    const item = await this.client.item(slug, 'theme');
    const told = (await this.client.versions(item.id)).find((one) => one.version === version);
    if (!told) throw new PluginStoreError('VERSION_UNKNOWN', { version });
    if (told.sha256 !== sha256) throw new PluginStoreError('DIGEST_ASKED', { version });
    await rm(path, { force: true });
    await this.client.download(item.id, version, path);
    return this.check.ofStore(path, item.slug, told, 'theme');
  }
}
