import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppError, loggerFor, type Words, wordsOf } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import type { DeedTurn } from '../driver/index.js';
import type { SiteBackup, SiteBackupKind } from '../entities/index.js';
import { AccountSpace } from '../files/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { SiteBackupError, siteBackupError } from './backup-errors.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';
import { SiteBackupRules } from './backup-rules.js';
import { SiteBackupStorage } from './backup-storage.js';

const log = loggerFor('hosting');
const TASK = 'site-backup';
/** Somebody waits for what he asked for; the schedule does not. */
const PRIORITY = { person: 10, schedule: 50 };

interface Payload {
  readonly backup: number;
}

/** Makes backups of sites and puts them back: ordered here, done in the background, one thing at a time for each site. */
@Injectable()
export class SiteBackupWork {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly space: AccountSpace,
    private readonly settings: SiteSettings,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly storage: SiteBackupStorage,
    private readonly removal: SiteBackupRemoval,
    private readonly notices: SiteBackupNotices,
  ) {}

  /**
   * Has a backup made soon.
   *
   * @param by who wants it, see {@link SiteBackup.by}
   * @throws SiteBackupError NOT_OFFERED, LIMIT, BUSY, NO_BUCKET; HostingError PORT_MISSING
   */
  async make(site: OpenSite, kind: Exclude<SiteBackupKind, 'safety'>, by: string): Promise<SiteBackup> {
    site.port('backups');
    const { account } = site;
    const place = this.place;
    if (place === 's3' && this.storage.shown === null) throw new SiteBackupError('NO_BUCKET');
    return this.database.transaction(async () => {
      const row = await this.records.begin(account, { kind, place, by }, true);
      await this.rules.requirePlace(account, kind);
      await this.order(row, kind === 'scheduled' ? PRIORITY.schedule : PRIORITY.person, by);
      return row;
    });
  }

  /**
   * Has a backup put back soon.
   *
   * @throws SiteBackupError MISSING, BUSY, UNFINISHED, OVER_SPACE; HostingError PORT_MISSING
   */
  async restore(site: OpenSite, id: number, by: string): Promise<SiteBackup> {
    site.port('backups');
    const { account } = site;
    this.rules.requireSpace(account, await this.records.find(account.id, id));
    return this.database.transaction(async () => {
      const row = await this.records.beginRestore(account.id, id);
      await this.order(row, PRIORITY.person, by);
      return row;
    });
  }

  /** Stops what is being done with the backups of a host. @throws SiteBackupError NOTHING_RUNS */
  async stop(hostId: number): Promise<SiteBackup> {
    const row = await this.records.underWay(hostId);
    if (!row?.taskId || !(await this.queue.cancel(row.taskId))) throw new SiteBackupError('NOTHING_RUNS');
    // One that runs ends by itself; of one that waited nobody else would tell.
    if ((await this.queue.find(row.taskId))?.state === 'cancelled') await this.records.failed(row, new SiteBackupError('CANCELLED').told);
    return row;
  }

  /** Takes a backup away. @returns whether it is gone; false: soon @throws SiteBackupError MISSING, BUSY */
  async remove(hostId: number, id: number): Promise<{ row: SiteBackup; gone: boolean }> {
    const row = await this.records.find(hostId, id);
    if (!(await this.database.transaction(() => this.records.beginRemoval(id)))) throw new SiteBackupError('BUSY');
    return { row, gone: await this.removal.tryTo(row) };
  }

  /** How far the work on one is, in percent; null where nothing is known. */
  async progress({ busy, taskId }: SiteBackup): Promise<number | null> {
    if (busy === null || taskId === null) return null;
    const { done = 0, total = 0 } = (await this.queue.find(taskId))?.progress ?? {};
    return total > 0 ? Math.min(99, Math.floor((done / total) * 100)) : null;
  }

  /** Begun anew where its process was killed; whatever else it fails with is told, and not tried again. */
  @BackgroundTask({ name: TASK, attempts: 3, timeoutMinutes: 240, concurrency: 2 })
  async run(payload: unknown, turn: TaskTurn): Promise<{ failed?: string }> {
    const row = await this.records.byId((payload as Payload).backup);
    if (row?.taskId !== turn.id) return {};
    try {
      const site = await this.sites.ofHost(row.hostId);
      if (row.state === 'making') await this.makeNow(site, row, turn);
      if (row.state === 'restoring') await this.restoreNow(site, row, turn);
      return {};
    } catch (error) {
      const isStopped = turn.signal.aborted && ((await this.queue.find(turn.id))?.stopping ?? true);
      if (turn.signal.aborted && !isStopped) throw error;
      const problem = isStopped ? new SiteBackupError('CANCELLED') : error;
      await this.fail(row, problem);
      return { failed: problem instanceof AppError ? problem.code : 'FAILED' };
    }
  }

  private get place(): SiteBackup['place'] {
    return this.settings.current.siteBackupPlace === 's3' ? 's3' : 'disk';
  }

  private async order(row: SiteBackup, priority: number, by: string): Promise<void> {
    const taskId = await this.queue.add(TASK, { backup: row.id } satisfies Payload, { priority, by });
    await this.records.assign(row.id, taskId);
  }

  private async makeNow(site: OpenSite, row: SiteBackup, turn: TaskTurn): Promise<void> {
    const { id } = site.account;
    if (!(await this.archive(site, row, turn, (done, total) => turn.progress(done, total)))) return this.removal.leftOver(row);
    const limit = await this.rules.limitOf(id);
    await this.removal.each([...(await this.records.surplus(id, limit)), ...(await this.records.outdated(id))]);
    if (row.kind === 'scheduled') await this.notices.tellWhole(site.account, row);
  }

  private async restoreNow(site: OpenSite, row: SiteBackup, turn: TaskTurn): Promise<void> {
    const { account } = site;
    this.rules.requireSpace(account, row);
    // The second half is the unpacking.
    await this.keepSafe(site, row, turn, (done, total) => turn.progress(done, total * 2));
    const from = {
      name: row.name,
      size: row.size,
      sha256: row.sha256,
      content: row.content,
      ...(row.place === 's3' ? { url: this.storage.address('GET', row.name) } : {}),
    };
    const own = deedOf(turn, 'restore', (done, total) => turn.progress(total + done, total * 2));
    await site.ask(
      'backups',
      (backups, known) => backups.restore(known, from, this.space.of(account.id), own),
      siteBackupError,
      turn.signal,
    );
    await this.records.restored(row.id);
    await this.removal.each(await this.records.outdated(account.id));
  }

  /** Makes a copy of the site as it is, once for one restoration: an attempt after one that was killed must not copy what that one had put there. */
  private async keepSafe(site: OpenSite, row: SiteBackup, turn: TaskTurn, tell: DeedTurn['progress']): Promise<void> {
    const present = await this.records.safetyOf(site.account.id, turn.id);
    if (present?.state === 'done') return;
    const order = { kind: 'safety', place: row.place, by: row.by, taskId: turn.id } as const;
    const safety = present ?? (await this.records.begin(site.account, order, false));
    try {
      await this.archive(site, safety, turn, tell);
    } catch (error) {
      // The next attempt goes on with it.
      if (!turn.signal.aborted) await this.records.failed(safety, wordsOf(error));
      throw error;
    }
  }

  /** Makes the archive of a row. @returns false where the row was taken away meanwhile */
  private async archive(site: OpenSite, row: SiteBackup, turn: TaskTurn, tell: DeedTurn['progress']): Promise<boolean> {
    const to = { name: row.name, ...(row.place === 's3' ? { url: this.storage.address('PUT', row.name) } : {}) };
    const made = await site.ask(
      'backups',
      (backups, account) => backups.make(account, to, deedOf(turn, 'make', tell)),
      siteBackupError,
      turn.signal,
    );
    // A storage that says yes to everything keeps nothing.
    if (row.place === 's3' && (await this.storage.size(row.name)) !== made.size) throw new SiteBackupError('BACKUP_DAMAGED');
    return this.records.done(row.id, made);
  }

  /** Ends one whose task is over. */
  giveUp(row: SiteBackup, error: SiteBackupError): Promise<void> {
    return this.fail(row, error);
  }

  private async fail(row: SiteBackup, error: unknown): Promise<void> {
    const isOurs = error instanceof AppError;
    const words: Words = isOurs ? error.told : new SiteBackupError('FAILED').told;
    log[isOurs ? 'warn' : 'error']({ err: error, backup: row.name, host: row.hostId }, 'work on a backup of a site failed');
    if (!(await this.records.failed(row, words))) return;
    if (row.state === 'making') await this.removal.leftOver(row);
    const safety = row.taskId === null ? null : await this.records.safetyOf(row.hostId, row.taskId);
    if (safety?.state === 'making') {
      await this.records.failed(safety, words);
      await this.removal.leftOver(safety);
    }
    if (row.kind === 'scheduled' && row.state === 'making') await this.notices.tellFailed(row, error, words);
  }
}

function deedOf(turn: TaskTurn, step: string, progress: DeedTurn['progress']): DeedTurn {
  return { id: hash('sha256', `${turn.id}:${step}`, 'hex').slice(0, 32), signal: turn.signal, progress };
}
