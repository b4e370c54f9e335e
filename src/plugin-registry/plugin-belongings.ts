import { Injectable } from '@nestjs/common';

import { BackgroundQueue, taskOfPlugin } from '../jobs/index.js';

import { PluginFiles } from './package/plugin-files.js';
import { PluginTables } from './tables/plugin-tables.js';

/** Tasks that are looked at at once. */
const PAGE = 200;

/** What a plugin that is uninstalled has made: tables, files, and jobs that wait. */
@Injectable()
export class PluginBelongings {
  constructor(
    private readonly tables: PluginTables,
    private readonly files: PluginFiles,
    private readonly queue: BackgroundQueue,
  ) {}

  /** @param keepData whether tables and files stay; jobs do not, which nobody would do any more */
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
