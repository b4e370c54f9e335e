import type { Readable } from 'node:stream';

import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

import type { DriverTurn, FileProblemCode, SpaceMeter } from './files.js';
import { PortRefusal } from './port-problem.js';

/**
 * Why a backup cannot be made, read or restored, besides problems with files.
 * - `BACKUP_GONE` the archive does not exist any more
 * - `BACKUP_DAMAGED` the archive's content has changed
 * - `BACKUP_LARGE` it is larger than an object of the storage can be
 * - `STORAGE_REFUSED` the storage refused, with the message `answer`; `STORAGE_SILENT` it did not answer, or the connection broke
 */
export type BackupProblemCode = 'BACKUP_GONE' | 'BACKUP_DAMAGED' | 'BACKUP_LARGE' | 'STORAGE_REFUSED' | 'STORAGE_SILENT';

/** Thrown inside the port of backups, which may also throw a `FileProblem`. */
export class BackupProblem extends PortRefusal<BackupProblemCode> {}

/** Every code the port of backups may refuse with. */
export type BackupRefusalCode = BackupProblemCode | Extract<FileProblemCode, 'DISK_FULL' | 'TOO_MANY' | 'NO_SPACE'>;

/** A part of an archive that the storage does not have yet. */
export interface ArchivePart {
  /** Offset of the part in the archive, in bytes. */
  readonly from: number;
  readonly size: number;
  /** Presigned address to upload it to. Secret. */
  readonly url: string;
}

/**
 * Upload of a large archive to a storage in parts; a retry does not resend parts that have arrived. The panel combines them into one
 * object.
 */
export interface ArchiveParts {
  /** Size in bytes above which archives are sent in parts; a storage accepts at most 5 GB per request. */
  readonly above: number;
  /**
   * Begins the upload of an archive, or resumes that of the same one.
   *
   * @returns the missing parts
   * @throws BackupProblem STORAGE_REFUSED, STORAGE_SILENT
   */
  readonly begin: (archive: Pick<MadeBackup, 'size' | 'sha256'>) => Promise<readonly ArchivePart[]>;
}

/** Location of an archive. */
export interface ArchivePlace {
  /** `[a-z0-9.-]`, at most 160 characters; unique among all archives of the panel. */
  readonly name: string;
  /** Presigned address for upload or download; without one the archive is on the server's disk. Secret. */
  readonly url?: string;
  /** For uploads that are too large for one request; not for downloads. */
  readonly parts?: ArchiveParts;
}

/** Result of a backup. */
export interface MadeBackup {
  /** Size of the archive in bytes. */
  readonly size: number;
  /** SHA-256 of the archive, 64 hex digits. */
  readonly sha256: string;
  /** Total size of its files in bytes. */
  readonly content: number;
  /** Number of its files and folders. */
  readonly files: number;
  /** Number of skipped entries: links, pipes, devices, invalid names. The server's own files are not counted. */
  readonly left: number;
  /** Number of files that changed or disappeared while being read; the archive may contain a mix of their old and new content. */
  readonly changed: number;
  /** Paths of some of these, from the web root. */
  readonly changedPaths: readonly string[];
}

/** An archive with the facts recorded when it was made. */
export interface KeptArchive extends ArchivePlace, Pick<MadeBackup, 'size' | 'sha256' | 'content'> {
  /**
   * Opens the archive on the disk of another server: the panel streams it and stores nothing elsewhere. Without it the archive is at `url`,
   * or on the disk of the site's own server. The caller must read the stream to its end or destroy it.
   */
  readonly fetch?: (signal: AbortSignal) => Promise<Readable>;
}

/** An archive that is being read. */
export interface OpenedArchive {
  /** Total size in bytes. */
  readonly size: number;
  /** Offset at which the content begins. */
  readonly from: number;
  readonly content: Readable;
}

/**
 * Backups of the files of a site: `tar.gz` archives of the web root, on the server's disk outside every web root, or sent to a presigned
 * address. The server has no storage credentials and no schedules; the list of archives is in the panel's rows.
 */
export interface BackupsPort {
  /** Makes an archive, completely or not at all. Refuses with a {@link BackupRefusalCode}. */
  make(account: DriverAccount, to: ArchivePlace, turn: DriverTurn): Promise<DriverResult<MadeBackup>>;
  /**
   * Replaces the files of the site with those of an archive, atomically: an interrupted restore leaves the site in its old or its new
   * state. An archive with another checksum is refused before anything is changed. Files that belong to the server are kept.
   */
  restore(account: DriverAccount, from: KeptArchive, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult>;
  /**
   * Opens an archive on the server's disk for download; the caller ends the stream.
   *
   * @param from offset of a resumed download; a driver that begins earlier says so in its answer
   */
  open(account: DriverAccount, name: string, deadline: AbortSignal, from: number): Promise<DriverResult<OpenedArchive>>;
  /**
   * Returns a fingerprint of the present files of a site without reading them: at most 64 characters; the same value means that nothing
   * changed. Empty if it cannot be determined.
   */
  mark?(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /** Removes an archive, or an unfinished one, from the server's disk. The account may no longer exist; `not_found` is success. */
  remove(account: DriverAccount, name: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Tests whether archives can be stored on the server's disk by writing, reading and removing a file. Returns the free bytes. */
  check(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<{ free: number }>>;
}
