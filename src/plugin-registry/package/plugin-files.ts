import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';

/** Folders for files plugins make, `DATA_DIR/plugin-files/<slug>`: an upgrade leaves them, and they go with the plugin's data. */
@Injectable()
export class PluginFiles {
  constructor(private readonly config: AppConfig) {}

  /** Absolute folder of one, made where there is none; nobody else of the machine reads it. */
  folderOf(slug: string): string {
    const folder = this.placeOf(slug);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Removes what one has made. */
  drop(slug: string): void {
    rmSync(this.placeOf(slug), { recursive: true, force: true });
  }

  private placeOf(slug: string): string {
    return join(this.config.dataDir, 'plugin-files', slug);
  }
}
