import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import {
  type DriverTurn,
  type DriverAccount,
  type DriverResult,
  type FileContent,
  type FileActionResult,
  type FileList,
  type FileListing,
  type FilesPort,
  type FileVersion,
  type FileWrite,
  type Packing,
  type Relocation,
  type SiteEntry,
  type SpaceMeter,
  type TrashChoice,
  type TrashList,
  type Unpacking,
  type UploadState,
  type UploadTarget,
} from '../../driver/index.js';

import { copyTo } from './copies.js';
import { listFolder, searchFolder } from './listing.js';
import { packTo } from './packing.js';
import { findFile, openFile, readFile, sizeOf } from './reading.js';
import { moveTo, renameIn } from './relocations.js';
import { SiteAreas } from './site-areas.js';
import { partsOf } from './site-path.js';
import { tidy } from './tidying.js';
import { discard, listTrash, purge, restore } from './trash.js';
import { unpackTo } from './unpacking.js';
import { cancelUpload, upload, uploaded } from './uploads.js';
import { makeFolderAt, writeFile } from './written-files.js';

/** Files of the sites on this machine. */
@Injectable()
export class EmbeddedFiles implements FilesPort {
  constructor(private readonly areas: SiteAreas) {}

  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>> {
    const read = wanted.text ? searchFolder : listFolder;
    return this.areas.answer(account, (area) => area.use(partsOf(wanted.folder), (folder) => read(folder, wanted, deadline)));
  }

  find(account: DriverAccount, path: string): Promise<DriverResult<SiteEntry>> {
    return this.areas.answer(account, (area) => findFile(area, path));
  }

  read(account: DriverAccount, path: string, maxBytes: number): Promise<DriverResult<FileContent>> {
    return this.areas.answer(account, (area) => readFile(area, path, maxBytes));
  }

  open(account: DriverAccount, path: string): Promise<DriverResult<{ size: number; content: Readable }>> {
    return this.areas.answer(account, (area) => openFile(area, path));
  }

  size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>> {
    return this.areas.answer(account, (area) => sizeOf(area, path, deadline));
  }

  write(account: DriverAccount, file: FileWrite, space: SpaceMeter): Promise<DriverResult<FileVersion>> {
    return this.areas.answer(account, (area) => writeFile(area, file, space));
  }

  makeFolder(account: DriverAccount, path: string): Promise<DriverResult> {
    return this.areas.answer(account, async (area) => void (await makeFolderAt(area, path)));
  }

  rename(account: DriverAccount, folder: string, from: string, to: string): Promise<DriverResult> {
    return this.areas.answer(account, async (area) => void (await renameIn(area, folder, from, to)));
  }

  move(account: DriverAccount, wanted: Relocation): Promise<DriverResult<number>> {
    return this.areas.answer(account, (area) => moveTo(area, wanted));
  }

  discard(account: DriverAccount, paths: readonly string[]): Promise<DriverResult<number>> {
    return this.areas.answer(account, (area) => discard(area, paths));
  }

  uploaded(account: DriverAccount, target: UploadTarget): Promise<DriverResult<UploadState>> {
    return this.areas.answer(account, (area) => uploaded(area, target));
  }

  upload(
    account: DriverAccount,
    target: UploadTarget,
    offset: number,
    piece: Buffer,
    space: SpaceMeter,
  ): Promise<DriverResult<UploadState>> {
    return this.areas.answer(account, (area) => upload(area, target, offset, piece, space));
  }

  cancelUpload(account: DriverAccount, target: UploadTarget, space: SpaceMeter): Promise<DriverResult> {
    return this.areas.answer(account, async (area) => void (await cancelUpload(area, target, space)));
  }

  copy(account: DriverAccount, wanted: Relocation, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.areas.answer(account, (area) => copyTo(area, wanted, space, turn));
  }

  pack(account: DriverAccount, wanted: Packing, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.areas.answer(account, (area) => packTo(area, wanted, space, turn));
  }

  unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.areas.answer(account, (area) => unpackTo(area, wanted, space, turn));
  }

  trash(account: DriverAccount, offset: number, limit: number): Promise<DriverResult<TrashList>> {
    return this.areas.answer(account, (area) => listTrash(area, offset, limit));
  }

  restore(account: DriverAccount, ids: readonly string[]): Promise<DriverResult<string[]>> {
    return this.areas.answer(account, (area) => restore(area, ids));
  }

  purge(account: DriverAccount, chosen: TrashChoice, space: SpaceMeter, { signal }: DriverTurn): Promise<DriverResult<number>> {
    return this.areas.answer(account, (area) => purge(area, chosen, space, signal));
  }

  tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    return this.areas.answer(account, async (area) => void (await tidy(area, before, space, deadline)));
  }
}
