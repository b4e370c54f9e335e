import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount, HostDriverNode } from './server.js';
import type { HostDriverSpace, HostDriverTurn } from './work.js';

/**
 * Where an archive of a site is put, or is.
 *
 * @example
 * ```ts
 * const isRemote = ({ url }: HostDriverArchive): boolean => url !== undefined;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchive {
  /** `[a-z0-9.-]`, at most 160 characters; the panel gives no two archives the same. */
  readonly name: string;
  /** Presigned address to `PUT` it to or to `GET` it from; without one it is on the server's disk. A secret. */
  readonly url?: string;
  /** For what is sent and too large for one request. */
  readonly parts?: HostDriverArchiveParts;
}

/**
 * How a large archive is sent to a storage: in parts, of which those that have arrived are not asked for again. The panel makes one object
 * of them once `make` has answered.
 *
 * @example
 * ```ts
 * const missing = async (parts: HostDriverArchiveParts): Promise<number> =>
 *   (await parts.begin({ size: 600_000_000, sha256: 'a'.repeat(64) })).length;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchiveParts {
  /** Archives of more bytes go in parts; a storage takes no more than 5 GB at once. */
  readonly above: number;
  /** Begins to send an archive, or goes on with the very same one. Answers the parts that are missing. */
  readonly begin: (archive: Pick<HostDriverBackup, 'size' | 'sha256'>) => Promise<readonly HostDriverArchivePart[]>;
}

/**
 * A part of an archive that the storage has not got yet.
 *
 * @example
 * ```ts
 * const lastByte = ({ from, size }: HostDriverArchivePart): number => from + size - 1;
 * ```
 * @since 1.84.0
 */
export interface HostDriverArchivePart {
  /** How many bytes of the archive stand before it. */
  readonly from: number;
  readonly size: number;
  /** Presigned address to `PUT` it to. A secret. */
  readonly url: string;
}

/**
 * What a backup of a site came to.
 *
 * @example
 * ```ts
 * const empty: HostDriverBackup = { size: 45, sha256: '0'.repeat(64), content: 0, files: 0, left: 0, changed: 0, changedPaths: [] };
 * ```
 * @since 1.84.0
 */
export interface HostDriverBackup {
  /** Bytes of the archive. */
  readonly size: number;
  /** Of the archive, 64 hex digits in lower case. */
  readonly sha256: string;
  /** Bytes of the files in it. */
  readonly content: number;
  /** Files and folders in it. */
  readonly files: number;
  /** What was left out: links, pipes, devices, names no file can be given. */
  readonly left: number;
  /** Files that changed or went while they were read. */
  readonly changed: number;
  /** Paths of some of these, from the web root; at most 100. */
  readonly changedPaths: readonly string[];
}

/**
 * Backups of the files of a site: archives of what is below the web root, on the server's disk outside every web root, or sent to a
 * presigned address. Which archives there are, when they are made and how many are kept is in the panel's rows; owners and administrators
 * work with them as on every kind of server.
 *
 * A refusal may have a `problem` with the code `BACKUP_GONE` `BACKUP_DAMAGED` `BACKUP_LARGE` `STORAGE_REFUSED` (with `params.answer`)
 * `STORAGE_SILENT` `DISK_FULL` `TOO_MANY` or `NO_SPACE`.
 *
 * @example
 * ```ts
 * const gone: HostDriverBackups['open'] = () => ({ outcome: 'refused', message: '', problem: { code: 'BACKUP_GONE' } });
 * ```
 * @since 1.84.0
 */
export interface HostDriverBackups {
  /** Makes an archive, which is there wholly or not at all. */
  make: (account: HostDriverAccount, to: HostDriverArchive, turn: HostDriverTurn) => HostDriverAnswer<HostDriverBackup>;
  /**
   * Makes what is in an archive the files of the site, all at once: whatever ends it in the middle, the site is what it was or what it is
   * to be. One whose checksum is another is refused as `BACKUP_DAMAGED` before anything is touched.
   */
  restore: (
    account: HostDriverAccount,
    from: HostDriverArchive &
      Pick<HostDriverBackup, 'size' | 'sha256' | 'content'> & {
        /** Opens the archive where it is on the disk of another server, as when a site is moved; read it to its end or destroy it. */
        readonly fetch?: (signal: AbortSignal) => Promise<Readable>;
      },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer;
  /**
   * An archive on the server's disk as it is sent to somebody; whoever asks ends the stream. Where somebody goes on with a download that
   * broke off, `from` is the first byte he lacks, counted from 0: a driver that can begin later than with the first byte answers which one
   * its content begins with, never one after it.
   */
  open: (
    account: HostDriverAccount,
    name: string,
    deadline: AbortSignal,
    from: number,
  ) => HostDriverAnswer<{ readonly size: number; readonly content: Readable; readonly from?: number }>;
  /**
   * Removes an archive from the server's disk, and what is left of one that was not finished. The site may be gone; `not_found` is success.
   */
  remove: (account: HostDriverAccount, name: string, deadline: AbortSignal) => HostDriverAnswer;
  /**
   * Tries whether archives can be kept on the server's disk: writes something, reads it and removes it. Answers how many bytes are free.
   */
  check: (node: HostDriverNode, deadline: AbortSignal) => HostDriverAnswer<{ readonly free: number }>;
}
