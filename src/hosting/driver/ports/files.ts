import type { Readable } from 'node:stream';

import type { DriverAccount, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/**
 * Why an operation on a file fails.
 * - `PATH` invalid, or leads out of the site; `NAME` invalid file name; `PROTECTED` a file that belongs to the server
 * - `MISSING`, `TAKEN` by name; `NOT_FILE`, `NOT_FOLDER`; `SPECIAL` a link, pipe or device: never followed or read
 * - `INSIDE_ITSELF` a folder cannot be moved into itself
 * - `CHANGED` the file was changed meanwhile
 * - `PIECE` a chunk of an upload is empty or exceeds the file's size
 * - `BUSY` another process has locked the files of this site for too long
 * - `TOO_LARGE`, `TOO_MANY` for this action; `NO_SPACE` the account's quota is used up; `DISK_FULL` the server's disk is full
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

/** Type of an entry; `other` is a link, a pipe, a device, or a file with several hard links. */
export type SiteEntryType = 'file' | 'folder' | 'other';

/** An entry of a folder of a site. */
export interface SiteEntry {
  /** In search results, the path relative to the searched folder, without a leading `/`. */
  readonly name: string;
  readonly type: SiteEntryType;
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Page and order of a listing; folders come first. */
export interface FileListing {
  /** From the web root, beginning with `/`. */
  readonly folder: string;
  readonly sort: 'name' | 'size' | 'changed';
  readonly descending: boolean;
  /** Number of entries to skip. */
  readonly offset: number;
  readonly limit: number;
  /** Part of a name, case-insensitive; also searches all folders below. */
  readonly text?: string;
}

/** A page of a folder. */
export interface FileList {
  /** Total number of entries. */
  readonly total: number;
  readonly entries: readonly SiteEntry[];
  /** The total is incomplete: the folder is too large, or the search took too long. */
  readonly cut: boolean;
}

/** The content of a file. */
export interface FileContent {
  readonly bytes: Buffer;
  /** Opaque; different after each change. */
  readonly version: string;
  readonly changedAt: number;
}

/** A file to write. */
export interface FileWrite {
  readonly path: string;
  readonly bytes: Buffer;
  /** True requires that nothing exists at the path; false requires a file there. */
  readonly isNew: boolean;
  /**
   * Version of the file to replace, as it was read, or Unix seconds of its last change: another version is refused with `CHANGED`, whose
   * params have the present `version`.
   */
  readonly version?: string;
}

/** A file after it was written. */
export type FileVersion = Pick<FileContent, 'version' | 'changedAt'>;

/** Counts the space an account uses, across all processes: a port must ask before it writes. */
export interface SpaceMeter {
  /** Takes bytes. Returns false, and takes nothing, if the account may not use as many. */
  take(bytes: number): Promise<boolean>;
  /** Gives back bytes that are no longer used; 0 does nothing. */
  giveBack(bytes: number): Promise<void>;
  /** Whether so many bytes could be taken now. */
  fits(bytes: number): Promise<boolean>;
}

/** An upload: equal values identify the same one, so that it can be resumed. */
export interface UploadTarget {
  /** Must exist. */
  readonly folder: string;
  /** May contain `/`: folders in between are created. */
  readonly name: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Distinguishes it from another file of the same name and size. */
  readonly tag: string;
}

/** Progress of an upload. */
export interface UploadState {
  readonly received: number;
  /** The file is complete and in place. */
  readonly done: boolean;
}

/** Entries to copy or move, and their destination. */
export interface Relocation {
  readonly from: string;
  readonly names: readonly string[];
  readonly to: string;
}

/** Entries to pack into an archive. */
export interface Packing {
  readonly folder: string;
  readonly names: readonly string[];
  /** Path of the archive, whose extension selects the format: `.zip`, `.tar.gz` or `.tgz`. */
  readonly archive: string;
}

/** An archive to extract. */
export interface Unpacking {
  /** Path of the archive. */
  readonly archive: string;
  readonly folder: string;
  /** Encoding of names that do not declare one; by default UTF-8 if valid, else GBK. */
  readonly encoding?: 'utf-8' | 'gbk';
}

/** Result of a long action on files. */
export interface FileActionResult {
  /** Number of files and folders. */
  readonly done: number;
  /** Number of skipped entries: links and other special files; in an archive, the server's own file. */
  readonly left: number;
}

/** Id, cancellation and progress of a long action. */
export interface DriverTurn {
  /** Identifies the work: what an interrupted attempt left is removed by the next one with the same id. `[a-z0-9-]{1,64}` */
  readonly id: string;
  readonly signal: AbortSignal;
  /** @param total 0 if unknown */
  readonly progress: (done: number, total: number) => void;
}

/** Entry of the trash. */
export interface TrashEntry {
  readonly id: string;
  /** Original path. */
  readonly path: string;
  readonly type: SiteEntryType;
  /** Size in bytes. */
  readonly size: number;
  readonly deletedAt: number;
}

/** A page of the trash, most recently deleted first. */
export interface TrashList {
  readonly total: number;
  readonly entries: readonly TrashEntry[];
}

/** Entries to remove from the trash; all of them if none are named. */
export interface TrashChoice {
  readonly ids?: readonly string[];
  /** Only entries deleted earlier, in milliseconds since 1970. */
  readonly before?: number;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call validates paths and names, never follows a link, pipe or device,
 * touches nothing outside the site, and writes files atomically, even if interrupted. Refusals carry a {@link FileProblem}.
 */
export interface FilesPort {
  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>>;
  /** Returns the entry at a path. */
  find(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<SiteEntry>>;
  /** Reads a whole file. @param maxBytes a larger file is `TOO_LARGE` */
  read(account: DriverAccount, path: string, maxBytes: number, deadline: AbortSignal): Promise<DriverResult<FileContent>>;
  /** Opens a file for download; the caller ends the stream. */
  open(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>>;
  /** Total bytes of a file, or of all files in a folder. */
  size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>>;
  write(account: DriverAccount, file: FileWrite, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult<FileVersion>>;
  makeFolder(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult>;
  rename(account: DriverAccount, folder: string, from: string, to: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Moves all entries, or none. Returns how many. */
  move(account: DriverAccount, wanted: Relocation, deadline: AbortSignal): Promise<DriverResult<number>>;
  /** Moves entries to the trash and skips missing ones. Returns how many were moved. */
  discard(account: DriverAccount, paths: readonly string[], deadline: AbortSignal): Promise<DriverResult<number>>;
  uploaded(account: DriverAccount, target: UploadTarget, deadline: AbortSignal): Promise<DriverResult<UploadState>>;
  /** Accepts a chunk that begins where the previous one ended; otherwise returns the expected offset. A replaced file goes to the trash. */
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
  /** Extracts everything or nothing; files of the same name are replaced. */
  unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>>;
  trash(account: DriverAccount, offset: number, limit: number, deadline: AbortSignal): Promise<DriverResult<TrashList>>;
  /** Restores entries to their old paths, or under another name if the old one is taken. Returns the new paths. */
  restore(account: DriverAccount, ids: readonly string[], deadline: AbortSignal): Promise<DriverResult<string[]>>;
  /** Removes permanently. Returns how many. */
  purge(account: DriverAccount, chosen: TrashChoice, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<number>>;
  /** Removes abandoned uploads and work whose last activity is before this time, in milliseconds since 1970. */
  tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult>;
}
