import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { type AppError, type TextParams, unpackWords } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, type TaskProgress, type TaskTurn, type TaskView } from '../../jobs/index.js';
import type { DriverTurn, FileActionResult, Packing, Relocation, Unpacking } from '../driver/index.js';
import { HostingError, type HostingErrorCode, hostingErrorOf, isOfServer } from '../hosting-errors.js';
import { type OpenSite, SiteAccess, waitShortly } from '../site-tools/index.js';

import { AccountSpace } from './account-space.js';
import { FileError, fileError, type FileErrorCode } from './file-errors.js';

/** Name of the background task of it. */
export const FILE_TASK = 'site-files';

/** Work on files that may take long. */
export type FileAction =
  | { readonly kind: 'copy'; readonly wanted: Relocation }
  | { readonly kind: 'pack'; readonly wanted: Packing }
  | { readonly kind: 'unpack'; readonly wanted: Unpacking }
  | { readonly kind: 'purge'; readonly wanted: { readonly ids?: readonly string[] } };

/** What came of it: how much was done, or why what was asked for cannot be. */
type Outcome =
  | FileActionResult
  | { readonly refused: FileErrorCode; readonly params: TextParams }
  | { readonly server: HostingErrorCode; readonly params: TextParams };

interface Payload {
  readonly account: number;
  readonly deed: FileAction;
}

/** How far an action is. */
export type FileActionState =
  | { readonly state: 'pending' | 'running'; readonly progress: TaskProgress | null }
  | { readonly state: 'success'; readonly done: FileActionResult }
  | { readonly state: 'failed'; readonly error: AppError };

/**
 * Copies, archives and what is removed for good: done in the background, by whichever process has time, and
 * begun anew where one was killed.
 */
@Injectable()
export class FileActions {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly space: AccountSpace,
  ) {}

  /** Orders an action, and waits a little for it. @returns its task, and how far it is by then */
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

  /** How far an action of an account is. @throws FileError TASK_MISSING, for what is another account's too */
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
      // What its owner can mend is kept as what came of it; where its server fails, so does the task. Neither is tried again.
      if (error instanceof FileError) return { refused: error.code, params: error.params };
      if (!(error instanceof HostingError)) throw error;
      if (isOfServer(error)) throw new FinalFailure(error.message, { cause: error });
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
