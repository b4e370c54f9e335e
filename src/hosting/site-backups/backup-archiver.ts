import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import { AccountDrivers, AccountStore, type BoundDriver, driverError } from '../accounts/index.js';
import { type ArchivePlace, callDriver, type DriverTurn, type KeptArchive, type OpenedArchive, succeeded } from '../driver/index.js';
import type { HostingAccount, SiteBackup } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import type { OpenSite } from '../site-tools/index.js';

import { SiteBackupError, siteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupStorage } from './backup-storage.js';
import { PartedArchive } from './parted-archive.js';

/** Creates the archives of backups on the disk of the site's server, or in the storage. */
@Injectable()
export class SiteBackupArchiver {
  constructor(
    private readonly storage: SiteBackupStorage,
    private readonly records: SiteBackupRecords,
    private readonly drivers: AccountDrivers,
    private readonly store: AccountStore,
  ) {}

  /** Creates the archive of a row. @returns false if the row was removed in the meantime */
  async make(site: OpenSite, row: SiteBackup, turn: TaskTurn, report: DriverTurn['progress']): Promise<boolean> {
    const { name, place } = row;
    const parts = place === 's3' ? this.partsOf(row) : null;
    const to: ArchivePlace = parts ? { name, url: this.storage.address('PUT', name), parts } : { name };
    const made = await site.ask(
      'backups',
      (backups, account) => backups.make(account, to, stepTurn(turn, 'make', report)),
      siteBackupError,
      turn.signal,
    );
    await parts?.complete(made.size);
    // Verifies the size, because a faulty storage may accept data without storing it.
    if (parts && (await this.storage.size(name)) !== made.size) throw new SiteBackupError('BACKUP_DAMAGED');
    return this.records.done(row.id, made);
  }

  /** Describes the archive of a row for a restore; it may be on a server the site was moved away from. */
  kept(row: SiteBackup, { nodeCode }: Pick<HostingAccount, 'nodeCode'>): KeptArchive {
    const { name, size, sha256, content, place } = row;
    const archive = { name, size, sha256, content };
    if (place === 's3') return { ...archive, url: this.storage.address('GET', name) };
    return row.nodeCode === nodeCode ? archive : { ...archive, fetch: async () => (await this.open(row, 0)).content };
  }

  /**
   * Opens the archive of a row at its location; the caller must close the stream.
   *
   * @throws SiteBackupError, and errors of its server
   */
  async open(row: SiteBackup, from: number): Promise<OpenedArchive> {
    const { place, name } = row;
    if (place === 's3') return this.storage.open(name, from);
    const bound = await this.serverOf(row);
    const { backups } = bound.driver;
    if (!backups) throw new HostingError('PORT_MISSING');
    const opened = await callDriver((deadline) => backups.open(bound.account, name, deadline, from));
    if (succeeded(opened)) return opened.value;
    if (opened.outcome === 'refused' && opened.problem) throw siteBackupError(opened.problem);
    throw driverError(opened);
  }

  /** Returns the driver of the server that stores the archive. */
  private async serverOf({ hostId, nodeCode, siteName }: SiteBackup): Promise<BoundDriver> {
    const account = await this.store.find(hostId);
    if (account?.nodeCode === nodeCode) return this.drivers.of(account);
    return this.drivers.ofKept({ hostId, nodeCode, siteName, username: '', siteId: '' }).catch((error: unknown) => {
      // Archives on the disk of a removed server are lost.
      throw error instanceof HostingError && error.code === 'NODE_NOT_FOUND' ? new SiteBackupError('BACKUP_GONE') : error;
    });
  }

  private partsOf({ id, name }: SiteBackup): PartedArchive {
    return new PartedArchive(this.storage, name, (sha256) => this.records.sends(id, sha256));
  }
}

/** Creates the turn passed to a driver for one step of a task. */
export function stepTurn(turn: TaskTurn, step: string, progress: DriverTurn['progress']): DriverTurn {
  return { id: hash('sha256', `${turn.id}:${step}`, 'hex').slice(0, 32), signal: turn.signal, progress };
}
