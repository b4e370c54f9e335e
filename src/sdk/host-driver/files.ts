import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';
import type { HostDriverSpace, HostDriverTurn } from './work.js';

/**
 * An entry of a folder of a site; `other` is a link, a pipe, a device, or a file with a second hard link.
 *
 * @example
 * ```ts
 * const page: HostDriverEntry = { name: 'index.html', type: 'file', size: 512, changedAt: Date.now() };
 * ```
 * @since 1.84.0
 */
export interface HostDriverEntry {
  /** Name; for a search in subfolders the path relative to the searched folder, without a leading `/`. */
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * An upload. Equal values identify the same upload, so that it can be resumed.
 *
 * @example
 * ```ts
 * const nameOf = ({ folder, name, size, tag }: HostDriverUpload): string => JSON.stringify([folder, name, size, tag]);
 * ```
 * @since 1.84.0
 */
export interface HostDriverUpload {
  /** Must exist. */
  readonly folder: string;
  /** May contain `/`: missing folders are created. */
  readonly name: string;
  /** Size of the complete file in bytes. */
  readonly size: number;
  /** Distinguishes it from other files with the same name and size. */
  readonly tag: string;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call must validate paths and names, follow no link, pipe or device, and
 * touch nothing outside the site; if a call is interrupted, a file exists either completely or not at all.
 *
 * A refusal has a `problem` with one of the codes of docs/plugin-api.md "Files of a driver".
 *
 * @example
 * ```ts
 * const find: HostDriverFiles['find'] = (_account, path) =>
 *   path === '/'
 *     ? { outcome: 'ok', value: { name: '', type: 'folder', size: 0, changedAt: 0 } }
 *     : { outcome: 'refused', message: '', problem: { code: 'MISSING' } };
 * ```
 * @since 1.84.0
 */
export interface HostDriverFiles {
  /** Lists part of a folder, folders first; `text` searches for part of a name, ignoring case, in all subfolders as well. */
  list: (
    account: HostDriverAccount,
    wanted: {
      readonly folder: string;
      readonly sort: 'name' | 'size' | 'changed';
      readonly descending: boolean;
      readonly offset: number;
      readonly limit: number;
      readonly text?: string;
    },
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly total: number; readonly entries: readonly HostDriverEntry[]; readonly cut: boolean }>;
  /** Returns the entry at a path. */
  find: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<HostDriverEntry>;
  /** Reads a complete file of at most `most` bytes; `version` is opaque and differs after each change. */
  read: (
    account: HostDriverAccount,
    path: string,
    most: number,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly bytes: Buffer; readonly version: string; readonly changedAt: number }>;
  /** Opens a file for download; the caller closes the stream. */
  open: (
    account: HostDriverAccount,
    path: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly size: number; readonly content: Readable }>;
  /** Returns the size of a file, or of all files in a folder, in bytes. */
  size: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<number>;
  /**
   * Writes a file. `isNew`: the path must not exist yet, otherwise it must be a file; `version`: the version to replace, else `CHANGED`.
   */
  write: (
    account: HostDriverAccount,
    file: { readonly path: string; readonly bytes: Buffer; readonly isNew: boolean; readonly version?: string },
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly version: string; readonly changedAt: number }>;
  /** Creates one folder; its parent must exist. */
  makeFolder: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Renames an entry of `folder`; the new name must not exist. */
  rename: (account: HostDriverAccount, folder: string, from: string, to: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Moves all of them, or none. Returns how many. */
  move: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    deadline: AbortSignal,
  ) => HostDriverAnswer<number>;
  /** Moves entries to the trash; missing ones are skipped. Returns how many existed. */
  discard: (account: HostDriverAccount, paths: readonly string[], deadline: AbortSignal) => HostDriverAnswer<number>;
  /** Returns the progress of an upload. */
  uploaded: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /**
   * Appends a piece that starts where the last one ended; for any other offset it returns the right one. A replaced file goes to the trash.
   */
  upload: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    offset: number,
    piece: Buffer,
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /** Cancels an upload and releases its space; an unknown one returns `already`. */
  cancelUpload: (account: HostDriverAccount, target: HostDriverUpload, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
  /** Copies files and folders; existing entries keep their names, and the copy gets another name. */
  copy: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** Creates an archive; its extension determines the format: `.zip`, `.tar.gz` or `.tgz`. */
  pack: (
    account: HostDriverAccount,
    wanted: { readonly folder: string; readonly names: readonly string[]; readonly archive: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** Extracts an archive completely or not at all; files with the same name are replaced. */
  unpack: (
    account: HostDriverAccount,
    wanted: { readonly archive: string; readonly folder: string; readonly encoding?: 'utf-8' | 'gbk' },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** Lists the trash, most recently deleted first. */
  trash: (
    account: HostDriverAccount,
    offset: number,
    limit: number,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{
    readonly total: number;
    readonly entries: readonly {
      readonly id: string;
      readonly path: string;
      readonly type: 'file' | 'folder' | 'other';
      readonly size: number;
      readonly deletedAt: number;
    }[];
  }>;
  /** Restores entries to their original folders, under another name if theirs is taken. Returns the path of each. */
  restore: (account: HostDriverAccount, ids: readonly string[], deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /** Deletes entries permanently, all of the trash if none are given. Returns how many. */
  purge: (
    account: HostDriverAccount,
    chosen: { readonly ids?: readonly string[]; readonly before?: number },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<number>;
  /** Removes abandoned uploads and work whose last activity is before `before`, in milliseconds since 1970. */
  tidy: (account: HostDriverAccount, before: number, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
}
