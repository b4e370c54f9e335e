import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';

/** Data folders of plugins, `DATA_DIR/plugin-files/<slug>`: kept across upgrades, removed with the plugin's data. */
@Injectable()
export class PluginFiles {
  constructor(private readonly config: AppConfig) {}

  /** Returns the absolute data folder, created if missing; readable by no other user of the machine. */
  folderOf(slug: string): string {
    const folder = this.pathOf(slug);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Removes a plugin's data folder. */
  drop(slug: string): void {
    rmSync(this.pathOf(slug), { recursive: true, force: true });
  }

  private pathOf(slug: string): string {
    return join(this.config.dataDir, 'plugin-files', slug);
  }
}
