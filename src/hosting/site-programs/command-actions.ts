import { Injectable } from '@nestjs/common';

import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { ActionQueue, type QueuedAction, driverTurn, type ActionState } from './action-queue.js';
import { programError } from './program-errors.js';

/** Name of the background task of it. */
export const COMMAND_TASK = 'site-command';

/** A command that is run now. */
export interface CommandAction {
  /** Its id. */
  readonly command: string;
}

/** Result of a run; its output is kept with the runs of the command. */
export interface CommandEnd {
  readonly exit: number;
  /** How long it took. */
  readonly seconds: number;
}

/**
 * Runs commands of sites when somebody asks for it: in the background, each once at a time. One that was cut
 * short is not begun anew by itself.
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
