import { Injectable } from '@nestjs/common';

import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { ActionQueue, type QueuedAction, driverTurn, type ActionState } from './action-queue.js';
import { programError } from './program-errors.js';

/** Name of the background task that runs commands. */
export const COMMAND_TASK = 'site-command';

/** A command to run now. */
export interface CommandAction {
  /** Id of the command. */
  readonly command: string;
}

/** Result of a run; its output is stored with the runs of the command. */
export interface CommandEnd {
  readonly exit: number;
  /** Duration. */
  readonly seconds: number;
}

/**
 * Runs commands of sites on request, as background tasks; each command runs once at a time. An interrupted run is not retried
 * automatically.
 */
@Injectable()
export class CommandActions {
  private readonly actions: ActionQueue<CommandAction, CommandEnd>;

  constructor(
    queue: BackgroundQueue,
    private readonly sites: SiteAccess,
  ) {
    this.actions = new ActionQueue(queue, COMMAND_TASK);
  }

  /** @see ActionQueue.start */
  start(accountId: number, action: CommandAction, by: string): Promise<{ id: string; now: ActionState<CommandEnd> }> {
    return this.actions.start(accountId, `${accountId}/${action.command}`, action, by);
  }

  /** @see ActionQueue.stateOf */
  stateOf(accountId: number, id: string): Promise<ActionState<CommandEnd>> {
    return this.actions.stateOf(accountId, id);
  }

  @BackgroundTask({ name: COMMAND_TASK, attempts: 1, timeoutMinutes: 65, concurrency: 4 })
  run(payload: unknown, turn: TaskTurn): Promise<unknown> {
    const { account: accountId, deed: action } = payload as QueuedAction<CommandAction>;
    return this.actions.perform(turn, async () => {
      const site = await this.sites.ofHost(accountId);
      const own = driverTurn(turn);
      const { exit, seconds } = await site.ask(
        'commands',
        (port, account) => port.run(account, action.command, own),
        programError,
        turn.signal,
      );
      return { exit, seconds };
    });
  }
}
