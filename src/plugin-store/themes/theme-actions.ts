import { Injectable } from '@nestjs/common';

import { BackgroundTask, type TaskTurn, type TaskView } from '../../jobs/index.js';
import { requireAuthor } from '../author-keys.js';
import { PACKAGE_ATTEMPTS, PackageWork, packageTask, type PackageAction } from '../package-work.js';
import { ThemeExchange } from './theme-exchange.js';
import { ThemeFolders } from './theme-folders.js';

/** Installs, upgrades and rolls back themes; see {@link PackageWork}. */
@Injectable()
export class ThemeActions {
  constructor(
    private readonly work: PackageWork,
    private readonly exchange: ThemeExchange,
    private readonly folders: ThemeFolders,
  ) {}

  /** Queues an action. @returns id of the task @throws PluginStoreError BUSY while another action on this theme is pending */
  order(action: PackageAction, by: string): Promise<string> {
    return this.work.order('theme', action, by);
  }

  /** Returns a task of this type. @throws PluginStoreError TASK_UNKNOWN */
  task(id: string): Promise<TaskView> {
    return this.work.task('theme', id);
  }

  @BackgroundTask({ name: packageTask('theme'), attempts: PACKAGE_ATTEMPTS, timeoutMinutes: 15 })
  run(payload: unknown, turn: TaskTurn): Promise<void> {
    return this.work.run(payload, turn, {
      type: 'theme',
      folders: this.folders,
      allow: (checked, { author = '' }) => requireAuthor(checked, this.exchange.originOf(checked.slug), author),
      put: (checked, source) => this.exchange.put(checked, source),
      back: (slug, version) => this.exchange.back(slug, version),
    });
  }
}
