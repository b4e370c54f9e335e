import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import type { DriverTurn, FilesPort, UploadTarget } from '../driver/index.js';
import type { DeployProgram, Deployment } from '../entities/index.js';
import { AccountSpace, fileError } from '../files/index.js';
import { driverTurn } from '../site-programs/index.js';
import type { OpenSite, PortCall } from '../site-tools/index.js';

import { ProgramArchives } from './program-archives.js';

/** Bytes per uploaded chunk. */
const CHUNK = 1_048_576;
/** Entries listed or deleted at a time. */
const BATCH = 200;
/** File that belongs to the server. */
const KEPT = '.user.ini';

/** Replaces the files of a site with the archive of a program. Idempotent. */
@Injectable()
export class DeploymentFiles {
  constructor(
    private readonly archives: ProgramArchives,
    private readonly space: AccountSpace,
  ) {}

  /** @throws FileError, HostingError; DeployError ARCHIVE_MISSING */
  async replace(site: OpenSite, row: Deployment, program: DeployProgram, turn: TaskTurn): Promise<void> {
    await this.empty(site, turn);
    const name = `svc-program-${row.id}.zip`;
    // Keeps an upload of another archive of the same size from being resumed.
    const tag = `program-${row.id}-${hash('sha256', program.archivePath, 'hex').slice(0, 8)}`;
    await this.send(site, { folder: '/', name, tag }, program, turn);
    // An earlier attempt may have extracted a part, which was just deleted, so this attempt must not resume that work.
    const own = { ...driverTurn(turn), id: `${driverTurn(turn).id}-${turn.attempt}` };
    const space = this.space.of(site.account.id);
    const wanted = { archive: `/${name}`, folder: '/' };
    await this.ask(site, turn, (files, account) => files.unpack(account, wanted, space, own));
    await this.discard(site, [`/${name}`], turn);
  }

  /** Deletes all files except those that belong to the server. */
  async empty(site: OpenSite, turn: TaskTurn): Promise<void> {
    const listing = { folder: '/', sort: 'name', descending: false, offset: 0, limit: BATCH } as const;
    for (;;) {
      const { entries } = await this.ask(site, turn, (files, account) => files.list(account, listing, turn.signal));
      const paths = entries.filter(({ name }) => name !== KEPT).map(({ name }) => `/${name}`);
      if (paths.length === 0) return;
      await this.discard(site, paths, turn);
    }
  }

  /** Deletes permanently: a backup exists, and the trash would use space the program needs. */
  private async discard(site: OpenSite, paths: readonly string[], turn: TaskTurn): Promise<void> {
    const trash = () => this.ask(site, turn, (files, account) => files.trash(account, 0, BATCH, turn.signal));
    const before = new Set((await trash()).entries.map(({ id }) => id));
    await this.ask(site, turn, (files, account) => files.discard(account, paths, turn.signal));
    const ids = (await trash()).entries.filter(({ id, path }) => !before.has(id) && paths.includes(path)).map(({ id }) => id);
    if (ids.length === 0) return;
    const own: DriverTurn = { ...driverTurn(turn), id: `${driverTurn(turn).id}-purge`, progress: () => undefined };
    const space = this.space.of(site.account.id);
    await this.ask(site, turn, (files, account) => files.purge(account, { ids }, space, own));
  }

  private async send(site: OpenSite, place: Omit<UploadTarget, 'size'>, program: DeployProgram, turn: TaskTurn): Promise<void> {
    const { handle, size } = await this.archives.open(program);
    const target: UploadTarget = { ...place, size };
    const space = this.space.of(site.account.id);
    try {
      let { received, done } = await this.ask(site, turn, (files, account) => files.uploaded(account, target, turn.signal));
      while (!done) {
        turn.signal.throwIfAborted();
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK, size - received)), 0, undefined, received);
        const [from, piece] = [received, buffer.subarray(0, bytesRead)];
        const state = await this.ask(site, turn, (files, account) => files.upload(account, target, from, piece, space, turn.signal));
        ({ received, done } = state);
        turn.progress(received, size);
      }
    } finally {
      await handle.close();
    }
  }

  private ask<Value>(site: OpenSite, turn: TaskTurn, call: PortCall<FilesPort, Value>): Promise<Value> {
    return site.ask('files', call, fileError, turn.signal);
  }
}
