import type { Readable } from 'node:stream';

import type { DriverAccount, DriverResult } from '../driver-types.js';

import type { DriverTurn, FileProblemCode, SpaceMeter } from './files.js';
import { PortRefusal } from './port-problem.js';

/**
 * Why something cannot be done with a database, besides what files can be refused with.
 * - `DATABASE_NONE` the site has none
 * - `DATABASE_BACKUP_GONE` there is no such backup
 * - `DATABASE_SQL` what was to be run is no SQL, or the database stopped at it: `answer` is what it said
 * - `DATABASE_ACCESS` addresses this kind of server cannot let in: `addresses`, as a text
 * - `DATABASE_PROGRAM` this server has no program that opens databases in the browser
 */
export type DatabaseProblemCode = 'DATABASE_NONE' | 'DATABASE_BACKUP_GONE' | 'DATABASE_SQL' | 'DATABASE_ACCESS' | 'DATABASE_PROGRAM';

/** Thrown inside the port of databases, which may throw a `FileProblem` too. */
export class DatabaseProblem extends PortRefusal<DatabaseProblemCode> {}

/** Every code the port of databases may refuse with. */
export type DatabaseRefusalCode =
  | DatabaseProblemCode
  | Extract<FileProblemCode, 'DISK_FULL' | 'NO_SPACE' | 'MISSING' | 'SPECIAL' | 'PATH' | 'NAME' | 'PROTECTED' | 'TAKEN' | 'NOT_FOLDER'>;

/** The database of a site. */
export interface SiteDatabase {
  readonly name: string;
  readonly username: string;
  /** As programs of the site reach it. */
  readonly host: string;
  readonly port: number;
  /** Bytes it takes; null where nobody measures them. */
  readonly bytes: number | null;
  /** Tables it has; null where nobody counts them. */
  readonly tables: number | null;
  /** From where else it can be reached: addresses, or `%` for anywhere; none: by programs of the server alone. */
  readonly addresses: readonly string[];
}

/** A dump of a database on the server's disk, outside every web root. */
export interface DatabaseBackup {
  /** `[A-Za-z0-9._-]{1,160}`, never another one's again. */
  readonly id: string;
  /** What it is called when it is downloaded, ending in `.sql`, `.sql.gz` or `.zip`. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** A dump on its way from another server. */
export interface DatabaseDump {
  /** Bytes. */
  readonly size: number;
  readonly open: (signal: AbortSignal) => Promise<Readable>;
}

/**
 * The database of a site on a kind of server: at most one, made with the site, with a user of its own who reaches no other. Refusals carry
 * a {@link DatabaseRefusalCode}. Its password is the one the account is opened with until {@link changePassword}: programs have it written
 * down, so that `HostDriver.changePassword` leaves it alone.
 */
export interface DatabasePort {
  /** Refuses with `DATABASE_NONE` where the site has none. */
  find(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<SiteDatabase>>;
  /** Sets the password of the user of the database and nothing else. @param password 8 to 64 of `A-Za-z0-9_.-` */
  changePassword(account: DriverAccount, password: string, deadline: AbortSignal): Promise<DriverResult>;
  /**
   * Lets these addresses in besides the server's own programs, in place of those before.
   *
   * @param addresses IP addresses, or `%` alone for anywhere
   */
  allow(account: DriverAccount, addresses: readonly string[], deadline: AbortSignal): Promise<DriverResult>;
  /** The backups there are, newest first. */
  backups(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly DatabaseBackup[]>>;
  /** Makes a backup, which is there wholly or not at all. */
  backUp(account: DriverAccount, turn: DriverTurn): Promise<DriverResult<DatabaseBackup>>;
  /** Removes a backup; `not_found` is success. */
  removeBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult>;
  /** A backup as it is sent to somebody; whoever asks ends the stream. */
  openBackup(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>>;
  /** Runs a backup in the database, with the rights of its own user. What the backup does not have stays. */
  restore(account: DriverAccount, id: string, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Runs a file of the site, with the rights of the database's own user.
   *
   * @param path from the web root, ending in `.sql`, `.sql.gz` or `.zip`
   */
  run(account: DriverAccount, path: string, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Empties the database and runs a dump that comes from elsewhere, with the rights of its own user. A server that cannot has none of it.
   *
   * @param dump SQL, compressed or not; it is opened once at most
   */
  load?(account: DriverAccount, dump: DatabaseDump, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Writes all of it as compressed SQL into a new file of the site, there wholly or not at all. A server that cannot has none of it.
   *
   * @param path from the web root, ending in `.sql.gz`; its folder is there
   * @returns bytes of the file
   */
  save?(account: DriverAccount, path: string, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>>;
  /** Removes every table. A server that cannot has none of it. */
  clear?(account: DriverAccount, turn: DriverTurn): Promise<DriverResult>;
  /**
   * A link that opens a program for this database in the browser, of one use and for at most 60 seconds. A server without
   * such a program has none of it.
   */
  signIn?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<{ url: string }>>;
  /** Whether this server has that program now, where some of the kind do not; without it all have. */
  canSignIn?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<boolean>>;
}
