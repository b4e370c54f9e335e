import { errorMessage, loggerFor } from '../../common/index.js';

import type { DriverAccount, DriverResult, HostDriver, SiteStatus } from './host-driver.js';

const log = loggerFor('hosting');

/** Timeout of one call to a server, in milliseconds. */
export const DRIVER_DEADLINE_MS = 30_000;

/** Returns whether a driver call succeeded; `already` counts. */
export function succeeded<Value>(result: DriverResult<Value>): result is { readonly outcome: 'ok' | 'already'; readonly value: Value } {
  return result.outcome === 'ok' || result.outcome === 'already';
}

/** Runs one call with a timeout; an exception or a timeout results in `unknown`. */
export async function callDriver<Value>(
  call: (deadline: AbortSignal) => Promise<DriverResult<Value>>,
  deadlineMs = DRIVER_DEADLINE_MS,
): Promise<DriverResult<Value>> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<DriverResult<Value>>((resolve) => {
    timer = setTimeout(() => {
      abort.abort();
      resolve({ outcome: 'unknown', message: 'timeout' });
    }, deadlineMs);
  });
  try {
    return await Promise.race([call(abort.signal), timeout]);
  } catch (error) {
    log.warn({ err: error }, 'a host driver threw');
    return { outcome: 'unknown', message: errorMessage(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a call whose outcome must be known. After `unknown`, `sync` is called, and only if it answers is the call repeated, once, unless
 * `isDone` concludes from its answer (null: the site does not exist) that the call took effect.
 */
export async function callUntilCertain<Value>(
  driver: HostDriver,
  account: DriverAccount,
  call: (deadline: AbortSignal) => Promise<DriverResult<Value>>,
  isDone: (status: SiteStatus | null) => DriverResult<Value> | null = () => null,
): Promise<DriverResult<Value>> {
  const first = await callDriver(call);
  if (first.outcome !== 'unknown') return first;
  const status = await callDriver((deadline) => driver.sync(account, deadline));
  if (!succeeded(status) && status.outcome !== 'not_found') return first;
  const done = isDone(succeeded(status) ? status.value : null);
  if (done) return done;
  const second = await callDriver(call);
  // The first call may have taken effect: a second one that is refused or does not arrive does not prove otherwise.
  return second.outcome === 'refused' || second.outcome === 'unreachable' ? { ...second, outcome: 'unknown' } : second;
}
