import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import type {
  DriverTurn,
  DriverAccount,
  DriverResult,
  FileContent,
  FileActionResult,
  FileList,
  FileListing,
  FilesPort,
  FileVersion,
  FileWrite,
  Packing,
  Relocation,
  SiteEntry,
  SpaceMeter,
  TrashChoice,
  TrashList,
  Unpacking,
  UploadState,
  UploadTarget,
} from '../../driver/index.js';

import { PanelFileActions } from './panel-file-actions.js';
import { LocalCopies } from './local-copy.js';
import type { PanelDisk } from './panel-disk.js';
import { findFile, listFiles, openFile, readFile, sizeOf } from './reading.js';
import { SiteFileAccess } from './site-file-access.js';
import { discard, listTrash, purge, restore, tidy } from './trash.js';
import { cancelUpload, upload, uploaded } from './uploads.js';
import { makeFolderAt, moveTo, renameIn, writeFile } from './writing.js';

/** Files of sites on servers running BaoTa. */
@Injectable()
export class BaotaFiles implements FilesPort {
  private readonly disk: PanelDisk;
  private readonly actions: PanelFileActions;

  constructor(
    private readonly access: SiteFileAccess,
    private readonly clock: Clock,
    copies: LocalCopies,
  ) {
    this.disk = access.disk;
    this.actions = new PanelFileActions(this.disk, copies);
  }

  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>> {
    return this.access.run(account, deadline, (site) => listFiles(site, wanted));
  }

  find(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<SiteEntry>> {
    return this.access.run(account, deadline, (site) => findFile(site, path));
  }

  read(account: DriverAccount, path: string, maxBytes: number, deadline: AbortSignal): Promise<DriverResult<FileContent>> {
    return this.access.run(account, deadline, (site) => readFile(this.disk, site, path, maxBytes));
  }

  open(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<{ size: number; content: Readable }>> {
    return this.access.run(account, deadline, (site) => openFile(this.disk, site, path));
  }

  size(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult<number>> {
    return this.access.run(account, deadline, (site) => sizeOf(this.disk, site, path));
  }

  write(account: DriverAccount, file: FileWrite, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult<FileVersion>> {
    return this.access.change(account, deadline, (site) => writeFile(this.disk, site, file, space));
  }

  makeFolder(account: DriverAccount, path: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.access.change(account, deadline, async (site) => void (await makeFolderAt(this.disk, site, path)));
  }

  rename(account: DriverAccount, folder: string, from: string, to: string, deadline: AbortSignal): Promise<DriverResult> {
    return this.access.change(account, deadline, async (site) => void (await renameIn(this.disk, site, folder, from, to)));
  }

  move(account: DriverAccount, wanted: Relocation, deadline: AbortSignal): Promise<DriverResult<number>> {
    return this.access.change(account, deadline, (site) => moveTo(this.disk, site, wanted));
  }

  discard(account: DriverAccount, paths: readonly string[], deadline: AbortSignal): Promise<DriverResult<number>> {
    return this.access.change(account, deadline, (site) => discard(this.disk, site, paths, this.now));
  }

  uploaded(account: DriverAccount, target: UploadTarget, deadline: AbortSignal): Promise<DriverResult<UploadState>> {
    return this.access.run(account, deadline, (site) => uploaded(site, target));
  }

  upload(
    account: DriverAccount,
    target: UploadTarget,
    offset: number,
    piece: Buffer,
    space: SpaceMeter,
    deadline: AbortSignal,
  ): Promise<DriverResult<UploadState>> {
    const part = { offset, piece, now: this.now };
    return this.access.change(account, deadline, (site) => upload(this.disk, site, target, part, space));
  }

  cancelUpload(account: DriverAccount, target: UploadTarget, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    return this.access.change(account, deadline, async (site) => void (await cancelUpload(this.disk, site, target, space)));
  }

  copy(account: DriverAccount, wanted: Relocation, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.access.run(account, turn.signal, (site) => this.actions.copy(site, wanted, space, turn));
  }

  pack(account: DriverAccount, wanted: Packing, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.access.run(account, turn.signal, (site) => this.actions.pack(site, wanted, space, turn));
  }

  unpack(account: DriverAccount, wanted: Unpacking, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult<FileActionResult>> {
    return this.access.run(account, turn.signal, (site) => this.actions.unpack(site, wanted, space, turn));
  }

  trash(account: DriverAccount, offset: number, limit: number, deadline: AbortSignal): Promise<DriverResult<TrashList>> {
    return this.access.run(account, deadline, (site) => listTrash(this.disk, site, offset, limit));
  }

  restore(account: DriverAccount, ids: readonly string[], deadline: AbortSignal): Promise<DriverResult<string[]>> {
    return this.access.change(account, deadline, (site) => restore(this.disk, site, ids));
  }

  purge(account: DriverAccount, chosen: TrashChoice, space: SpaceMeter, { signal }: DriverTurn): Promise<DriverResult<number>> {
    return this.access.run(account, signal, (site) => purge(this.disk, site, chosen, space));
  }

  tidy(account: DriverAccount, before: number, space: SpaceMeter, deadline: AbortSignal): Promise<DriverResult> {
    return this.access.run(account, deadline, async (site) => void (await tidy(this.disk, site, before, space)));
  }

  private get now(): number {
    return this.clock.now().getTime();
  }
}
