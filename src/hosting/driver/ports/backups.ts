import type { Readable } from 'node:stream';

import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

import type { DriverTurn, FileProblemCode, SpaceMeter } from './files.js';
import { PortRefusal } from './port-problem.js';

/**
 * Why a backup cannot be made, read or put back, besides what files can be refused with.
 * - `BACKUP_GONE` the archive is not where it was put
 * - `BACKUP_DAMAGED` what is there is not what was put there
 * - `BACKUP_LARGE` more than one object of the storage can hold
 * - `STORAGE_REFUSED` the storage said no: `answer` is what it said; `STORAGE_SILENT` it did not answer, or broke off
 */
export type BackupProblemCode = 'BACKUP_GONE' | 'BACKUP_DAMAGED' | 'BACKUP_LARGE' | 'STORAGE_REFUSED' | 'STORAGE_SILENT';

/** Thrown inside the port of backups, which may throw a `FileProblem` too. */
export class BackupProblem extends PortRefusal<BackupProblemCode> {}

/** Every code the port of backups may refuse with. */
export type BackupRefusalCode = BackupProblemCode | Extract<FileProblemCode, 'DISK_FULL' | 'TOO_MANY' | 'NO_SPACE'>;

/** A part of an archive that the storage has not got yet. */
export interface ArchivePart {
  /** How many bytes of the archive stand before it. */
  readonly from: number;
  readonly size: number;
  /** Presigned address to send it to. A secret. */
  readonly url: string;
}

/**
 * How a large archive is sent to a storage: in parts, of which those that have arrived are not sent again by another attempt. The
 * panel makes one object of them.
 */
export interface ArchiveParts {
  /** Archives of more bytes go in parts; a storage takes no more than 5 GB at once. */
  readonly above: number;
  /**
   * Begins to send an archive, or goes on with the very same one.
   *
   * @returns the parts that are missing
   * @throws BackupProblem STORAGE_REFUSED, STORAGE_SILENT
   */
  readonly begin: (archive: Pick<MadeBackup, 'size' | 'sha256'>) => Promise<readonly ArchivePart[]>;
}

/** Place of an archive. */
export interface ArchivePlace {
  /** `[a-z0-9.-]`, at most 160 characters; the panel gives no two archives the same. */
  readonly name: string;
  /** Presigned address to send it to or to get it from; without one it is on the server's disk. A secret. */
  readonly url?: string;
  /** For what is sent and too large for one request; not where it is got from. */
  readonly parts?: ArchiveParts;
}

/** Result of a backup. */
export interface MadeBackup {
  /** Bytes of the archive. */
  readonly size: number;
  /** Of the archive, 64 hex digits. */
  readonly sha256: string;
  /** Bytes of the files in it. */
  readonly content: number;
  /** Files and folders in it. */
  readonly files: number;
  /** What was left out: links, pipes, devices, names no file can be given here. The server's own files are not counted. */
  readonly left: number;
  /** Files that changed or went while they were read: the archive may have neither what they were nor what they are. */
  readonly changed: number;
  /** Paths of some of these, from the web root. */
  readonly changedPaths: readonly string[];
}

/** An archive as it was made. */
export interface KeptArchive extends ArchivePlace, Pick<MadeBackup, 'size' | 'sha256' | 'content'> {
  /**
   * Opens the archive where it is on the disk of another server: the panel passes it on, and nothing of it stays anywhere else. Without
   * it the archive is at `url`, or on the disk of the site's own server. Whoever opens it reads it to its end or destroys it.
   */
  readonly fetch?: (signal: AbortSignal) => Promise<Readable>;
}

/** An archive that is being read. */
export interface OpenedArchive {
  /** Bytes of all of it. */
  readonly size: number;
  /** Which byte the content begins with. */
  readonly from: number;
  readonly content: Readable;
}

/**
 * Backups of the files of a site: `tar.gz` archives of what is below the web root, on the server's disk outside every web root,
 * or sent to a presigned address. The server holds no credentials of a storage, and knows nothing of schedules: which archives
 * there are is in the panel's rows.
 */
export interface BackupsPort {
  /** Makes an archive, which is there wholly or not at all. Refuses with a {@link BackupRefusalCode}. */
  make(account: DriverAccount, to: ArchivePlace, turn: DriverTurn): Promise<DriverResult<MadeBackup>>;
  /**
   * Makes what is in an archive the files of the site, all at once: whatever ends it in the middle, the site is what it was
   * or what it is to be. An archive whose checksum is another one is refused before anything is touched. Files that belong
   * to the server stay as they are.
   */
  restore(account: DriverAccount, from: KeptArchive, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult>;
  /**
   * An archive on the server's disk as it is sent to somebody; whoever asks ends the stream.
   *
   * @param from the byte somebody goes on with who has all before it; a driver that begins at an earlier one says which in the answer
   */
  open(account: DriverAccount, name: string, deadline: AbortSignal, from: number): Promise<DriverResult<OpenedArchive>>;
  /**
   * Stands for the files of a site as they are now, without reading them: at most 64 characters, and the same again says that nothing
   * changed in between. Empty where that cannot be said.
   */
  mark?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /**
   * Removes an archive from the server's disk, and what is left of one that was not finished. `account` may
   * be gone; `not_found` is success.
   */
  remove(account: DriverAccount, name: string, deadline: AbortSignal): Promise<DriverResult>;
  /**
   * Tries whether archives can be kept on the server's disk: writes something, reads it and removes it. Answers how many bytes are free.
   */
  check(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<{ free: number }>>;
}
