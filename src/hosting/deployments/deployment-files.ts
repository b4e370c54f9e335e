import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import type { DriverTurn, FilesPort, UploadTarget } from '../driver/index.js';
import type { DeployProgram, Deployment } from '../entities/index.js';
import { AccountSpace, fileError } from '../files/index.js';
import { driverTurn } from '../site-programs/index.js';
import type { OpenSite, PortCall } from '../site-tools/index.js';

import { ProgramArchives } from './program-archives.js';

/** Bytes that are sent at once. */
const PIECE = 1_048_576;
/** Names that are listed, and what is thrown away, at once. */
const BATCH = 200;
/** Belongs to the server. */
const KEPT = '.user.ini';

/** Puts what is in the archive of a program in the place of what a site has. Doing it again does the same. */
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
    // What is there of another archive, which had the same size, is not gone on with.
    const tag = `program-${row.id}-${hash('sha256', program.archivePath, 'hex').slice(0, 8)}`;
    await this.send(site, { folder: '/', name, tag }, program, turn);
    // An attempt before this one may have unpacked some of it, all of which was just taken away: this one begins anew.
    const own = { ...driverTurn(turn), id: `${driverTurn(turn).id}-${turn.attempt}` };
    const space = this.space.of(site.account.id);
    const wanted = { archive: `/${name}`, folder: '/' };
    await this.ask(site, turn, (files, account) => files.unpack(account, wanted, space, own));
    await this.discard(site, [`/${name}`], turn);
  }

  /** Takes everything away but what belongs to the server. */
  async empty(site: OpenSite, turn: TaskTurn): Promise<void> {
    const listing = { folder: '/', sort: 'name', descending: false, offset: 0, limit: BATCH } as const;
    for (;;) {
      const { entries } = await this.ask(site, turn, (files, account) => files.list(account, listing, turn.signal));
      const paths = entries.filter(({ name }) => name !== KEPT).map(({ name }) => `/${name}`);
      if (paths.length === 0) return;
      await this.discard(site, paths, turn);
    }
  }

  /** Throws things away for good: a copy of them is kept, and what is in the trash takes space the program needs. */
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
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(PIECE, size - received)), 0, undefined, received);
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
