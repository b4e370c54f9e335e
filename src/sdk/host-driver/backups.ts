import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount, HostDriverNode } from './server.js';
import type { HostDriverSpace, HostDriverTurn } from './work.js';

/**
 * Location of a site's archive.
 *
 * @example
 * ```ts
 * const isRemote = ({ url }: HostDriverArchive): boolean => url !== undefined;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchive {
  /** Matches `[a-z0-9.-]`, at most 160 characters; the panel uses each name only once. */
  readonly name: string;
  /** Presigned URL to `PUT` it to or to `GET` it from; if omitted, the archive is on the server's disk. A secret. */
  readonly url?: string;
  /** For uploads that are too large for one request. */
  readonly parts?: HostDriverArchiveParts;
}

/**
 * How a large archive is uploaded to a storage: in parts; after an interruption only missing parts are sent again. The panel combines them
 * into one object once `make` has returned.
 *
 * @example
 * ```ts
 * const missing = async (parts: HostDriverArchiveParts): Promise<number> =>
 *   (await parts.begin({ size: 600_000_000, sha256: 'a'.repeat(64) })).length;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchiveParts {
  /** Size in bytes above which archives are uploaded in parts; a storage accepts at most 5 GB per request. */
  readonly above: number;
  /** Starts an upload, or resumes that of exactly the same archive. Returns the missing parts. */
  readonly begin: (archive: Pick<HostDriverBackup, 'size' | 'sha256'>) => Promise<readonly HostDriverArchivePart[]>;
}

/**
 * A part of an archive that the storage does not have yet.
 *
 * @example
 * ```ts
 * const lastByte = ({ from, size }: HostDriverArchivePart): number => from + size - 1;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchivePart {
  /** Offset of the part in the archive, in bytes. */
  readonly from: number;
  readonly size: number;
  /** Presigned URL to `PUT` it to. A secret. */
  readonly url: string;
}

/**
 * The result of a site backup.
 *
 * @example
 * ```ts
 * const empty: HostDriverBackup = { size: 45, sha256: '0'.repeat(64), content: 0, files: 0, left: 0, changed: 0, changedPaths: [] };
 * ```
 * @since 1.84.0
 */
export interface HostDriverBackup {
  /** Size of the archive in bytes. */
  readonly size: number;
  /** SHA-256 of the archive, 64 hex digits in lower case. */
  readonly sha256: string;
  /** Total size of the files in it, in bytes. */
  readonly content: number;
  /** Number of files and folders in it. */
  readonly files: number;
  /** Number of entries left out: links, pipes, devices, and names that no file can be given. */
  readonly left: number;
  /** Number of files that changed or disappeared while they were read. */
  readonly changed: number;
  /** Paths of some of these, relative to the web root; at most 100. */
  readonly changedPaths: readonly string[];
}

/**
 * Backups of a site's files: archives of everything below the web root, on the server's disk outside every web root, or uploaded to a
 * presigned URL. The panel's database records which archives exist, when they are made and how many are kept; owners and administrators use
 * them as on every kind of server.
 *
 * A refusal may have a `problem` with the code `BACKUP_GONE`, `BACKUP_DAMAGED`, `BACKUP_LARGE`, `STORAGE_REFUSED` (with `params.answer`),
 * `STORAGE_SILENT`, `DISK_FULL`, `TOO_MANY` or `NO_SPACE`.
 *
 * @example
 * ```ts
 * const gone: HostDriverBackups['open'] = () => ({ outcome: 'refused', message: '', problem: { code: 'BACKUP_GONE' } });
 * ```
 * @since 1.84.0
 */
export interface HostDriverBackups {
  /** Creates an archive, either completely or not at all. */
  make: (account: HostDriverAccount, to: HostDriverArchive, turn: HostDriverTurn) => HostDriverAnswer<HostDriverBackup>;
  /**
   * Replaces the site's files with those of an archive, atomically: after an interruption the site has either its old or its new files. An
   * archive with a wrong checksum is refused as `BACKUP_DAMAGED` before anything changes.
   */
  restore: (
    account: HostDriverAccount,
    from: HostDriverArchive &
      Pick<HostDriverBackup, 'size' | 'sha256' | 'content'> & {
        /** Opens the archive on the disk of another server, for example to move a site; read the stream to its end or destroy it. */
        readonly fetch?: (signal: AbortSignal) => Promise<Readable>;
      },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer;
  /**
   * Opens an archive on the server's disk for download; the caller closes the stream. To resume an interrupted download, `from` is the
   * first missing byte, counted from 0. A driver that can start later than at the first byte returns the byte at which its content starts,
   * never one after `from`.
   */
  open: (
    account: HostDriverAccount,
    name: string,
    deadline: AbortSignal,
    from: number,
  ) => HostDriverAnswer<{ readonly size: number; readonly content: Readable; readonly from?: number }>;
  /**
   * Deletes an archive from the server's disk, and what is left of an unfinished one. The site may no longer exist; `not_found` is success.
   */
  remove: (account: HostDriverAccount, name: string, deadline: AbortSignal) => HostDriverAnswer;
  /**
   * Tests whether archives can be stored on the server's disk: writes, reads and deletes a file. Returns the free space in bytes.
   */
  check: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<{ readonly free: number }>;
}
