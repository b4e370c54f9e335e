import { Injectable } from '@nestjs/common';

import type { DatabaseBackup, DriverTurn } from '../driver/index.js';
import { AccountSpace } from '../files/index.js';
import { SiteBackupRules } from '../site-backups/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { ProgramError, programError } from './program-errors.js';

const BYTES_PER_MB = 1_048_576;

/** Database backups of sites. The limit is that of the file backups, plus one safety backup made before a restore. */
@Injectable()
export class DatabaseBackups {
  constructor(
    private readonly rules: SiteBackupRules,
    private readonly space: AccountSpace,
  ) {}

  /** Lists backups, newest first. */
  list(site: OpenSite): Promise<readonly DatabaseBackup[]> {
    return site.ask('database', (port, account, deadline) => port.backups(account, deadline), programError);
  }

  /** Returns the maximum number of backups. */
  limitOf(site: OpenSite): Promise<number> {
    return this.rules.limitOf(site.account.id);
  }

  /** @throws ProgramError DATABASE_BACKUP_GONE */
  async find(site: OpenSite, named: string): Promise<DatabaseBackup> {
    const found = (await this.list(site)).find(({ id, fileName }) => id === named || fileName === named);
    if (!found) throw new ProgramError('DATABASE_BACKUP_GONE');
    return found;
  }

  /** @throws ProgramError BACKUPS_NONE, BACKUP_LIMIT, and errors of the port */
  async make(site: OpenSite, turn: DriverTurn): Promise<void> {
    const limit = await this.limitOf(site);
    if (limit === 0) throw new ProgramError('BACKUPS_NONE');
    if ((await this.list(site)).length >= limit) throw new ProgramError('BACKUP_LIMIT', { n: limit });
    await this.ask(site, turn, (port, account) => port.backUp(account, turn));
  }

  /** Restores a backup, after backing up the current database. @throws ProgramError SAFETY_PLACE, and errors of the port */
  async restore(site: OpenSite, id: string, turn: DriverTurn): Promise<void> {
    await this.find(site, id);
    await this.keepSafe(site, turn);
    await this.ask(site, turn, (port, account) => port.restore(account, id, turn));
  }

  /** Runs an SQL file of the site. @throws ProgramError OVER_SPACE, and errors of the port */
  async run(site: OpenSite, path: string, turn: DriverTurn): Promise<void> {
    const { databaseQuotaMb: maxMb } = site.account;
    const { bytes } = await site.ask('database', (port, account, deadline) => port.find(account, deadline), programError);
    if (maxMb > 0 && bytes !== null && bytes >= maxMb * BYTES_PER_MB) throw new ProgramError('OVER_SPACE', { n: maxMb });
    await this.ask(site, turn, (port, account) => port.run(account, path, turn));
  }

  /** Exports the database to a new file of the site, within its space. @throws ProgramError NO_SAVING, and errors of the port */
  async save(site: OpenSite, path: string, turn: DriverTurn): Promise<void> {
    const port = site.port('database');
    if (!port.save) throw new ProgramError('NO_SAVING');
    await this.ask(site, turn, (_port, account) => port.save!(account, path, this.space.of(site.account.id), turn));
  }

  /** Removes all tables, after a backup. @throws ProgramError NO_CLEARING, SAFETY_PLACE, and errors of the port */
  async clear(site: OpenSite, turn: DriverTurn): Promise<void> {
    const port = site.port('database');
    if (!port.clear) throw new ProgramError('NO_CLEARING');
    await this.keepSafe(site, turn);
    await this.ask(site, turn, (_port, account) => port.clear!(account, turn));
  }

  /**
   * Makes a safety backup before an irreversible change; it may exceed the limit by one.
   *
   * @returns its id
   * @throws ProgramError SAFETY_PLACE, and errors of the port
   */
  async keepSafe(site: OpenSite, turn: DriverTurn): Promise<string> {
    // One backup above the limit, so that a restore is possible even if all slots are used.
    if ((await this.list(site)).length > Math.max(await this.limitOf(site), 1)) throw new ProgramError('SAFETY_PLACE');
    const own = { ...turn, id: `${turn.id}-safe` };
    const { id } = await this.ask(site, own, (port, account) => port.backUp(account, own));
    return id;
  }

  /** Restores the exact state of a backup, after removing all tables. @throws ProgramError errors of the port */
  async putBack(site: OpenSite, id: string, turn: DriverTurn): Promise<void> {
    const port = site.port('database');
    if (port.clear) await this.ask(site, turn, (_port, account) => port.clear!(account, turn));
    await this.ask(site, turn, (_port, account) => port.restore(account, id, turn));
  }

  private ask<Value>(site: OpenSite, turn: DriverTurn, call: Parameters<typeof site.ask<'database', Value>>[1]): Promise<Value> {
    return site.ask('database', call, programError, turn.signal);
  }
}
