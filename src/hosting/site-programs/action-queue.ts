import { hash, randomUUID } from 'node:crypto';

import { type AppError, type TextParams, unpackWords } from '../../common/index.js';
import { type BackgroundQueue, FinalFailure, percentOf, type TaskTurn, type TaskView } from '../../jobs/index.js';
import type { DriverTurn } from '../driver/index.js';
import { HostingError, type HostingErrorCode, hostingErrorOf, isServerFault } from '../hosting-errors.js';
import { waitShortly } from '../site-tools/index.js';

import { ProgramError, type ProgramErrorCode } from './program-errors.js';

/** Payload of the task of an action. */
export interface QueuedAction<Action> {
  readonly account: number;
  readonly deed: Action;
  /** Unique per request, even for the same action. */
  readonly order: string;
}

/** Result of an action, or why it was rejected. */
type Outcome<Value> =
  | { readonly done: Value }
  | { readonly by: 'program'; readonly code: ProgramErrorCode; readonly params: TextParams }
  | { readonly by: 'hosting'; readonly code: HostingErrorCode; readonly params: TextParams };

/** Progress of an action. */
export interface ActionState<Value> {
  readonly state: 'pending' | 'running' | 'success' | 'failed';
  /** Percent; 0 if unknown. */
  readonly percent: number;
  readonly error: AppError | null;
  /** Result of a successful action. */
  readonly value: Value | null;
}

/** Actions of one kind that run as background tasks, one at a time per key, and whose progress the requester can query. */
export class ActionQueue<Action, Value> {
  /** @param task name of the background task that runs them */
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly task: string,
  ) {}

  /** Queues an action, and waits briefly for it. @returns its task, and its state after waiting @throws ProgramError DEED_BUSY */
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

  /** Returns the state of an account's action. @throws ProgramError DEED_MISSING, also for an action of another account */
  async stateOf(account: number, id: string): Promise<ActionState<Value>> {
    const task = await this.queue.find(id);
    if (task?.name !== this.task || (task.payload as QueuedAction<Action>).account !== account) throw new ProgramError('DEED_MISSING');
    return shown(task);
  }

  /** Runs an action in its task. A problem the owner can solve is stored as the result; a server error fails the task immediately. */
  async perform({ signal }: TaskTurn, work: () => Promise<Value>): Promise<unknown> {
    try {
      return { done: await work() } satisfies Outcome<Value>;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProgramError) return { by: 'program', code: error.code, params: error.params } satisfies Outcome<Value>;
      if (!(error instanceof HostingError)) throw error;
      if (isServerFault(error)) throw new FinalFailure(error.message, { cause: error });
      return { by: 'hosting', code: error.code, params: error.params } satisfies Outcome<Value>;
    }
  }
}

/** Converts the turn of a task to one for ports of drivers. */
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
