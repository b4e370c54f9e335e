import type { Readable } from 'node:stream';

import type { DriverAccount, DriverResult } from '../host-driver.js';

/**
 * Why something cannot be done with a file.
 * - `PATH` no path, or one that leads out; `NAME` no name a file can have; `PROTECTED` a file that belongs to the server
 * - `MISSING`, `TAKEN` by name; `NOT_FILE`, `NOT_FOLDER`; `SPECIAL` a link, a pipe or a device: never followed, never read
 * - `INSIDE_ITSELF` a folder cannot go into itself
 * - `CHANGED` somebody else wrote the file meanwhile
 * - `TOO_LARGE`, `TOO_MANY` for this deed; `NO_SPACE` the account may use no more; `DISK_FULL` the server has no more
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
  | 'TOO_LARGE'
  | 'TOO_MANY'
  | 'NO_SPACE'
  | 'DISK_FULL'
  | 'ARCHIVE_KIND'
  | 'ARCHIVE_BROKEN'
  | 'ARCHIVE_LOCKED'
  | 'ARCHIVE_UNSAFE'
  | 'ARCHIVE_BOMB';

/** Thrown inside ports; answered as `refused` with {@link FileProblem.code} and its values. */
export class FileProblem extends Error {
  constructor(
    readonly code: FileProblemCode,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(code);
  }
}

/** What a name stands for; `other`: a link, a pipe, a device, or a file with a second name somewhere. */
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

/** Counts what an account uses, whoever does it: a port asks before it writes. */
export interface SpaceMeter {
  /** Takes so many bytes. False, and takes nothing, where the account may not use as many. */
  take(bytes: number): Promise<boolean>;
  /** Gives bytes back that are not used any more. */
  giveBack(bytes: number): Promise<void>;
}

/** An upload: the same values are the same one, so that it goes on where it stopped. */
export interface UploadTarget {
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

/** What is copied or moved where. */
export interface Relocation {
  readonly from: string;
  readonly names: readonly string[];
  readonly to: string;
}

/** How far long work is; `total` 0 where it is not known. */
export type OnProgress = (done: number, total: number) => void;

/** How an archive is written, by the end of its name. */
export type ArchiveKind = 'zip' | 'tar.gz';

/** What lies in the trash. */
export interface TrashEntry {
  readonly id: string;
  /** Where it lay. */
  readonly path: string;
  readonly type: SiteEntryType;
  /** Bytes. */
  readonly size: number;
  readonly deletedAt: number;
}

/**
 * Files of a site. Paths begin with `/` at the web root. Every call takes nothing for granted: paths and names are checked, no link, pipe or
 * device is followed, nothing outside the site is touched, and whatever ends a call in the middle, a file is there whole or not at all. Refusals
 * carry a {@link FileProblem}.
 */
export interface FilesPort {
  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>>;
  /** What stands at a path. */
  find(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<SiteEntry>>;
  /** A whole file. @param most bytes; a larger one is `TOO_LARGE` */
  read(account: DriverAccount, path: string, most: number, deadline: AbortSignal): Promise<DriverResult<FileContent>>;
  /** A file as it is sent to somebody; whoever asks ends the stream. */
  open(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>>;
}
