import type { DriverResult, SpaceMeter } from '../../hosting/index.js';

/** Most a server is allowed to use more for one action whose need nobody knows before, in bytes. */
const MOST = 16 * 1024 ** 3;
/** Below this nothing is tried. */
const LEAST = 1024 ** 2;

const NO_SPACE = { outcome: 'refused', message: 'no space', problem: { code: 'NO_SPACE', params: {} } } as const;

/** Runs an action that may use so many bytes more; what it does not use is given back. */
export async function withSpace<Value extends { readonly space: number }>(
  meter: SpaceMeter,
  bytes: number,
  run: (space: number) => Promise<DriverResult<Value>>,
): Promise<DriverResult<Value>> {
  if (bytes > 0 && !(await meter.take(bytes))) return NO_SPACE;
  let used = 0;
  try {
    const result = await run(bytes);
    // What became of the rest the next measurement tells.
    if ('value' in result) used = result.value.space;
    return result;
  } finally {
    await meter.giveBack(Math.max(0, bytes - used));
  }
}

/** As {@link withSpace}, of an action whose need nobody knows before: as much as there is, within reason. */
export async function withAnySpace<Value extends { readonly space: number }>(
  meter: SpaceMeter,
  run: (space: number) => Promise<DriverResult<Value>>,
): Promise<DriverResult<Value>> {
  for (let bytes = MOST; bytes >= LEAST; bytes /= 2) if (await meter.fits(bytes)) return withSpace(meter, bytes, run);
  return withSpace(meter, 0, run);
}
