import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../../config/index.js';
import type {
  ArchivePlace,
  BackupsPort,
  DriverTurn,
  DriverAccount,
  DriverNode,
  DriverResult,
  KeptArchive,
  MadeBackup,
  OpenedArchive,
  SpaceMeter,
} from '../../driver/index.js';
import { markOf, refusing, SiteAreas } from '../files/index.js';

import { ArchiveFolder } from './archive-folder.js';
import { makeArchive } from './made-archive.js';
import { restoreArchive } from './restored-site.js';

/** Backups of the sites on this machine, under `DATA_DIR/site-backups`. */
@Injectable()
export class EmbeddedBackups implements BackupsPort {
  private readonly archives: ArchiveFolder;

  constructor(
    private readonly areas: SiteAreas,
    config: AppConfig,
  ) {
    this.archives = new ArchiveFolder(config.siteBackupDir);
  }

  make(account: DriverAccount, to: ArchivePlace, turn: DriverTurn): Promise<DriverResult<MadeBackup>> {
    return this.areas.answer(account, (area) => makeArchive(area, this.archives, to, turn));
  }

  restore(account: DriverAccount, from: KeptArchive, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult> {
    return this.areas.answer(account, async (area) => void (await restoreArchive(area, this.archives, from, space, turn)));
  }

  open(_account: DriverAccount, name: string, _deadline: AbortSignal, from: number): Promise<DriverResult<OpenedArchive>> {
    return refusing(() => this.archives.open(name, from));
  }

  mark(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>> {
    return this.areas.answer(account, (area) => area.use([], (folder) => markOf(folder, deadline, Date.now())));
  }

  async remove(_account: DriverAccount, name: string): Promise<DriverResult> {
    await this.archives.remove(name);
    return { outcome: 'ok', value: undefined };
  }

  check(_node: DriverNode): Promise<DriverResult<{ free: number }>> {
    return refusing(() => this.archives.check());
  }
}
