import { hash, randomUUID } from 'node:crypto';

import { type AppError, type TextParams, unpackWords } from '../../common/index.js';
import { type BackgroundQueue, FinalFailure, percentOf, type TaskTurn, type TaskView } from '../../jobs/index.js';
import type { DriverTurn } from '../driver/index.js';
import { HostingError, type HostingErrorCode, hostingErrorOf, isOfServer } from '../hosting-errors.js';
import { waitShortly } from '../site-tools/index.js';

import { ProgramError, type ProgramErrorCode } from './program-errors.js';

/** Payload of the task of an action. */
export interface QueuedAction<Action> {
  readonly account: number;
  readonly deed: Action;
  /** Tells one order from another of the same action. */
  readonly order: string;
}

/** What came of it, or why what was asked for cannot be. */
type Outcome<Value> =
  | { readonly done: Value }
  | { readonly by: 'program'; readonly code: ProgramErrorCode; readonly params: TextParams }
  | { readonly by: 'hosting'; readonly code: HostingErrorCode; readonly params: TextParams };

/** How far an action is. */
export interface ActionState<Value> {
  readonly state: 'pending' | 'running' | 'success' | 'failed';
  /** Percent; 0 where nothing is known. */
  readonly percent: number;
  readonly error: AppError | null;
  /** Of one that succeeded. */
  readonly value: Value | null;
}

/** Actions of one kind that are done in the background, one at a time for each key, and followed by who ordered them. */
export class ActionQueue<Action, Value> {
  /** @param task name of the background task that does them */
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly task: string,
  ) {}

  /** Orders an action, and waits a little for it. @returns its task, and how far it is by then @throws ProgramError DEED_BUSY */
  async start(account: number, key: string, action: Action, by: string): Promise<{ id: string; now: ActionState<Value> }> {
    const payload: QueuedAction<Action> = { account, deed: action, order: randomUUID() };
    const id = await this.queue.add(this.task, payload, { by, key });
    const added = (await this.queue.find(id))?.payload as QueuedAction<Action> | undefined;
    if (added?.order !== payload.order) throw new ProgramError('DEED_BUSY');
    return {
      id,
      now: await waitShortly(
        () => this.stateOf(account, id),
        ({ state }) => state === 'success' || state === 'failed',
      ),
    };
  }

  /** How far an action of an account is. @throws ProgramError DEED_MISSING, for what is another account's too */
  async stateOf(account: number, id: string): Promise<ActionState<Value>> {
    const task = await this.queue.find(id);
    if (task?.name !== this.task || (task.payload as QueuedAction<Action>).account !== account) throw new ProgramError('DEED_MISSING');
    return shown(task);
  }

  /** Does one, in its task. What its owner can mend is kept as what came of it; where the server fails, so does the task, at once. */
  async perform({ signal }: TaskTurn, work: () => Promise<Value>): Promise<unknown> {
    try {
      return { done: await work() } satisfies Outcome<Value>;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProgramError) return { by: 'program', code: error.code, params: error.params } satisfies Outcome<Value>;
      if (!(error instanceof HostingError)) throw error;
      if (isOfServer(error)) throw new FinalFailure(error.message, { cause: error });
      return { by: 'hosting', code: error.code, params: error.params } satisfies Outcome<Value>;
    }
  }
}

/** The turn of a task as ports of drivers have it. */
export function driverTurn(turn: TaskTurn): DriverTurn {
  const id = hash('sha256', turn.id, 'hex').slice(0, 32);
  return { id, signal: turn.signal, progress: (done, total) => turn.progress(done, total) };
}

function shown<Value>({ state, result, progress, error }: TaskView): ActionState<Value> {
  const percent = percentOf(progress) ?? 0;
  const none = { percent, error: null, value: null };
  if (state === 'waiting' || state === 'running') return { ...none, state: state === 'waiting' ? 'pending' : 'running' };
  const outcome = state === 'done' ? (result as Outcome<Value>) : null;
  if (outcome === null)
    return { ...none, state: 'failed', error: hostingErrorOf(unpackWords(error ?? '')) ?? new ProgramError('DEED_FAILED') };
  if ('done' in outcome) return { state: 'success', percent: 100, error: null, value: outcome.done };
  const { by, code, params } = outcome;
  return { ...none, state: 'failed', error: by === 'program' ? new ProgramError(code, params) : new HostingError(code, params) };
}
