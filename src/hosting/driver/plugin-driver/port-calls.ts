import type { DriverAccount, DriverResult } from '../host-driver.js';
import type { DriverTurn, SpaceMeter } from '../ports/index.js';

import type { Read } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { accountOf } from './copies.js';

/** One call of a port. */
type Ask = <Value>(
  name: string,
  account: DriverAccount,
  deadline: AbortSignal,
  run: (account: DriverAccount, signal: AbortSignal) => unknown,
  read: Read<Value>,
  /** Secrets passed to the plugin, to be removed from errors. */
  secrets?: readonly string[],
) => Promise<DriverResult<Value>>;

/** Runs calls of a port for one site each. */
export const askOf =
  (calls: DriverCalls, port: string): Ask =>
  (name, account, until, run, read, secrets) =>
    calls.ask({ name: `${port}.${name}`, node: account.node, until, run: (signal) => run(accountOf(account), signal), read, secrets });

/** Long work of a port. */
type Work = <Value>(
  name: string,
  account: DriverAccount,
  turn: DriverTurn,
  run: (account: DriverAccount, turn: DriverTurn) => unknown,
  read: Read<Value>,
  secrets?: readonly string[],
) => Promise<DriverResult<Value>>;

/** Runs long work of a port, which only its caller ends. */
export const workOf =
  (calls: DriverCalls, port: string): Work =>
  (name, account, { id, signal: until, progress }, run, read, secrets) => {
    const report = (done: unknown, total: unknown): void => progress(Math.max(0, Number(done) || 0), Math.max(0, Number(total) || 0));
    return calls.ask({
      name: `${port}.${name}`,
      node: account.node,
      until,
      run: (signal) => run(accountOf(account), { id, signal, progress: report }),
      read,
      kind: 'work',
      secrets,
    });
  };

/** Restricts the space meter a plugin can access and validates its amounts. */
export function meter(space: SpaceMeter): SpaceMeter {
  const amount = (given: number): number => {
    if (!Number.isSafeInteger(given) || given < 0) throw new TypeError('The space must be a whole number of bytes.');
    return given;
  };
  return {
    take: async (given) => space.take(amount(given)),
    giveBack: async (given) => space.giveBack(amount(given)),
    fits: async (given) => space.fits(amount(given)),
  };
}
