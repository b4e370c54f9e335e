import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { AccountSpace } from './account-space.js';
import { fileError } from './file-errors.js';

const log = loggerFor('hosting');
const DAY_MS = 86_400_000;
/** How long the trash keeps what was thrown away. */
export const TRASH_DAYS = 30;
/** How long an upload waits to go on. */
export const UPLOAD_DAYS = 3;
const BATCH = 200;

/** Clears away what nobody comes back for, in every site: old trash, uploads and deeds that were never finished. */
@Injectable()
export class FileCare {
  private readonly next;

  constructor(
    database: Database,
    private readonly sites: SiteAccess,
    private readonly space: AccountSpace,
    private readonly clock: Clock,
  ) {
    this.next = database.statement<{ id: number }>(
      `SELECT {HostingAccount.id} AS id FROM {HostingAccount} WHERE {HostingAccount.id} > ? ORDER BY {HostingAccount.id} LIMIT ${BATCH}`,
    );
  }

  /** @returns how many sites were looked at */
  @Job({ name: 'site-files', dailyAt: '03:50', timeoutMinutes: 120 })
  async run(turn: JobTurn): Promise<number> {
    let count = 0;
    for (let last = 0; ;) {
      const rows = await this.next.all(last);
      for (const { id } of rows) {
        turn.signal.throwIfAborted();
        // One site that cannot be cleared keeps nobody from the others.
        await this.clear(id, turn.signal).then(
          () => (count += 1),
          (error: unknown) => log.warn({ err: error, account: id }, 'the files of a site could not be cleared'),
        );
        last = id;
      }
      if (rows.length < BATCH) return count;
    }
  }

  private async clear(id: number, signal: AbortSignal): Promise<void> {
    const site = await this.sites.ofHost(id).catch(() => null);
    if (!site?.has('files')) return;
    const now = this.clock.now().getTime();
    const space = this.space.of(id);
    const turn = { id: 'care', signal, progress: () => undefined };
    await site.ask(
      'files',
      (files, account) => files.purge(account, { before: now - TRASH_DAYS * DAY_MS }, space, turn),
      fileError,
      signal,
    );
    await site.ask('files', (files, account) => files.tidy(account, now - UPLOAD_DAYS * DAY_MS, space, signal), fileError, signal);
  }
}
