import { Injectable } from '@nestjs/common';

import { BackgroundQueue, taskOfPlugin } from '../jobs/index.js';

import { PluginFiles } from './package/plugin-files.js';
import { PluginTables } from './tables/plugin-tables.js';

/** Tasks read per query. */
const PAGE = 200;

/** Data of a plugin to remove on uninstall: tables, files, and pending jobs. */
@Injectable()
export class PluginBelongings {
  constructor(
    private readonly tables: PluginTables,
    private readonly files: PluginFiles,
    private readonly queue: BackgroundQueue,
  ) {}

  /** @param keepData keeps tables and files; pending jobs are always removed, since no handler is left */
  async drop(slug: string, keepData: boolean): Promise<void> {
    await this.endJobs(slug);
    if (keepData) return;
    await this.tables.drop(slug);
    this.files.drop(slug);
  }

  private async endJobs(slug: string): Promise<void> {
    const prefix = taskOfPlugin(slug, '');
    const waiting: string[] = [];
    for (let page = 1, more = true; more; page += 1) {
      const { total, tasks } = await this.queue.list({ state: 'waiting' }, { page, limit: PAGE });
      waiting.push(...tasks.filter(({ name }) => name.startsWith(prefix)).map(({ id }) => id));
      more = page * PAGE < total;
    }
    for (const id of waiting) await this.queue.cancel(id);
  }
}
