import { hash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { AppError, type TextParams } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn, type TaskView } from '../../jobs/index.js';
import type { DeedTurn } from '../driver/index.js';
import { HostingError, type HostingErrorCode } from '../hosting-errors.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { DatabaseBackups } from './database-backups.js';
import { ProgramError, type ProgramErrorCode } from './program-errors.js';

const TASK = 'site-database';
/** How long an answer waits for a deed that may be short. */
const WAIT_MS = 4_000;
const LOOK_MS = 50;

/** Work on a database that may take long. */
export type DatabaseDeed =
  | { readonly kind: 'backup' | 'clear' }
  | { readonly kind: 'restore'; readonly backup: string }
  | { readonly kind: 'run'; readonly path: string };

interface Payload {
  readonly account: number;
  readonly deed: DatabaseDeed;
  /** Tells one order from another of the same deed. */
  readonly order: string;
}

/** What came of it. */
type Outcome =
  | { readonly done: true }
  | { readonly by: 'program'; readonly code: ProgramErrorCode; readonly params: TextParams }
  | { readonly by: 'hosting'; readonly code: HostingErrorCode; readonly params: TextParams };

/** How far a deed is. */
export interface DatabaseDeedState {
  readonly state: 'pending' | 'running' | 'success' | 'failed';
  /** Percent; 0 where nothing is known. */
  readonly percent: number;
  readonly error: AppError | null;
}

/**
 * Backups of databases, what is put back and what is run: done in the background, one thing at a time for each site. What was cut short is not begun anew by itself:
 * SQL that was run in part may do harm a second time.
 */
@Injectable()
export class DatabaseDeeds {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly backups: DatabaseBackups,
  ) {}

  /** Orders a deed, and waits a little for it. @returns its task, and how far it is by then @throws ProgramError DEED_BUSY */
  async start(accountId: number, deed: DatabaseDeed, by: string): Promise<{ id: string; now: DatabaseDeedState }> {
    const payload: Payload = { account: accountId, deed, order: randomUUID() };
    const id = await this.queue.add(TASK, payload, { by, key: String(accountId) });
    if (((await this.queue.find(id))?.payload as Payload | undefined)?.order !== payload.order) throw new ProgramError('DEED_BUSY');
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const now = await this.stateOf(accountId, id);
      if (now.state === 'success' || now.state === 'failed' || Date.now() > end) return { id, now };
      await setTimeout(LOOK_MS);
    }
  }

  /** How far a deed of an account is. @throws ProgramError DEED_MISSING, for what is another account's too */
  async stateOf(accountId: number, id: string): Promise<DatabaseDeedState> {
    const task = await this.queue.find(id);
    if (task?.name !== TASK || (task.payload as Payload).account !== accountId) throw new ProgramError('DEED_MISSING');
    return shown(task);
  }

  @BackgroundTask({ name: TASK, attempts: 1, timeoutMinutes: 120, concurrency: 4 })
  async run(payload: unknown, turn: TaskTurn): Promise<Outcome> {
    const { account, deed } = payload as Payload;
    try {
      await this.execute(await this.sites.ofHost(account), deed, turn);
      return { done: true };
    } catch (error) {
      turn.signal.throwIfAborted();
      // Kept as what came of it, in words.
      if (error instanceof ProgramError) return { by: 'program', code: error.code, params: error.params };
      if (error instanceof HostingError) return { by: 'hosting', code: error.code, params: error.params };
      throw error;
    }
  }

  private async execute(site: OpenSite, deed: DatabaseDeed, turn: TaskTurn): Promise<void> {
    const own: DeedTurn = {
      id: hash('sha256', turn.id, 'hex').slice(0, 32),
      signal: turn.signal,
      progress: (done, total) => turn.progress(done, total),
    };
    switch (deed.kind) {
      case 'backup':
        return this.backups.make(site, own);
      case 'clear':
        return this.backups.clear(site, own);
      case 'restore':
        return this.backups.restore(site, deed.backup, own);
      case 'run':
        return this.backups.run(site, deed.path, own);
    }
  }
}

function shown({ state, result, progress }: TaskView): DatabaseDeedState {
  const { done = 0, total = 0 } = progress ?? {};
  const percent = total > 0 ? Math.min(99, Math.floor((done / total) * 100)) : 0;
  if (state === 'waiting' || state === 'running') return { state: state === 'waiting' ? 'pending' : 'running', percent, error: null };
  const outcome = state === 'done' ? (result as Outcome) : null;
  if (outcome === null) return { state: 'failed', percent: 0, error: new ProgramError('DEED_FAILED') };
  if ('done' in outcome) return { state: 'success', percent: 100, error: null };
  const { by, code, params } = outcome;
  return { state: 'failed', percent: 0, error: by === 'program' ? new ProgramError(code, params) : new HostingError(code, params) };
}
