import { Injectable } from '@nestjs/common';

import { BackupRecords } from '../../backup/index.js';
import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { SiteBackupRecords } from '../../hosting/index.js';

import { type ObsoleteFile, obsoleteFiles } from './obsolete-files.js';

/** Finds obsolete files on this machine. */
@Injectable()
export class FileRepair {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly backups: BackupRecords,
    private readonly siteBackups: SiteBackupRecords,
  ) {}

  /** Yields obsolete files by folder and name. */
  async *find(): AsyncGenerator<ObsoleteFile> {
    const running = await this.backups.running();
    const use = {
      isBackup: (name: string) => name === running?.name,
      isSiteBackup: (name: string, whole: boolean) => this.siteBackups.isWanted(name, whole),
    };
    yield* obsoleteFiles(this.config, use, this.clock.now());
  }
}
