import type { Readable } from 'node:stream';

import type { DriverAccount, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/**
 * Why something cannot be done with a file.
 * - `PATH` no path, or one that leads out; `NAME` no name a file can have; `PROTECTED` a file that belongs to the server
 * - `MISSING`, `TAKEN` by name; `NOT_FILE`, `NOT_FOLDER`; `SPECIAL` a link, a pipe or a device: never followed, never read
 * - `INSIDE_ITSELF` a folder cannot go into itself
 * - `CHANGED` somebody else wrote the file meanwhile
 * - `PIECE` more of an upload than the file has, or nothing
 * - `BUSY` another process has been at the files of this site for long
 * - `TOO_LARGE`, `TOO_MANY` for this action; `NO_SPACE` the account may use no more; `DISK_FULL` the server has no more
 * - `ARCHIVE_KIND`, `ARCHIVE_BROKEN`, `ARCHIVE_LOCKED` (a password), `ARCHIVE_UNSAFE` (names that lead out, links), `ARCHIVE_BOMB`
 */
export type FileProblemCode =
  | 'PATH'
  | 'NAME'
  | 'PROTECTED'
  | 'MISSING'
  | 'TAKEN'
  | 'NOT_FILE'
  | 'NOT_FOLDER'
  | 'SPECIAL'
  | 'INSIDE_ITSELF'
  | 'CHANGED'
  | 'PIECE'
  | 'BUSY'
  | 'TOO_LARGE'
  | 'TOO_MANY'
  | 'NO_SPACE'
  | 'DISK_FULL'
  | 'ARCHIVE_KIND'
  | 'ARCHIVE_BROKEN'
  | 'ARCHIVE_LOCKED'
  | 'ARCHIVE_UNSAFE'
  | 'ARCHIVE_BOMB';

/** Thrown inside the port of files. */
export class FileProblem extends PortRefusal<FileProblemCode> {}

/** Type of an entry; `other`: a link, a pipe, a device, or a file with several hard links. */
export type SiteEntryType = 'file' | 'folder' | 'other';

/** One thing in a folder of a site. */
export interface SiteEntry {
  /** Of what was looked for in folders below: the path from the folder that was asked for, without `/` at its beginning. */
  readonly name: string;
  readonly type: SiteEntryType;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Which part of a folder, in which order; folders come first. */
export interface FileListing {
  /** From the web root, beginning with `/`. */
  readonly folder: string;
  readonly sort: 'name' | 'size' | 'changed';
  readonly descending: boolean;
  /** Rows left out before. */
  readonly offset: number;
  readonly limit: number;
  /** Part of a name, in any case: all folders below are looked through too. */
  readonly text?: string;
}

/** Part of a folder. */
export interface FileList {
  /** How many there are in all. */
  readonly total: number;
  readonly entries: readonly SiteEntry[];
  /** There are more than are counted: the folder is too large, or looking took too long. */
  readonly cut: boolean;
}

/** A file as it was read. */
export interface FileContent {
  readonly bytes: Buffer;
  /** Opaque; another one after each change. */
  readonly version: string;
  readonly changedAt: number;
}

/** File to be written. */
export interface FileWrite {
  readonly path: string;
  readonly bytes: Buffer;
  /** Nothing may stand there yet; else a file must. */
  readonly isNew: boolean;
  /**
   * Of what is replaced, as it was read, or Unix seconds of its last change: another one is `CHANGED`, and the
   * values tell the `version` there is.
   */
  readonly version?: string;
}

/** A file after it was written. */
export type FileVersion = Pick<FileContent, 'version' | 'changedAt'>;

/** Counts what an account uses, whoever does it: a port asks before it writes. */
export interface SpaceMeter {
  /** Takes so many bytes. False, and takes nothing, where the account may not use as many. */
  take(bytes: number): Promise<boolean>;
  /** Gives bytes back that are not used any more; 0 does nothing. */
  giveBack(bytes: number): Promise<void>;
  /** Whether so many bytes could be taken now. */
  fits(bytes: number): Promise<boolean>;
}

/** An upload: the same values are the same one, so that it goes on where it stopped. */
export interface UploadTarget {
  /** It must be there. */
  readonly folder: string;
  /** May hold `/`: folders in between are made. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** What else tells it from another file of that name and size. */
  readonly tag: string;
}

/** How far an upload is. */
export interface UploadState {
  readonly received: number;
  /** The file stands where it belongs. */
  readonly done: boolean;
}

/** Entries to be copied or moved, and their destination. */
export interface Relocation {
  readonly from: string;
  readonly names: readonly string[];
  readonly to: string;
}

/** Entries to be packed into an archive. */
export interface Packing {
  readonly folder: string;
  readonly names: readonly string[];
  /** Path of the archive; its end says which kind it is: `.zip`, `.tar.gz` or `.tgz`. */
  readonly archive: string;
}

/** Archive to be unpacked. */
export interface Unpacking {
  /** Path of the archive. */
  readonly archive: string;
  readonly folder: string;
  /** Of names that do not say; where nothing is given, UTF-8 if they are, else GBK. */
  readonly encoding?: 'utf-8' | 'gbk';
}

/** Result of a long action on files. */
export interface FileActionResult {
  /** Files and folders. */
  readonly done: number;
  /** What was left out: links and other special files; of an archive, the server's own file. */
  readonly left: number;
}

/** Id, cancellation and progress of a long action. */
export interface DriverTurn {
  /** Names the work: an attempt that was interrupted is cleared away by the next one of the same name. `[a-z0-9-]{1,64}` */
  readonly id: string;
  readonly signal: AbortSignal;
  /** @param total 0 where it is not known */
  readonly progress: (done: number, total: number) => void;
}

/** Entry of the trash. */
export interface TrashEntry {
  readonly id: string;
  /** Where it lay. */
  readonly path: string;
  readonly type: SiteEntryType;
  /** Bytes. */
  readonly size: number;
  readonly deletedAt: number;
}

/** A part of the trash, the last thrown away first. */
export interface TrashList {
  readonly total: number;
  readonly entries: readonly TrashEntry[];
}

/** Entries to be removed from the trash; all of it where none is named. */
export interface TrashChoice {
  readonly ids?: readonly string[];
  /** Only what was thrown away earlier, milliseconds since 1970. */
  readonly before?: number;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call takes nothing for granted: paths and names are checked, no link, pipe
 * or device is followed, nothing outside the site is touched, and whatever ends a call in the middle, a file is there whole or not at all.
 * Refusals carry a {@link FileProblem}.
 */
export interface FilesPort {
  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>>;
  /** What stands at a path. */
  find(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<SiteEntry>>;
  /** A whole file. @param most bytes; a larger one is `TOO_LARGE` */
  read(account: DriverAccount, path: string, most: number, deadline: AbortSignal): Promise<DriverResult<FileContent>>;
  /** A file as it is sent to somebody; whoever asks ends the stream. */
  open(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>>;
  /** Bytes of a file, or of all files in a folder. */
  size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>>;
  write(account: DriverAccount, file: FileWrite, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult<FileVersion>>;
  makeFolder(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult>;
  rename(account: DriverAccount, folder: string, from: string, to: string, deadline: AbortSignal): Promise<DriverResult>;
  /** All of them, or none. Answers how many. */
  move(account: DriverAccount, wanted: Relocation, deadline: AbortSignal): Promise<DriverResult<number>>;
  /** Into the trash; what is gone already is passed over. Answers how many there were. */
  discard(account: DriverAccount, paths: readonly string[], deadline: AbortSignal): Promise<DriverResult<number>>;
  uploaded(account: DriverAccount, target: UploadTarget, deadline: AbortSignal): Promise<DriverResult<UploadState>>;
  /** Takes a piece that begins where the last one ended; of another it says where that is. What stood there goes to the trash. */
  upload(
    account: DriverAccount,
    target: UploadTarget,
    offset: number,
    piece: Buffer,
    space: SpaceMeter,
    deadline: AbortSignal,
  ): Promise<DriverResult<UploadState>>;
  cancelUpload(account: DriverAccount, target: UploadTarget, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult>;
  copy(account: DriverAccount, wanted: Relocation, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>>;
  pack(account: DriverAccount, wanted: Packing, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>>;
  /** Everything or nothing; files of the same name are replaced. */
  unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>>;
  trash(account: DriverAccount, offset: number, limit: number, deadline: AbortSignal): Promise<DriverResult<TrashList>>;
  /** Puts things back where they lay, beside what stands there now under another name. Answers where each is. */
  restore(account: DriverAccount, ids: readonly string[], deadline: AbortSignal): Promise<DriverResult<string[]>>;
  /** Removes for good. Answers how many. */
  purge(account: DriverAccount, chosen: TrashChoice, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>>;
  /** Clears away what nobody goes on with: uploads and work whose last sign of life is older, milliseconds since 1970. */
  tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult>;
}
