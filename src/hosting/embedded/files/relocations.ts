import { rename } from 'node:fs/promises';

import { FileProblem, type Relocation } from '../../driver/index.js';

import { type Folder, problemOf } from './folder.js';
import { requireFree, type SiteArea } from './site-area.js';
import { newName, partsOf, presentName, refuseInside } from './site-path.js';

/** Renames an entry of a folder. A change of case only is allowed. */
export function renameIn(area: SiteArea, folder: string, from: string, to: string): Promise<void> {
  presentName(from);
  newName(to);
  return area.withLock(() =>
    area.use(partsOf(folder), async (open) => {
      await requireThere(open, from);
      await requireFree(open, to);
      await rename(open.at(from), open.at(to)).catch((error: unknown) => {
        throw problemOf(error);
      });
    }),
  );
}

/**
 * Moves entries into another folder: all of them, or none if one cannot be moved. Safe to retry after an interruption: an entry missing
 * here and present there counts as moved.
 */
export function moveTo(area: SiteArea, wanted: Relocation): Promise<number> {
  const from = partsOf(wanted.from);
  const to = partsOf(wanted.to);
  const names = wanted.names.map(presentName);
  for (const name of names) refuseInside([...from, name], to, name);
  return area.withLock(() =>
    area.use(from, (source) =>
      area.use(to, async (target) => {
        const left: string[] = [];
        for (const name of names) {
          if ((await source.stat(name)) === null && (await target.stat(name)) !== null) continue;
          await requireThere(source, name);
          await requireFree(target, name);
          left.push(name);
        }
        for (const name of left) {
          await rename(source.at(name), target.at(name)).catch((error: unknown) => {
            throw problemOf(error);
          });
        }
        return names.length;
      }),
    ),
  );
}

/** @throws FileProblem MISSING */
export async function requireThere(folder: Folder, name: string): Promise<void> {
  if ((await folder.stat(name)) === null) throw new FileProblem('MISSING', { name });
}
