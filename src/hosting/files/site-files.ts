import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { FilesPort, SiteEntry, SpaceMeter, UploadState, UploadTarget } from '../driver/index.js';
import type { OpenSite, PortCall } from '../site-tools/index.js';

import { AccountSpace } from './account-space.js';
import { FileError, fileError } from './file-errors.js';
import type { FileListInput } from './file-inputs.js';
import { FileRows, type FileRowsOfFolder, type TrashRow } from './file-rows.js';

/** Largest file that can be edited, in bytes. */
export const MAX_EDITED_BYTES = 2 * 1024 * 1024;

/** A text file opened for editing. */
export interface EditedText {
  readonly text: string;
  readonly version: string;
}

/**
 * Immediate file operations of a site; long ones are in `FileActions`. Every method throws FileError, and the errors of {@link
 * OpenSite.ask}.
 */
@Injectable()
export class SiteFiles {
  constructor(
    private readonly rows: FileRows,
    private readonly space: AccountSpace,
  ) {}

  async list(site: OpenSite, input: FileListInput): Promise<FileRowsOfFolder> {
    const { path: folder, sort, sortOrder, page, limit, ss } = input;
    const wanted = { folder, sort, descending: sortOrder === 'desc', offset: (page - 1) * limit, limit, text: ss?.trim() || undefined };
    const found = await ask(site, (files, account, deadline) => files.list(account, wanted, deadline));
    return this.rows.ofFolder(folder, found);
  }

  /** Returns a text for editing. @throws FileError TOO_LARGE, NOT_TEXT if it is not UTF-8 */
  async text(site: OpenSite, path: string): Promise<EditedText> {
    const { bytes, version } = await ask(site, (files, account, deadline) => files.read(account, path, MAX_EDITED_BYTES, deadline));
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (bytes.includes(0)) throw new FileError('NOT_TEXT', { name });
    try {
      // Keeps a byte order mark.
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), version };
    } catch {
      throw new FileError('NOT_TEXT', { name });
    }
  }

  /** @param version of the replaced file, see {@link FileWrite} @returns the new version */
  async write(site: OpenSite, path: string, text: string, isNew: boolean, version?: string): Promise<string> {
    const file = { path, bytes: Buffer.from(text), isNew, version };
    const saved = await ask(site, (files, account, deadline) => files.write(account, file, this.spaceOf(site), deadline));
    return saved.version;
  }

  /** Returns the entry at a path. */
  find(site: OpenSite, path: string): Promise<SiteEntry> {
    return ask(site, (files, account, deadline) => files.find(account, path, deadline));
  }

  /** Opens a file for sending; the caller must close its stream. */
  open(site: OpenSite, path: string): Promise<{ size: number; content: Readable }> {
    return ask(site, (files, account, deadline) => files.open(account, path, deadline));
  }

  makeFolder(site: OpenSite, path: string): Promise<void> {
    return ask(site, (files, account, deadline) => files.makeFolder(account, path, deadline));
  }

  rename(site: OpenSite, folder: string, from: string, to: string): Promise<void> {
    return ask(site, (files, account, deadline) => files.rename(account, folder, from, to, deadline));
  }

  /** @returns number of entries moved to the trash */
  discard(site: OpenSite, paths: readonly string[]): Promise<number> {
    return ask(site, (files, account, deadline) => files.discard(account, paths, deadline));
  }

  /** @returns number of entries moved */
  move(site: OpenSite, from: string, names: readonly string[], to: string): Promise<number> {
    return ask(site, (files, account, deadline) => files.move(account, { from, names, to }, deadline));
  }

  size(site: OpenSite, path: string): Promise<number> {
    return ask(site, (files, account, deadline) => files.size(account, path, deadline));
  }

  uploaded(site: OpenSite, target: UploadTarget): Promise<UploadState> {
    return ask(site, (files, account, deadline) => files.uploaded(account, target, deadline));
  }

  upload(site: OpenSite, target: UploadTarget, offset: number, piece: Buffer): Promise<UploadState> {
    return ask(site, (files, account, deadline) => files.upload(account, target, offset, piece, this.spaceOf(site), deadline));
  }

  cancelUpload(site: OpenSite, target: UploadTarget): Promise<void> {
    return ask(site, (files, account, deadline) => files.cancelUpload(account, target, this.spaceOf(site), deadline));
  }

  async trash(site: OpenSite, page: number, limit: number): Promise<{ total: number; rows: TrashRow[] }> {
    const { total, entries } = await ask(site, (files, account, deadline) => files.trash(account, (page - 1) * limit, limit, deadline));
    return { total, rows: entries.map((entry) => this.rows.ofTrash(entry)) };
  }

  /** @returns the new path of each */
  restore(site: OpenSite, ids: readonly string[]): Promise<string[]> {
    return ask(site, (files, account, deadline) => files.restore(account, ids, deadline));
  }

  private spaceOf(site: OpenSite): SpaceMeter {
    return this.space.of(site.account.id);
  }
}

function ask<Value>(site: OpenSite, call: PortCall<FilesPort, Value>): Promise<Value> {
  return site.ask('files', call, fileError);
}
