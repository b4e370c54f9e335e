import type { DriverAccount, DriverResult } from '../host-driver.js';
import type { DriverTurn, SpaceMeter } from '../ports/index.js';

import type { Read } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { accountOf } from './told.js';

/** One call of a port. */
type Ask = <Value>(
  name: string,
  account: DriverAccount,
  deadline: AbortSignal,
  run: (account: DriverAccount, signal: AbortSignal) => unknown,
  read: Read<Value>,
  /** Of what the plugin is given: taken out of errors. */
  secrets?: readonly string[],
) => Promise<DriverResult<Value>>;

/** Calls of a port, each with the site it is about. */
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

/** Long work of a port, whose end is decided by who ordered it. */
export const workOf =
  (calls: DriverCalls, port: string): Work =>
  (name, account, { id, signal: until, progress }, run, read, secrets) => {
    const told = (done: unknown, total: unknown): void => progress(Math.max(0, Number(done) || 0), Math.max(0, Number(total) || 0));
    return calls.ask({
      name: `${port}.${name}`,
      node: account.node,
      until,
      run: (signal) => run(accountOf(account), { id, signal, progress: told }),
      read,
      kind: 'work',
      secrets,
    });
  };

/** What of the counter a plugin may touch; what it asks for is a number of bytes. */
export function meter(space: SpaceMeter): SpaceMeter {
  const amount = (given: number): number => {
    if (!Number.isSafeInteger(given) || given < 0) throw new TypeError('Space is counted in whole bytes.');
    return given;
  };
  return {
    take: async (given) => space.take(amount(given)),
    giveBack: async (given) => space.giveBack(amount(given)),
    fits: async (given) => space.fits(amount(given)),
  };
}
