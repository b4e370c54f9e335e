import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { messageOf } from '../../errors.js';
import { parseCron } from '../../schedule/cron.js';
import { answered, ended } from '../action-result.js';
import type { CommandClock } from '../commands/command-clock.js';
import type { CommandRuns } from '../commands/command-runs.js';
import { HostRefusal } from '../refusal.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import type { ActionHandlers } from './action-handlers.js';
import { requireOpen } from './file-actions.js';

type Names = Extract<ActionName, `commands.${string}`>;

/** Commands of sites that run by themselves. */
export function commandActions(keeper: SiteKeeper, clock: CommandClock, runs: CommandRuns): ActionHandlers<Names> {
  return {
    'commands.apply': async (ref, { commands }) => {
      for (const { schedule } of commands) requireSchedule(schedule);
      const isChanged = await keeper.change(ref, (site) => ({ ...site, commands }));
      await runs.keepOnly(
        keeper.require(ref),
        commands.map(({ id }) => id),
      );
      return ended(isChanged);
    },
    'commands.of': async (ref) => answered({ commands: keeper.require(ref).commands }),
    'commands.run': async (ref, { id }, { stop }) => {
      const site = requireOpen(keeper.require(ref));
      const command = site.commands.find((one) => one.id === id);
      if (!command) throw new HostRefusal('MISSING', 'The site has no such command.');
      const { exit, output } = await clock.run(site, command, stop);
      return answered({ exit, output });
    },
    'commands.runs': async (ref, { id }) => answered({ runs: await runs.of(keeper.require(ref), id) }),
  };
}

function requireSchedule(schedule: string): void {
  try {
    parseCron(schedule);
  } catch (error) {
    throw new HostRefusal('ARGUMENTS', messageOf(error));
  }
}
