import { Injectable } from '@nestjs/common';

import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { DeedOrders, type DeedPayload, deedTurn, type DeedState } from './deed-orders.js';
import { programError } from './program-errors.js';

/** Name of the background task of it. */
export const COMMAND_TASK = 'site-command';

/** A command that is run now. */
export interface CommandDeed {
  /** Its id. */
  readonly command: string;
}

/** What a run came to; what it said is with the runs of the command. */
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
  private readonly orders: DeedOrders<CommandDeed, CommandEnd>;

  constructor(
    queue: BackgroundQueue,
    private readonly sites: SiteAccess,
  ) {
    this.orders = new DeedOrders(queue, COMMAND_TASK);
  }

  /** @see DeedOrders.start */
  start(accountId: number, deed: CommandDeed, by: string): Promise<{ id: string; now: DeedState<CommandEnd> }> {
    return this.orders.start(accountId, `${accountId}/${deed.command}`, deed, by);
  }

  /** @see DeedOrders.stateOf */
  stateOf(accountId: number, id: string): Promise<DeedState<CommandEnd>> {
    return this.orders.stateOf(accountId, id);
  }

  @BackgroundTask({ name: COMMAND_TASK, attempts: 1, timeoutMinutes: 65, concurrency: 4 })
  run(payload: unknown, turn: TaskTurn): Promise<unknown> {
    const { account: accountId, deed } = payload as DeedPayload<CommandDeed>;
    return this.orders.settle(turn, async () => {
      const site = await this.sites.ofHost(accountId);
      const own = deedTurn(turn);
      const { exit, seconds } = await site.ask(
        'commands',
        (port, account) => port.run(account, deed.command, own),
        programError,
        turn.signal,
      );
      return { exit, seconds };
    });
  }
}
