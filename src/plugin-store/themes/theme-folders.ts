import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { ExchangedFolders } from '../../plugin-registry/index.js';
import { readThemeInfo, THEME_FOLDERS_LOCK } from '../../theme/index.js';

/** Theme files in the data folder, with previous versions. */
@Injectable()
export class ThemeFolders extends ExchangedFolders {
  constructor(config: AppConfig, database: Database) {
    super(database, join(config.dataDir, 'themes'), THEME_FOLDERS_LOCK, (name, folder) => readThemeInfo(folder, name).version);
  }
}
