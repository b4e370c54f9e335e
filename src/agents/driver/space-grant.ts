import type { DriverResult, SpaceMeter } from '../../hosting/index.js';

/** Maximum space granted to an action of unknown size, in bytes. */
const MAX_GRANT = 16 * 1024 ** 3;
/** Minimum space to try with, in bytes. */
const MIN_GRANT = 1024 ** 2;

const NO_SPACE = { outcome: 'refused', message: 'no space', problem: { code: 'NO_SPACE', params: {} } } as const;

/** Runs an action with reserved space and returns the unused part. */
export async function withSpace<Value extends { readonly space: number }>(
  meter: SpaceMeter,
  bytes: number,
  run: (space: number) => Promise<DriverResult<Value>>,
): Promise<DriverResult<Value>> {
  if (bytes > 0 && !(await meter.take(bytes))) return NO_SPACE;
  let used = 0;
  try {
    const result = await run(bytes);
    // On failure the whole reservation is returned; the next measurement corrects it.
    if ('value' in result) used = result.value.space;
    return result;
  } finally {
    await meter.giveBack(Math.max(0, bytes - used));
  }
}

/** Like {@link withSpace} for an action of unknown size: reserves as much as is available, within limits. */
export async function withAnySpace<Value extends { readonly space: number }>(
  meter: SpaceMeter,
  run: (space: number) => Promise<DriverResult<Value>>,
): Promise<DriverResult<Value>> {
  for (let bytes = MAX_GRANT; bytes >= MIN_GRANT; bytes /= 2) if (await meter.fits(bytes)) return withSpace(meter, bytes, run);
  return withSpace(meter, 0, run);
}
