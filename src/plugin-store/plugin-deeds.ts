import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { AppError } from '../common/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, type TaskTurn, type TaskView } from '../jobs/index.js';
import { PackageFolders } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import { PackageCheck, powersOf, type CheckedPackage } from './package-check.js';
import { PackageExchange } from './package-exchange.js';
import { StoreClient } from './store-client.js';
import { StoreNotices } from './store-notices.js';

/** Name of the background task. */
export const PLUGIN_TASK = 'plugin-package';
/** Steps of one, for its bar. */
const STEPS = 3;

/** What is done with a plugin in the background. */
export type PluginDeed =
  /** `permissions`: those somebody agreed to. */
  | {
      readonly kind: 'store';
      readonly slug: string;
      readonly version: string;
      readonly sha256: string;
      readonly permissions: readonly string[];
    }
  | { readonly kind: 'upload'; readonly slug: string; readonly file: string; readonly permissions: readonly string[] }
  | { readonly kind: 'back'; readonly slug: string; readonly version: string };

/** Payload of the task. */
interface DeedPayload {
  readonly deed: PluginDeed;
  /** Tells one order from another of the same deed. */
  readonly order: string;
}

/** Installs, upgrades and takes back in the background: one plugin at a time, and each once. */
@Injectable()
export class PluginDeeds {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly client: StoreClient,
    private readonly check: PackageCheck,
    private readonly exchange: PackageExchange,
    private readonly folders: PackageFolders,
    private readonly notices: StoreNotices,
  ) {}

  /** @returns the id of the task @throws PluginStoreError BUSY while something is done with this plugin */
  async order(deed: PluginDeed, by: string): Promise<string> {
    const payload: DeedPayload = { deed, order: randomUUID() };
    const id = await this.queue.add(PLUGIN_TASK, payload, { key: `plugin:${deed.slug.toLowerCase()}`, by });
    const added = (await this.queue.find(id))?.payload as DeedPayload | undefined;
    if (added && added.order !== payload.order) throw new PluginStoreError('BUSY', { slug: deed.slug });
    return id;
  }

  /** A task of this kind. @throws PluginStoreError TASK_UNKNOWN */
  async task(id: string): Promise<TaskView> {
    const task = await this.queue.find(id);
    if (task?.name !== PLUGIN_TASK) throw new PluginStoreError('TASK_UNKNOWN');
    return task;
  }

  @BackgroundTask({ name: PLUGIN_TASK, attempts: 5, timeoutMinutes: 15 })
  async run(payload: unknown, turn: TaskTurn): Promise<void> {
    const { deed, order } = payload as DeedPayload;
    try {
      await this.execute(deed, order, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      // What has words is decided; anything else, such as a database that is away, is tried again.
      if (!(error instanceof AppError)) throw error;
      await this.notices.tellFailed(turn.id, error);
      throw new FinalFailure(error.message, { cause: error });
    }
  }

  private async execute(deed: PluginDeed, order: string, turn: TaskTurn): Promise<void> {
    if (deed.kind === 'back') return void (await this.exchange.back(deed.slug, deed.version));
    const path = await this.folders.incomingFile(deed.kind === 'upload' ? deed.file : `${order}.zip`);
    try {
      turn.progress(0, STEPS);
      const checked = deed.kind === 'upload' ? await this.check.ofUpload(path) : await this.fetch(deed, path);
      turn.progress(1, STEPS);
      requireAgreed(checked, deed.permissions);
      turn.signal.throwIfAborted();
      turn.progress(2, STEPS);
      await this.exchange.put(checked, { store: deed.kind === 'store' ? this.client.name : '' });
      turn.progress(STEPS, STEPS);
    } finally {
      // One that is tried again needs the upload.
      if (deed.kind === 'store' || !turn.signal.aborted) await rm(path, { force: true });
    }
  }

  /** @throws PluginStoreError, for everything that is not what was agreed to */
  private async fetch({ slug, version, sha256 }: Extract<PluginDeed, { kind: 'store' }>, path: string): Promise<CheckedPackage> {
    const item = await this.client.item(slug);
    const told = (await this.client.versions(item.id)).find((one) => one.version === version);
    if (!told) throw new PluginStoreError('VERSION_UNKNOWN', { version });
    if (told.sha256 !== sha256) throw new PluginStoreError('DIGEST_ASKED', { version });
    await rm(path, { force: true });
    await this.client.download(item.id, version, path);
    return this.check.ofStore(path, item.slug, told);
  }
}

/** @throws PluginStoreError ASKS */
export function requireAgreed({ slug, permissions }: Pick<CheckedPackage, 'slug' | 'permissions'>, agreed: readonly string[]): void {
  const asked = powersOf(permissions).filter((name) => !agreed.includes(name));
  if (asked.length === 0) return;
  const words = asked.map((name) => ({ key: `plugins.permission.${name}` }));
  throw new PluginStoreError('ASKS', { slug, words, names: asked.join(',') });
}
