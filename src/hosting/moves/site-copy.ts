import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { DriverTurn, SpaceMeter } from '../driver/index.js';
import type { SiteMove } from '../entities/index.js';
import { fileError } from '../files/index.js';
import { stepTurn, siteBackupError } from '../site-backups/index.js';
import { programError } from '../site-programs/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { databaseIn } from './belongings.js';
import { MoveError } from './move-errors.js';
import { MoveRecords } from './move-records.js';

const log = loggerFor('hosting');

/** Unlimited: the quota is enforced by the account's own server, so the copy fits. */
const UNLIMITED: SpaceMeter = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };

/** Copy of a site to another server: its move, both ends, and options. */
export interface Copying {
  readonly row: SiteMove;
  readonly from: OpenSite;
  readonly to: OpenSite;
  /** Skips the database until the site is stopped: the site is suspended, so its database cannot be read yet. */
  readonly withoutDatabase?: boolean;
}

/** Returns the name of a move's archive, on the disk of the server the site is on. */
export const archiveOf = ({ siteName, id }: Pick<SiteMove, 'siteName' | 'id'>): string => `${siteName}-move-${id}.tar.gz`;

/** Copies a whole site from one server to another. The data passes through the panel, which stores none of it. */
@Injectable()
export class SiteCopy {
  constructor(private readonly records: MoveRecords) {}

  /**
   * Replaces database and files on the other server with those of this one. Idempotent.
   *
   * @throws errors of either server; MoveError FILES_LOST, DATABASE_LOST if less arrived than was sent
   */
  async run(copying: Copying, turn: TaskTurn): Promise<void> {
    if (!copying.withoutDatabase) await this.copyDatabase(copying, turn);
    await this.copyFiles(copying, turn);
  }

  private async copyDatabase({ from, to, row }: Copying, turn: TaskTurn): Promise<void> {
    const here = from.has('database') ? await databaseIn(from) : null;
    // A server without databases was already checked before the move started.
    if (!here || !to.has('database') || !to.port('database').load) return;
    const step = (name: string): DriverTurn => stepTurn(turn, `${row.state}:${name}`, () => turn.progress(0, 0));
    const dump = await from.ask('database', (port, account) => port.backUp(account, step('dump')), programError, turn.signal);
    try {
      const open = async () =>
        (await from.ask('database', (port, account, deadline) => port.openBackup(account, dump.id, deadline), programError)).content;
      const brought = { size: dump.size, open };
      await to.ask('database', (port, account) => port.load!(account, brought, step('load')), programError, turn.signal);
    } finally {
      await from
        .ask('database', (port, account, deadline) => port.removeBackup(account, dump.id, deadline))
        .catch((error: unknown) =>
          log.warn({ err: error, move: row.id }, 'the dump of a moved database could not be removed from its server'),
        );
    }
    if ((here.bytes ?? 0) > 0 && (await databaseIn(to))?.bytes === 0) throw new MoveError('DATABASE_LOST');
  }

  private async copyFiles({ from, to, row }: Copying, turn: TaskTurn): Promise<void> {
    const name = archiveOf(row);
    const step = (name: string, at: number): DriverTurn =>
      stepTurn(turn, `${row.state}:${name}`, (done, total) => turn.progress(at * total + done, 2 * total));
    const mark = await this.markOf(from, row);
    // Unchanged since the copy made while the site was running: skip packing.
    if (row.state === 'closing' && mark !== '' && mark === (await this.records.find(row.id)).mark) return;
    const made = await from.ask('backups', (port, account) => port.make(account, { name }, step('pack', 0)), siteBackupError, turn.signal);
    try {
      const known = await this.records.find(row.id);
      // The same check, for servers without fingerprints.
      if (row.state === 'closing' && known.sha256 === made.sha256) return;
      const { size, sha256, content } = made;
      const fetch = async () =>
        (await from.ask('backups', (port, account, deadline) => port.open(account, name, deadline, 0), siteBackupError)).content;
      const archive = { name, size, sha256, content, fetch };
      await to.ask(
        'backups',
        (port, account) => port.restore(account, archive, UNLIMITED, step('unpack', 1)),
        siteBackupError,
        turn.signal,
      );
      if (to.has('files')) {
        const there = await to.ask('files', (port, account, deadline) => port.size(account, '/', deadline), fileError);
        if (there < content) throw new MoveError('FILES_LOST');
      }
      await this.records.note(row.id, { sha256, mark, left: made.left });
    } finally {
      await this.clear(from, row);
    }
  }

  /** Returns a fingerprint of the files before they are read; empty if the server cannot compute one, so that all files are copied. */
  private async markOf(from: OpenSite, { id }: SiteMove): Promise<string> {
    if (!from.port('backups').mark) return '';
    return from
      .ask('backups', (port, account, deadline) => port.mark!(account, deadline))
      .catch((error: unknown) => {
        log.info({ err: error, move: id }, 'the files of a moved site have no fingerprint, so all of them are copied');
        return '';
      });
  }

  /** Removes the archive from the server it was made on. A leftover is harmless, and is removed with the old site. */
  async clear(from: OpenSite, row: SiteMove): Promise<void> {
    await from
      .ask('backups', (port, account, deadline) => port.remove(account, archiveOf(row), deadline))
      .catch((error: unknown) => log.warn({ err: error, move: row.id }, 'the archive of a move could not be removed from its server'));
  }
}
