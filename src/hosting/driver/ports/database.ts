import type { Readable } from 'node:stream';

import type { DriverAccount, DriverResult } from '../driver-types.js';

import type { DriverTurn, FileProblemCode, SpaceMeter } from './files.js';
import { PortRefusal } from './port-problem.js';

/**
 * Why an operation on a database fails, besides problems with files.
 * - `DATABASE_NONE` the site has none
 * - `DATABASE_BACKUP_GONE` the backup does not exist
 * - `DATABASE_SQL` the input is not SQL, or the database failed at it with the message `answer`
 * - `DATABASE_ACCESS` this kind of server cannot allow the addresses `addresses`, as text
 * - `DATABASE_PROGRAM` this server has no database tool for the browser
 */
export type DatabaseProblemCode = 'DATABASE_NONE' | 'DATABASE_BACKUP_GONE' | 'DATABASE_SQL' | 'DATABASE_ACCESS' | 'DATABASE_PROGRAM';

/** Thrown inside the port of databases, which may also throw a `FileProblem`. */
export class DatabaseProblem extends PortRefusal<DatabaseProblemCode> {}

/** Every code the port of databases may refuse with. */
export type DatabaseRefusalCode =
  | DatabaseProblemCode
  | Extract<FileProblemCode, 'DISK_FULL' | 'NO_SPACE' | 'MISSING' | 'SPECIAL' | 'PATH' | 'NAME' | 'PROTECTED' | 'TAKEN' | 'NOT_FOLDER'>;

/** The database of a site. */
export interface SiteDatabase {
  readonly name: string;
  readonly username: string;
  /** Host name for programs of the site. */
  readonly host: string;
  readonly port: number;
  /** Size in bytes; null if it is not measured. */
  readonly bytes: number | null;
  /** Number of tables; null if they are not counted. */
  readonly tables: number | null;
  /** Remote addresses that may connect, or `%` for all; empty: only programs on the server. */
  readonly addresses: readonly string[];
}

/** A dump of a database on the server's disk, outside every web root. */
export interface DatabaseBackup {
  /** `[A-Za-z0-9._-]{1,160}`, never reused. */
  readonly id: string;
  /** Name for download, ending in `.sql`, `.sql.gz` or `.zip`. */
  readonly fileName: string;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** A dump transferred from another server. */
export interface DatabaseDump {
  /** Size in bytes. */
  readonly size: number;
  readonly open: (signal: AbortSignal) => Promise<Readable>;
}

/**
 * The database of a site on a kind of server: at most one, created with the site, with a user of its own that can access no other. Refusals
 * carry a {@link DatabaseRefusalCode}. Its password is the account's initial one until {@link changePassword}: `HostDriver.changePassword`
 * does not change it, because programs have it in their configuration.
 */
export interface DatabasePort {
  /** Refuses with `DATABASE_NONE` if the site has none. */
  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteDatabase>>;
  /** Sets only the password of the database user. @param password 8 to 64 of `A-Za-z0-9_.-` */
  changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult>;
  /**
   * Sets the remote addresses that may connect, replacing the previous ones.
   *
   * @param addresses IP addresses, or `%` alone for all
   */
  allow(account: DriverAccount, addresses: readonly string[], deadline: AbortSignal): Promise<DriverResult>;
  /** Lists the backups, newest first. */
  backups(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly DatabaseBackup[]>>;
  /** Makes a backup, completely or not at all. */
  backUp(account: DriverAccount, turn: DriverTurn): Promise<DriverResult<DatabaseBackup>>;
  /** Removes a backup; `not_found` is success. */
  removeBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Opens a backup for download; the caller ends the stream. */
  openBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>>;
  /** Runs a backup in the database, with the rights of its own user. Data that the backup does not contain is kept. */
  restore(account: DriverAccount, id: string, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Runs an SQL file of the site, with the rights of the database's own user.
   *
   * @param path from the web root, ending in `.sql`, `.sql.gz` or `.zip`
   */
  run(account: DriverAccount, path: string, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Empties the database and runs a dump from elsewhere, with the rights of its own user. Missing if the server does not support it.
   *
   * @param dump SQL, compressed or not; it is opened at most once
   */
  load?(account: DriverAccount, dump: DatabaseDump, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Writes the whole database as compressed SQL into a new file of the site, completely or not at all. Missing if the server does not
   * support it.
   *
   * @param path from the web root, ending in `.sql.gz`; its folder exists
   * @returns size of the file in bytes
   */
  save?(account: DriverAccount, path: string, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>>;
  /** Removes every table. Missing if the server does not support it. */
  clear?(account: DriverAccount, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Returns a link that opens a database tool in the browser, usable once and for at most 60 seconds. Missing on servers without such a
   * tool.
   */
  signIn?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<{ url: string }>>;
  /** Whether this server has that tool now; missing if all servers of the kind have it. */
  canSignIn?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<boolean>>;
}
