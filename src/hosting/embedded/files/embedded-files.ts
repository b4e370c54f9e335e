import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import {
  type DeedTurn,
  type DriverAccount,
  type DriverResult,
  type FileContent,
  type FileDeed,
  type FileList,
  type FileListing,
  FileProblem,
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
import { SiteFolders } from '../site-folders.js';

import { copyTo } from './copies.js';
import { problemOf } from './folder.js';
import { listFolder, searchFolder } from './listing.js';
import { packTo } from './packing.js';
import { findFile, openFile, readFile, sizeOf } from './reading.js';
import { moveTo, renameIn } from './relocations.js';
import { SiteArea } from './site-area.js';
import { partsOf } from './site-path.js';
import { tidy } from './tidying.js';
import { discard, listTrash, purge, restore } from './trash.js';
import { Turns } from './turns.js';
import { unpackTo } from './unpacking.js';
import { cancelUpload, upload, uploaded } from './uploads.js';
import { makeFolderAt, writeFile } from './written-files.js';

/** Files of the sites on this machine. */
@Injectable()
export class EmbeddedFiles implements FilesPort {
  private readonly turns = new Turns();

  constructor(
    private readonly folders: SiteFolders,
    private readonly clock: Clock,
  ) {}

  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>> {
    const read = wanted.text ? searchFolder : listFolder;
    return this.answer(account, (area) => area.use(partsOf(wanted.folder), (folder) => read(folder, wanted, deadline)));
  }

  find(account: DriverAccount, path: string): Promise<DriverResult<SiteEntry>> {
    return this.answer(account, (area) => findFile(area, path));
  }

  read(account: DriverAccount, path: string, most: number): Promise<DriverResult<FileContent>> {
    return this.answer(account, (area) => readFile(area, path, most));
  }

  open(account: DriverAccount, path: string): Promise<DriverResult<{ size: number; content: Readable }>> {
    return this.answer(account, (area) => openFile(area, path));
  }

  size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>> {
    return this.answer(account, (area) => sizeOf(area, path, deadline));
  }

  write(account: DriverAccount, file: FileWrite, space: SpaceMeter): Promise<DriverResult<FileVersion>> {
    return this.answer(account, (area) => writeFile(area, file, space));
  }

  makeFolder(account: DriverAccount, path: string): Promise<DriverResult> {
    return this.answer(account, async (area) => void (await makeFolderAt(area, path)));
  }

  rename(account: DriverAccount, folder: string, from: string, to: string): Promise<DriverResult> {
    return this.answer(account, async (area) => void (await renameIn(area, folder, from, to)));
  }

  move(account: DriverAccount, wanted: Relocation): Promise<DriverResult<number>> {
    return this.answer(account, (area) => moveTo(area, wanted));
  }

  discard(account: DriverAccount, paths: readonly string[]): Promise<DriverResult<number>> {
    return this.answer(account, (area) => discard(area, paths));
  }

  uploaded(account: DriverAccount, target: UploadTarget): Promise<DriverResult<UploadState>> {
    return this.answer(account, (area) => uploaded(area, target));
  }

  upload(
    account: DriverAccount,
    target: UploadTarget,
    offset: number,
    piece: Buffer,
    space: SpaceMeter,
  ): Promise<DriverResult<UploadState>> {
    return this.answer(account, (area) => upload(area, target, offset, piece, space));
  }

  cancelUpload(account: DriverAccount, target: UploadTarget, space: SpaceMeter): Promise<DriverResult> {
    return this.answer(account, async (area) => void (await cancelUpload(area, target, space)));
  }

  copy(account: DriverAccount, wanted: Relocation, space: SpaceMeter, turn: DeedTurn): Promise<DriverResult<FileDeed>> {
    return this.answer(account, (area) => copyTo(area, wanted, space, turn));
  }

  pack(account: DriverAccount, wanted: Packing, space: SpaceMeter, turn: DeedTurn): Promise<DriverResult<FileDeed>> {
    return this.answer(account, (area) => packTo(area, wanted, space, turn));
  }

  unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DeedTurn): Promise<DriverResult<FileDeed>> {
    return this.answer(account, (area) => unpackTo(area, wanted, space, turn));
  }

  trash(account: DriverAccount, offset: number, limit: number): Promise<DriverResult<TrashList>> {
    return this.answer(account, (area) => listTrash(area, offset, limit));
  }

  restore(account: DriverAccount, ids: readonly string[]): Promise<DriverResult<string[]>> {
    return this.answer(account, (area) => restore(area, ids));
  }

  purge(account: DriverAccount, chosen: TrashChoice, space: SpaceMeter, { signal }: DeedTurn): Promise<DriverResult<number>> {
    return this.answer(account, (area) => purge(area, chosen, space, signal));
  }

  tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    return this.answer(account, async (area) => void (await tidy(area, before, space, deadline)));
  }

  /** What `work` comes to, in a site that is this account's. */
  private async answer<Value>(account: DriverAccount, work: (area: SiteArea) => Promise<Value>): Promise<DriverResult<Value>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return { outcome: 'not_found' };
    if (record.ownerMark !== account.ownerMark)
      return { outcome: 'refused', message: `The site ${account.siteName} belongs to another account.` };
    try {
      const area = new SiteArea(this.folders.folder(account.siteName), this.turns, () => this.clock.now().getTime());
      return { outcome: 'ok', value: await work(area) };
    } catch (error) {
      const problem = problemOf(error);
      if (!(problem instanceof FileProblem)) throw error;
      return { outcome: 'refused', message: problem.code, problem: { code: problem.code, params: problem.params } };
    }
  }
}
