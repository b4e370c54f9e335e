import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { DriverTurn, FileActionResult, SpaceMeter } from '../../driver/index.js';

import { removeTree, type SiteArea, spend } from './site-area.js';
import type { SpacePurse } from './space-purse.js';

/** The two stages of an all-or-nothing action. */
export interface StagedSteps {
  /** Creates everything in a hidden folder. */
  readonly make: (folder: string, purse: SpacePurse) => Promise<FileActionResult>;
  /**
   * Moves the contents of the folder to their destination, holding the `names` lock. May be retried with the remaining contents.
   *
   * @returns bytes of the replaced files
   */
  readonly put: (folder: string) => Promise<number>;
}

/**
 * Runs an action all or nothing. Its output is in `work/job-<id>` until complete, then in `work/put-<id>`. A retry after an interruption
 * discards an incomplete output and continues moving a complete one, so that no entry is left behind.
 */
export async function runStaged(
  area: SiteArea,
  turn: DriverTurn,
  meter: SpaceMeter,
  { make, put }: StagedSteps,
): Promise<FileActionResult> {
  const ready = await area.unfinished(`put-${turn.id}`);
  if ((await lstat(ready).catch(() => null)) === null) await makeReady(area, ready, turn, meter, make);
  try {
    // The counts are stored as the folder's name, so that only the entries themselves take space.
    const [counts = '0-0'] = await readdir(ready);
    await meter.giveBack(await area.withLock(() => put(join(ready, counts))));
    await rm(ready, { recursive: true, force: true });
    const [done, left] = counts.split('-').map(Number);
    return { done: done!, left: left! };
  } catch (error) {
    await removeTree(ready, meter);
    throw error;
  }
}

async function makeReady(area: SiteArea, ready: string, turn: DriverTurn, meter: SpaceMeter, make: StagedSteps['make']): Promise<void> {
  const folder = await area.unfinished(`job-${turn.id}`);
  await removeTree(folder, meter);
  const things = join(folder, 'things');
  await mkdir(things, { recursive: true });
  try {
    await spend(meter, async (purse) => {
      const { done, left } = await make(things, purse);
      await rename(things, join(folder, `${done}-${left}`));
      await rename(folder, ready);
      return { value: undefined, freed: 0 };
    });
  } catch (error) {
    // Its space was already released.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
