import { Injectable } from '@nestjs/common';

import { BackgroundTask, type TaskTurn, type TaskView } from '../jobs/index.js';
import { newPermissions } from '../packaging/index.js';
import { originOf, PackageFolders, permissionText } from '../plugin-registry/index.js';

import { requireAuthor } from './author-keys.js';
import { PluginStoreError } from './errors.js';
import type { CheckedPackage } from './package-check.js';
import { PackageExchange } from './package-exchange.js';
import { PACKAGE_ATTEMPTS, PackageWork, packageTask, type PackageAction } from './package-work.js';
import { StoreNotices } from './store-notices.js';

/** Permissions the administrator agreed to. */
interface Agreed {
  readonly permissions: readonly string[];
}

/** A background action on a plugin. */
export type PluginAction =
  | (Extract<PackageAction, { kind: 'store' }> & Agreed)
  | (Extract<PackageAction, { kind: 'upload' }> & Agreed)
  | Extract<PackageAction, { kind: 'back' }>;

/** Installs, upgrades and rolls back plugins; see {@link PackageWork}. */
@Injectable()
export class PluginActions {
  constructor(
    private readonly work: PackageWork,
    private readonly exchange: PackageExchange,
    private readonly folders: PackageFolders,
    private readonly notices: StoreNotices,
  ) {}

  /** Queues an action. @returns id of the task @throws PluginStoreError BUSY while another action on this plugin is pending */
  order(action: PluginAction, by: string): Promise<string> {
    return this.work.order('plugin', action, by);
  }

  /** Returns a task of this type. @throws PluginStoreError TASK_UNKNOWN */
  task(id: string): Promise<TaskView> {
    return this.work.task('plugin', id);
  }

  @BackgroundTask({ name: packageTask('plugin'), attempts: PACKAGE_ATTEMPTS, timeoutMinutes: 15 })
  run(payload: unknown, turn: TaskTurn): Promise<void> {
    return this.work.run<PluginAction>(payload, turn, {
      type: 'plugin',
      folders: this.folders,
      allow: (checked, { permissions, author = '' }) => {
        requireAgreed(checked, permissions);
        requireAuthor(checked, originOf(this.folders.folderOf(checked.slug)), author);
      },
      put: (checked, source) => this.exchange.put(checked, source),
      back: async (slug, version) => void (await this.exchange.back(slug, version)),
      refused: (taskId, error) => this.notices.notifyFailed(taskId, error),
    });
  }
}

/** Requires agreement to all requested permissions. @throws PluginStoreError ASKS */
export function requireAgreed({ slug, permissions }: Pick<CheckedPackage, 'slug' | 'permissions'>, agreed: readonly string[]): void {
  const added = newPermissions(permissions, agreed);
  if (added.length === 0) return;
  const words = added.map(permissionText);
  throw new PluginStoreError('ASKS', { slug, words, names: added.join(',') });
}
