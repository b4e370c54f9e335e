import { Injectable } from '@nestjs/common';

import { type DatabaseBackup, DatabaseProblem, type DriverAccount, type DriverNode, type SiteDatabase } from '../../driver/index.js';
import { PanelClient, type PanelFields, type PanelRecord, requireData, rowsOf, textOf } from '../client/index.js';
import { BACKUP_ROOT, isSafeName, type PanelDatabase, PanelSites, PanelTables, readBytes } from '../sites/index.js';

const LOCAL = ['127.0.0.1', 'localhost', ''];
/** Type of database backups in the panel's list of backups. */
const OF_DATABASE = '1';
const SHANGHAI = '+08:00';

/** A backup and its path. */
export interface PlacedBackup {
  readonly backup: DatabaseBackup;
  readonly path: string;
}

/** Databases as stored in a server panel. Every method throws PanelProblem or DatabaseProblem. */
@Injectable()
export class DatabaseRows {
  constructor(
    private readonly client: PanelClient,
    private readonly sites: PanelSites,
    private readonly tablesOf: PanelTables,
  ) {}

  /** Returns the database of an account's site. @throws DatabaseProblem DATABASE_NONE */
  async of(account: DriverAccount, signal: AbortSignal): Promise<PanelDatabase> {
    const { node, username } = account;
    const database = await this.sites.database(node, await this.sites.own(account, signal), username, signal);
    if (!database) throw new DatabaseProblem('DATABASE_NONE');
    return database;
  }

  async describe(account: DriverAccount, signal: AbortSignal): Promise<SiteDatabase> {
    const { name, username, accept } = await this.of(account, signal);
    const info = await this.info(account.node, name, signal);
    const addresses = accept.split(',').map((address) => address.trim());
    return {
      name,
      username,
      host: 'localhost',
      port: 3_306,
      bytes: readBytes(textOf(info.data_size)),
      tables: rowsOf(info.tables).length,
      addresses: addresses.filter((address) => !LOCAL.includes(address)),
    };
  }

  async tables(node: DriverNode, name: string, signal: AbortSignal): Promise<string[]> {
    return rowsOf((await this.info(node, name, signal)).tables)
      .map(({ table_name }) => textOf(table_name))
      .filter((table) => table !== '');
  }

  /** Newest first. */
  async backups(account: DriverAccount, signal: AbortSignal): Promise<PlacedBackup[]> {
    const { id } = await this.of(account, signal);
    const placed: PlacedBackup[] = [];
    for await (const row of this.tablesOf.all(account.node, 'backup', { search: id, type: OF_DATABASE }, signal)) {
      const backup = textOf(row.pid) === id && textOf(row.type) === OF_DATABASE ? placedOf(row) : null;
      if (backup) placed.push(backup);
    }
    return placed.sort((a, b) => b.backup.madeAt - a.backup.madeAt || Number(b.backup.id) - Number(a.backup.id));
  }

  /** @throws DatabaseProblem DATABASE_BACKUP_GONE, also for a backup of another database */
  async backup(account: DriverAccount, id: string, signal: AbortSignal): Promise<PlacedBackup> {
    const found = (await this.backups(account, signal)).find(({ backup }) => backup.id === id);
    if (!found) throw new DatabaseProblem('DATABASE_BACKUP_GONE');
    return found;
  }

  async setPassword(node: DriverNode, database: PanelDatabase, password: string, signal: AbortSignal): Promise<void> {
    await this.sites.setDatabasePassword(node, database, password, signal);
  }

  async done(node: DriverNode, action: string, fields: PanelFields, signal: AbortSignal): Promise<void> {
    await this.sites.done(node, `/database?action=${action}`, fields, signal);
  }

  private async info(node: DriverNode, name: string, signal: AbortSignal): Promise<PanelRecord> {
    return requireData(await this.client.call(node, '/database?action=GetInfo', { db_name: name }, signal));
  }
}

/** Parses a row of backups; null for one outside the backup folder. */
function placedOf({ id, filename, size, addtime }: PanelRecord): PlacedBackup | null {
  const path = textOf(filename);
  const parts = path.startsWith(`${BACKUP_ROOT}/`) ? path.slice(BACKUP_ROOT.length + 1).split('/') : [];
  if (parts.length === 0 || !parts.every(isSafeName)) return null;
  const backup = {
    id: textOf(id),
    fileName: parts.at(-1)!,
    size: Number(textOf(size)) || 0,
    madeAt: Date.parse(`${textOf(addtime).replace(' ', 'T')}${SHANGHAI}`) || 0,
  };
  return { backup, path };
}
