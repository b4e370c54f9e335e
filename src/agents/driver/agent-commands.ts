import { type CommandsPort, type DriverResult, MAX_COMMANDS } from '../../hosting/index.js';

import { isUnknown, mapped, type ServerCalls } from './server-calls.js';

/** Scheduled commands of sites on servers with an agent, which stores and runs them. */
export function agentCommands(calls: ServerCalls): CommandsPort {
  return {
    list: (account, deadline) => calls.site(account, 'commands.of', {}, deadline),
    put: async (account, command, deadline) =>
      limited(await calls.done(account, 'commands.put', { command, most: MAX_COMMANDS }, deadline)),
    remove: (account, id, deadline) => calls.done(account, 'commands.remove', { id }, deadline),
    run: (account, id, { signal }) => calls.site(account, 'commands.run', { id }, signal),
    // Older agents do not support this action; running commands end on their own.
    drain: async (account, seconds, signal) => {
      const drained = await calls.site(account, 'commands.settle', { seconds }, signal);
      return isUnknown(drained) ? { outcome: 'ok', value: 0 } : mapped(drained, ({ ended }) => ended);
    },
    runs: async (account, id, deadline) => mapped(await calls.site(account, 'commands.runs', { id }, deadline), ({ runs }) => runs),
  };
}

/** Maps the error code to the one of the port. */
function limited(result: DriverResult): DriverResult {
  if (result.outcome !== 'refused' || result.problem?.code !== 'TOO_MANY') return result;
  return { ...result, problem: { code: 'COMMAND_LIMIT', params: result.problem.params } };
}
