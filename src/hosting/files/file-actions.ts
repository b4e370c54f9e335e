import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { type AppError, type TextParams, unpackWords } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, type TaskProgress, type TaskTurn, type TaskView } from '../../jobs/index.js';
import type { DriverTurn, FileActionResult, Packing, Relocation, Unpacking } from '../driver/index.js';
import { HostingError, type HostingErrorCode, hostingErrorOf, isServerFault } from '../hosting-errors.js';
import { type OpenSite, SiteAccess, waitShortly } from '../site-tools/index.js';

import { AccountSpace } from './account-space.js';
import { FileError, fileError, type FileErrorCode } from './file-errors.js';

/** Name of the background task of file actions. */
export const FILE_TASK = 'site-files';

/** Possibly long-running work on files. */
export type FileAction =
  | { readonly kind: 'copy'; readonly wanted: Relocation }
  | { readonly kind: 'pack'; readonly wanted: Packing }
  | { readonly kind: 'unpack'; readonly wanted: Unpacking }
  | { readonly kind: 'purge'; readonly wanted: { readonly ids?: readonly string[] } };

/** Result of an action: how much was done, or why it was rejected. */
type Outcome =
  | FileActionResult
  | { readonly refused: FileErrorCode; readonly params: TextParams }
  | { readonly server: HostingErrorCode; readonly params: TextParams };

interface Payload {
  readonly account: number;
  readonly deed: FileAction;
}

/** Progress of an action. */
export type FileActionState =
  | { readonly state: 'pending' | 'running'; readonly progress: TaskProgress | null }
  | { readonly state: 'success'; readonly done: FileActionResult }
  | { readonly state: 'failed'; readonly error: AppError };

/** Runs copies, archives and permanent removals as background tasks in any process; they are restarted if a process is killed. */
@Injectable()
export class FileActions {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly space: AccountSpace,
  ) {}

  /** Queues an action, and waits briefly for it. @returns its task, and its state after waiting */
  async start(accountId: number, action: FileAction, by: string): Promise<{ id: string; now: FileActionState }> {
    const id = await this.queue.add(FILE_TASK, { account: accountId, deed: action } satisfies Payload, { by });
    return {
      id,
      now: await waitShortly(
        () => this.stateOf(accountId, id),
        ({ state }) => state === 'success' || state === 'failed',
      ),
    };
  }

  /** Returns the state of an account's action. @throws FileError TASK_MISSING, also for a task of another account */
  async stateOf(accountId: number, id: string): Promise<FileActionState> {
    const task = await this.queue.find(id);
    if (task?.name !== FILE_TASK || (task.payload as Payload).account !== accountId) throw new FileError('TASK_MISSING');
    return shown(task);
  }

  @BackgroundTask({ name: FILE_TASK, attempts: 3, timeoutMinutes: 240, concurrency: 4 })
  async run(payload: unknown, turn: TaskTurn): Promise<Outcome> {
    const { account, deed: action } = payload as Payload;
    try {
      return await this.execute(await this.sites.ofHost(account), action, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      // A problem the owner can solve is stored as the result; a server error fails the task. Neither is retried.
      if (error instanceof FileError) return { refused: error.code, params: error.params };
      if (!(error instanceof HostingError)) throw error;
      if (isServerFault(error)) throw new FinalFailure(error.message, { cause: error });
      return { server: error.code, params: error.params };
    }
  }

  private async execute(site: OpenSite, action: FileAction, turn: TaskTurn): Promise<FileActionResult> {
    const space = this.space.of(site.account.id);
    const own: DriverTurn = {
      id: hash('sha256', turn.id, 'hex').slice(0, 32),
      signal: turn.signal,
      progress: (done, total) => turn.progress(done, total),
    };
    return site.ask(
      'files',
      async (files, account) => {
        switch (action.kind) {
          case 'copy':
            return files.copy(account, action.wanted, space, own);
          case 'pack':
            return files.pack(account, action.wanted, space, own);
          case 'unpack':
            return files.unpack(account, action.wanted, space, own);
          case 'purge': {
            const purged = await files.purge(account, action.wanted, space, own);
            return 'value' in purged ? { ...purged, value: { done: purged.value, left: 0 } } : purged;
          }
        }
      },
      fileError,
      turn.signal,
    );
  }
}

function shown({ state, result, progress, error }: TaskView): FileActionState {
  if (state === 'waiting') return { state: 'pending', progress };
  if (state === 'running') return { state: 'running', progress };
  const outcome = state === 'done' ? (result as Outcome) : null;
  if (outcome === null) return { state: 'failed', error: hostingErrorOf(unpackWords(error ?? '')) ?? new FileError('TASK_FAILED') };
  if ('refused' in outcome) return { state: 'failed', error: new FileError(outcome.refused, outcome.params) };
  if ('server' in outcome) return { state: 'failed', error: new HostingError(outcome.server, outcome.params) };
  return { state: 'success', done: outcome };
}
