import type { ActionName } from '../../../../src/agents/wire/actions.js';
import { messageOf } from '../../errors.js';
import { parseCron } from '../../cron.js';
import { answered, ended } from '../action-result.js';
import type { CommandClock } from '../commands/command-clock.js';
import type { CommandRuns } from '../commands/command-runs.js';
import { HostRefusal } from '../refusal.js';
import type { SiteKeeper } from '../sites/site-keeper.js';
import type { ActionHandlers } from './action-handlers.js';
import { requireOpen } from './file-actions.js';

type Names = Extract<ActionName, `commands.${string}`>;

/** Actions on the scheduled commands (cron jobs) of sites. */
export function commandActions(keeper: SiteKeeper, clock: CommandClock, runs: CommandRuns): ActionHandlers<Names> {
  return {
    'commands.put': async (ref, { command, most }) => {
      requireSchedule(command.schedule);
      const isChanged = await keeper.change(ref, (site) => {
        if (site.commands.some(({ id }) => id === command.id))
          return { ...site, commands: site.commands.map((one) => (one.id === command.id ? command : one)) };
        if (site.commands.length >= most)
          throw new HostRefusal('TOO_MANY', 'The site already has the maximum ' + 'number of commands.', { most });
        return { ...site, commands: [...site.commands, command] };
      });
      return ended(isChanged);
    },
    'commands.remove': async (ref, { id }) => {
      const isChanged = await keeper.change(ref, (site) => {
        const commands = site.commands.filter((one) => one.id !== id);
        return commands.length === site.commands.length ? site : { ...site, commands };
      });
      await runs.forget(keeper.require(ref), id);
      return ended(isChanged);
    },
    'commands.of': async (ref) => {
      const site = keeper.require(ref);
      const commands = await Promise.all(
        site.commands.map(async (command) => {
          const [last] = await runs.of(site, command.id);
          return { ...command, last: last ? { began: last.began, seconds: last.seconds, exit: last.exit } : null };
        }),
      );
      return answered({ commands, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    },
    'commands.run': async (ref, { id }, { stop }) => {
      const site = requireOpen(keeper.require(ref));
      const command = site.commands.find((one) => one.id === id);
      if (!command) throw new HostRefusal('COMMAND_MISSING', 'The command does not exist on this site.');
      return answered(await clock.run(site, command, stop));
    },
    'commands.settle': async (ref, { seconds }) => answered({ ended: await clock.drain(keeper.require(ref), seconds * 1_000) }),
    'commands.runs': async (ref, { id }) => answered({ runs: await runs.of(keeper.require(ref), id) }),
  };
}

function requireSchedule(schedule: string): void {
  try {
    parseCron(schedule);
  } catch (error) {
    throw new HostRefusal('COMMAND_SCHEDULE', messageOf(error));
  }
}
