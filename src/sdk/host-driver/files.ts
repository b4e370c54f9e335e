import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';
import type { HostDriverSpace, HostDriverTurn } from './work.js';

/**
 * One thing in a folder of a site; `other` is a link, a pipe, a device, or a file with a second name somewhere.
 *
 * @example
 * ```ts
 * const page: HostDriverEntry = { name: 'index.html', type: 'file', size: 512, changedAt: Date.now() };
 * ```
 * @since 1.84.0
 */
export interface HostDriverEntry {
  /** Of what was looked for in folders below: the path from the folder that was asked for, without `/` at its beginning. */
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * An upload: the same values are the same one, so that it goes on where it stopped.
 *
 * @example
 * ```ts
 * const nameOf = ({ folder, name, size, tag }: HostDriverUpload): string => JSON.stringify([folder, name, size, tag]);
 * ```
 * @since 1.84.0
 */
export interface HostDriverUpload {
  /** It must be there. */
  readonly folder: string;
  /** May hold `/`: folders in between are made. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** What else tells it from another file of that name and size. */
  readonly tag: string;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call takes nothing for granted: paths and names are checked, no link, pipe
 * or device is followed, nothing outside the site is touched, and whatever ends a call in the middle, a file is there whole or not at all.
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
  /** A part of a folder, folders first; `text` is a part of a name, in any case: all folders below are looked through too. */
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
  /** What stands at a path. */
  find: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<HostDriverEntry>;
  /** A whole file of at most `most` bytes; `version` is opaque, another one after each change. */
  read: (
    account: HostDriverAccount,
    path: string,
    most: number,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly bytes: Buffer; readonly version: string; readonly changedAt: number }>;
  /** A file as it is sent to somebody; whoever asks ends the stream. */
  open: (
    account: HostDriverAccount,
    path: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly size: number; readonly content: Readable }>;
  /** Bytes of a file, or of all files in a folder. */
  size: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer<number>;
  /** `isNew`: nothing may stand there yet, else a file must; `version`: of what is replaced, another one is `CHANGED`. */
  write: (
    account: HostDriverAccount,
    file: { readonly path: string; readonly bytes: Buffer; readonly isNew: boolean; readonly version?: string },
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly version: string; readonly changedAt: number }>;
  /** Makes one folder; the one above must be there. */
  makeFolder: (account: HostDriverAccount, path: string, deadline: AbortSignal) => HostDriverAnswer;
  /** Gives something in `folder` another name; none that stands there already. */
  rename: (account: HostDriverAccount, folder: string, from: string, to: string, deadline: AbortSignal) => HostDriverAnswer;
  /** All of them, or none. Answers how many. */
  move: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    deadline: AbortSignal,
  ) => HostDriverAnswer<number>;
  /** Into the trash; what is gone already is passed over. Answers how many there were. */
  discard: (account: HostDriverAccount, paths: readonly string[], deadline: AbortSignal) => HostDriverAnswer<number>;
  /** How far an upload is. */
  uploaded: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /** Takes a piece that begins where the last one ended; of another it says where that is. What stood there goes to the trash. */
  upload: (
    account: HostDriverAccount,
    target: HostDriverUpload,
    offset: number,
    piece: Buffer,
    space: HostDriverSpace,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly received: number; readonly done: boolean }>;
  /** Ends an upload and gives its space back; one there is not is `already`. */
  cancelUpload: (account: HostDriverAccount, target: HostDriverUpload, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
  /** Copies files and folders; what stands there keeps its name, and the copy gets another. */
  copy: (
    account: HostDriverAccount,
    wanted: { readonly from: string; readonly names: readonly string[]; readonly to: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** The end of `archive` says which kind it is: `.zip`, `.tar.gz` or `.tgz`. */
  pack: (
    account: HostDriverAccount,
    wanted: { readonly folder: string; readonly names: readonly string[]; readonly archive: string },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** Everything or nothing; files of the same name are replaced. */
  unpack: (
    account: HostDriverAccount,
    wanted: { readonly archive: string; readonly folder: string; readonly encoding?: 'utf-8' | 'gbk' },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<{ readonly done: number; readonly left: number }>;
  /** The last thrown away first. */
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
  /** Puts things back where they lay, beside what stands there now under another name. Answers where each is. */
  restore: (account: HostDriverAccount, ids: readonly string[], deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /** Removes for good, all of the trash where nothing is named. Answers how many. */
  purge: (
    account: HostDriverAccount,
    chosen: { readonly ids?: readonly string[]; readonly before?: number },
    space: HostDriverSpace,
    turn: HostDriverTurn,
  ) => HostDriverAnswer<number>;
  /** Clears away what nobody goes on with: uploads and work whose last sign of life is older, milliseconds since 1970. */
  tidy: (account: HostDriverAccount, before: number, space: HostDriverSpace, deadline: AbortSignal) => HostDriverAnswer;
}
