import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { DriverTurn, FileActionResult, SpaceMeter } from '../../driver/index.js';

import { removeTree, type SiteArea, spend } from './site-area.js';
import type { SpacePurse } from './space-purse.js';

/** The two stages of the work. */
export interface StagedSteps {
  /** Makes everything, in a folder nobody sees. */
  readonly make: (folder: string, purse: SpacePurse) => Promise<FileActionResult>;
  /**
   * Puts what is in the folder where it belongs, in a turn of names. May begin anew with what is still there.
   *
   * @returns bytes of what was replaced
   */
  readonly put: (folder: string) => Promise<number>;
}

/**
 * Does work whole or not at all. What it makes lies in `work/job-<id>` until all of it is there, and in `work/put-<id>`
 * from then on: an attempt that was cut short is cleared away in the first case, and gone on with in the second, so that of
 * several things none is left behind.
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
    // What came of making it is the name of the folder: nothing beside the things themselves takes space.
    const [came = '0-0'] = await readdir(ready);
    await meter.giveBack(await area.turn(() => put(join(ready, came))));
    await rm(ready, { recursive: true, force: true });
    const [done, left] = came.split('-').map(Number);
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
    // What it holds was given back already.
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
