import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import {
  type ArchivePlace,
  BackupProblem,
  type BackupsPort,
  type DriverTurn,
  type DriverAccount,
  type DriverNode,
  type DriverResult,
  FileProblem,
  type KeptArchive,
  type MadeBackup,
  type OpenedArchive,
  type SpaceMeter,
} from '../../driver/index.js';
import { FREE_SHARE, isProtected, makeArchive, restoreArchive } from '../../embedded/index.js';
import { answering } from '../client/index.js';
import { BACKUP_ROOT } from '../sites/index.js';

import { LocalCopies, type LocalCopy } from './local-copy.js';
import type { PanelDisk } from './panel-disk.js';
import type { RemoteSite } from './remote-site.js';
import { SitePlaces } from './site-places.js';

const FOLDER = `${BACKUP_ROOT}/svc`;
/** Names of archives: made by the panel, checked again where one becomes a path. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,159}$/;

/**
 * Backups of sites on servers that run BaoTa: the archives are made here, file by file, and lie on the server outside
 * every web root, or in a storage.
 */
@Injectable()
export class BaotaBackups implements BackupsPort {
  private readonly disk: PanelDisk;

  constructor(
    private readonly places: SitePlaces,
    private readonly copies: LocalCopies,
  ) {
    this.disk = places.disk;
  }

  make(account: DriverAccount, to: ArchivePlace, turn: DriverTurn): Promise<DriverResult<MadeBackup>> {
    return this.places.look(account, turn.signal, (site) =>
      this.copies.with(this.disk, async (copy) => {
        const passed = { left: 0 };
        for await (const found of site.walk([], null, passed)) await copy.get(site, found, found.parts);
        const made = await makeArchive(copy.area, copy.archives, to, turn);
        if (to.url === undefined) {
          await this.requireRoom(account.node, made.size, turn.signal);
          await copy.putFile(site, copy.archives.path(to.name), FOLDER, checked(to.name));
        }
        return { ...made, left: made.left + passed.left };
      }),
    );
  }

  restore(account: DriverAccount, from: KeptArchive, space: SpaceMeter, turn: DriverTurn): Promise<DriverResult> {
    return this.places.look(account, turn.signal, (site) =>
      this.copies.with(this.disk, async (copy) => {
        if (from.url === undefined && !from.fetch) await this.fetch(site, from.name, copy);
        await restoreArchive(copy.area, copy.archives, from, copy.spaceFor(null), turn);
        await this.replace(site, from, copy, space, turn);
        return undefined;
      }),
    );
  }

  open({ node }: DriverAccount, name: string, deadline: AbortSignal, from: number): Promise<DriverResult<OpenedArchive>> {
    return answering(async () => {
      const size = await this.sizeOf(node, name, deadline);
      if (size === 0) return { size, from: 0, content: Readable.from([]) };
      // Whoever is sent it may take longer than a call.
      return { size, ...(await this.disk.open(node, `${FOLDER}/${name}`, from, new AbortController().signal)) };
    });
  }

  remove({ node }: DriverAccount, name: string, deadline: AbortSignal): Promise<DriverResult> {
    return answering(async () => {
      await this.disk.remove(node, `${FOLDER}/${checked(name)}`, false, deadline);
      return undefined;
    });
  }

  check(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<{ free: number }>> {
    return answering(async () => {
      const name = `check-${randomBytes(6).toString('hex')}`;
      await this.disk.write(node, FOLDER, name, Buffer.from(name), deadline);
      try {
        if ((await this.disk.text(node, `${FOLDER}/${name}`, deadline)) !== name) throw new BackupProblem('BACKUP_DAMAGED');
      } finally {
        await this.disk.remove(node, `${FOLDER}/${name}`, false, deadline);
      }
      return { free: (await this.disk.room(node, FOLDER, deadline)).free };
    });
  }

  /** @throws FileProblem DISK_FULL where the server's disk could be full afterwards, on which its databases lie too */
  private async requireRoom(node: DriverNode, bytes: number, signal: AbortSignal): Promise<void> {
    const { free, total } = await this.disk.room(node, FOLDER, signal);
    if (total > 0 && bytes > free - total * FREE_SHARE) throw new FileProblem('DISK_FULL');
  }

  /** @throws BackupProblem BACKUP_GONE */
  private async sizeOf(node: DriverNode, name: string, signal: AbortSignal): Promise<number> {
    const folder = await this.disk.folder(node, FOLDER, signal);
    const entry = folder?.entries.find((one) => one.name === checked(name));
    if (entry?.type !== 'file') throw new BackupProblem('BACKUP_GONE');
    return entry.size;
  }

  private async fetch(site: RemoteSite, name: string, copy: LocalCopy): Promise<void> {
    const size = await this.sizeOf(site.place.node, name, site.signal);
    await copy.getFile(site, `${FOLDER}/${name}`, copy.archives.path(name), size);
  }

  /** Everything is sent before anything of the site is touched; an attempt that was cut short after that is done again by the same call. */
  private async replace(site: RemoteSite, { content }: KeptArchive, copy: LocalCopy, space: SpaceMeter, turn: DriverTurn): Promise<void> {
    const { node, area, path } = site.place;
    const [next, old] = [`${area}/work/job-${turn.id}`, `${area}/work/old-${turn.id}-${randomBytes(4).toString('hex')}`];
    const before = await this.disk.size(node, path, site.signal);
    const more = Math.max(0, content - before);
    if (more > 0 && !(await space.take(more))) throw new FileProblem('NO_SPACE');
    try {
      await this.disk.remove(node, next, true, site.signal);
      await copy.put(site, join(copy.area.files), next);
      await this.switchOver(site, next, old);
      await space.giveBack(Math.max(0, before - content));
    } catch (error) {
      await space.giveBack(more);
      throw error;
    } finally {
      for (const left of [next, old]) await this.disk.remove(node, left, true, AbortSignal.timeout(20_000)).catch(() => undefined);
    }
  }

  private async switchOver(site: RemoteSite, next: string, old: string): Promise<void> {
    const { node } = site.place;
    await this.disk.makeFolder(node, old, site.signal);
    for (const { name, type } of (await site.folder([])).entries)
      if (type !== 'other') await site.change(() => this.disk.move(node, site.at([name]), `${old}/${name}`, site.signal));
    for (const { name } of (await this.disk.folder(node, next, site.signal))?.entries ?? [])
      if (!isProtected(name)) await site.change(() => this.disk.move(node, `${next}/${name}`, site.at([name]), site.signal));
  }
}

/** @throws BackupProblem BACKUP_GONE for what is no name of an archive */
function checked(name: string): string {
  if (!NAME.test(name) || name.includes('..')) throw new BackupProblem('BACKUP_GONE');
  return name;
}
