import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { quotedName } from '../../../database/index.js';
import {
  ALREADY,
  ANYWHERE,
  type DatabaseBackup,
  type DatabaseDump,
  type DatabasePort,
  DatabaseProblem,
  type DriverTurn,
  DONE,
  type DriverAccount,
  type DriverResult,
  FileProblem,
  invalidAddresses,
  type SiteDatabase,
} from '../../driver/index.js';
import { partsOf } from '../../embedded/index.js';
import { answering, answeringAll, PanelProblem, serverProblem } from '../client/index.js';
import { LocalCopies, PanelDisk, readAll, type RemoteSite, SiteFileAccess } from '../files/index.js';
import { type PanelDatabase, PASSWORD } from '../sites/index.js';

import { DatabaseRows } from './database-rows.js';
import { dumpFrom, MAX_SQL_BYTES, readDump } from './dump-reading.js';
import { safeSql } from './safe-sql.js';

const LOCAL = '127.0.0.1';
/** Maximum number of addresses allowed to connect to one database. */
const MAX_ADDRESSES = 20;

/**
 * Databases of sites on servers running BaoTa. SQL is run as root there, so it is parsed here first, and only the parsed statements are
 * sent.
 */
@Injectable()
export class BaotaDatabase implements DatabasePort {
  private readonly disk: PanelDisk;

  constructor(
    private readonly rows: DatabaseRows,
    private readonly access: SiteFileAccess,
    private readonly copies: LocalCopies,
  ) {
    this.disk = access.disk;
  }

  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteDatabase>> {
    return answering(() => this.rows.describe(account, deadline));
  }

  changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult> {
    return answering(async () => {
      const database = await this.rows.of(account, deadline);
      if (!PASSWORD.test(password)) throw serverProblem('SERVER_PASSWORD');
      await this.rows.setPassword(account.node, database, password, deadline);
      return undefined;
    });
  }

  allow(account: DriverAccount, addresses: readonly string[], deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      const { username, accept } = await this.rows.of(account, deadline);
      const isAnywhere = addresses.length === 1 && addresses[0] === ANYWHERE;
      const wrong = invalidAddresses(addresses);
      if (addresses.length > MAX_ADDRESSES || wrong.length > 0)
        throw new DatabaseProblem('DATABASE_ACCESS', { addresses: (wrong.length > 0 ? wrong : addresses).join(', ').slice(0, 200) });
      const access = addresses.length === 0 ? LOCAL : addresses.join(',');
      if (accept === access) return ALREADY;
      const dataAccess = isAnywhere || addresses.length === 0 ? access : 'ip';
      await this.rows.done(account.node, 'SetDatabaseAccess', { name: username, dataAccess, access }, deadline);
      return DONE;
    });
  }

  backups(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly DatabaseBackup[]>> {
    return answering(async () => (await this.rows.backups(account, deadline)).map(({ backup }) => backup));
  }

  backUp(account: DriverAccount, { signal }: DriverTurn): Promise<DriverResult<DatabaseBackup>> {
    return answering(async () => {
      const { id } = await this.rows.of(account, signal);
      const before = new Set((await this.rows.backups(account, signal)).map(({ backup }) => backup.id));
      await this.rows.done(account.node, 'ToBackup', { id }, signal);
      const made = (await this.rows.backups(account, signal)).find(({ backup }) => !before.has(backup.id));
      if (!made) throw new PanelProblem({ outcome: 'unknown', message: 'the server panel created no backup' });
      return made.backup;
    });
  }

  removeBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult> {
    return answeringAll(async () => {
      if (!(await this.rows.backups(account, deadline)).some(({ backup }) => backup.id === id)) return ALREADY;
      await this.rows.done(account.node, 'DelBackup', { id }, deadline);
      return DONE;
    });
  }

  openBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>> {
    return answering(async () => {
      const { path, backup } = await this.rows.backup(account, id, deadline);
      // Sending the backup may take longer than a call, so its deadline does not apply.
      const { content } = await this.disk.open(account.node, path, 0, new AbortController().signal);
      return { size: Number(content.headers['content-length'] ?? backup.size), content };
    });
  }

  restore(account: DriverAccount, id: string, turn: DriverTurn): Promise<DriverResult> {
    return answering(async () => {
      const { path, backup } = await this.rows.backup(account, id, turn.signal);
      const site = await this.access.of(account, turn.signal);
      await this.runFile(account, site, path, backup.fileName);
      return undefined;
    });
  }

  run(account: DriverAccount, path: string, turn: DriverTurn): Promise<DriverResult> {
    return answering(async () => {
      const parts = partsOf(path);
      const name = parts.pop();
      if (name === undefined || !/\.(?:sql|sql\.gz|zip)$/i.test(name)) throw new DatabaseProblem('DATABASE_SQL', { answer: name ?? '' });
      const site = await this.access.of(account, turn.signal);
      await site.file(parts, name);
      await this.runFile(account, site, site.at([...parts, name]), name);
      return undefined;
    });
  }

  /** Rejects disallowed SQL before the database is emptied. */
  load(account: DriverAccount, { open }: DatabaseDump, turn: DriverTurn): Promise<DriverResult> {
    return answering(async () => {
      const database = await this.rows.of(account, turn.signal);
      const site = await this.access.of(account, turn.signal);
      const sql = safeSql((await dumpFrom(await open(turn.signal))).toString('latin1'));
      await this.empty(account, turn.signal);
      await this.runSql(site, database, Buffer.from(sql, 'latin1'));
      return undefined;
    });
  }

  clear(account: DriverAccount, { signal }: DriverTurn): Promise<DriverResult> {
    return answeringAll(async () => ((await this.empty(account, signal)) ? DONE : ALREADY));
  }

  /** Reads an SQL file and runs its allowed statements. */
  private async runFile(account: DriverAccount, site: RemoteSite, path: string, name: string): Promise<void> {
    const database = await this.rows.of(account, site.signal);
    const bytes = await readAll(this.disk, site, path, MAX_SQL_BYTES);
    const sql = await this.copies.with(this.disk, ({ folder }) => readDump(name, bytes, folder));
    if (sql.length > MAX_SQL_BYTES) throw new FileProblem('TOO_LARGE', { name });
    await this.runSql(site, database, Buffer.from(safeSql(sql.toString('latin1')), 'latin1'));
  }

  /** Drops all tables. @returns whether there were any */
  private async empty(account: DriverAccount, signal: AbortSignal): Promise<boolean> {
    const database = await this.rows.of(account, signal);
    const tables = await this.rows.tables(account.node, database.name, signal);
    if (tables.length === 0) return false;
    const drops = tables.map((name) => `DROP TABLE IF EXISTS ${quotedName(name)};`);
    const site = await this.access.of(account, signal);
    await this.runSql(site, database, Buffer.from(`SET FOREIGN_KEY_CHECKS=0;\n${drops.join('\n')}\n`));
    return true;
  }

  private async runSql({ place: { node, area }, signal }: RemoteSite, { name }: PanelDatabase, sql: Buffer): Promise<void> {
    const file = `run-${randomBytes(8).toString('hex')}.sql`;
    try {
      await this.disk.write(node, `${area}/work`, file, sql, signal);
      await this.rows.done(node, 'InputSql', { file: `${area}/work/${file}`, name }, signal);
    } finally {
      await this.disk.remove(node, `${area}/work/${file}`, false, AbortSignal.timeout(10_000)).catch(() => undefined);
    }
  }
}
