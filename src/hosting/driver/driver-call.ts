import { errorMessage, loggerFor } from '../../common/index.js';

import type { DriverAccount, DriverResult, HostDriver, SiteStatus } from './host-driver.js';

const log = loggerFor('hosting');

/** How long one call to a server may take. */
export const DRIVER_DEADLINE_MS = 30_000;

/** Tells whether a driver call succeeded; `already` counts. */
export function succeeded<Value>(result: DriverResult<Value>): result is { readonly outcome: 'ok' | 'already'; readonly value: Value } {
  return result.outcome === 'ok' || result.outcome === 'already';
}

/** Runs one call with its deadline; what it throws, and a deadline that passes, is `unknown`. */
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
 * Runs a call whose outcome must be known: an `unknown` one is followed by `sync`, and only when that answers is the call
 * repeated, once, unless `isDone` sees in the answer (null: the site is not there) that it took effect.
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
  // The first call may have taken effect: a second one that was refused or did not arrive says nothing about it.
  return second.outcome === 'refused' || second.outcome === 'unreachable' ? { ...second, outcome: 'unknown' } : second;
}
