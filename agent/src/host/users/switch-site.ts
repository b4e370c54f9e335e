import * as fs from 'node:fs/promises';

import { codeOf } from '../../errors.js';
import { HostRefusal } from '../refusal.js';
import type { SiteUser } from './system-users.js';

/** Where a switch finds things: `SiteFolders`. */
interface SwitchFolders {
  web(site: SiteUser): string;
  restoring(site: SiteUser): string;
  coming(site: SiteUser): string;
  leaving(site: SiteUser): string;
  show(folder: string, site: SiteUser): Promise<void>;
}

/**
 * Makes what was unpacked beside the files of a site its files. What its user made is looked at where that user does not reach it any more:
 * nothing but a folder of that user becomes one that visitors see. Killed in the middle, {@link finishSwitch} does the rest.
 */
export async function switchSite(folders: SwitchFolders, site: SiteUser): Promise<void> {
  const coming = folders.coming(site);
  await fs.rename(folders.restoring(site), coming);
  const stat = await fs.lstat(coming);
  if (!stat.isDirectory() || stat.uid !== site.uid) {
    await fs.unlink(coming);
    throw new HostRefusal('BACKUP_DAMAGED', 'What was unpacked is no folder of the site.');
  }
  // Before it has its name: from then on visitors see it.
  await folders.show(coming, site);
  await fs.rename(folders.web(site), folders.leaving(site));
  await fs.rename(coming, folders.web(site));
}

/** Does the second step where a crash came between both. What else one leaves, {@link clearRestore} clears away. */
export async function finishSwitch(folders: SwitchFolders, site: SiteUser): Promise<void> {
  const isThere = await fs.lstat(folders.web(site)).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await fs.rename(folders.coming(site), folders.web(site)).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/** Removes what is in a folder, as the user of the site, whose it is. */
type Empty = (folder: string) => Promise<unknown>;

/** Clears away what a switch has left, or one that did not come to its end. */
export async function clearSwitch(folders: SwitchFolders, site: SiteUser, empty: Empty): Promise<void> {
  for (const left of [folders.coming(site), folders.leaving(site)]) await clear(left, empty);
}

/** Clears away what was unpacked and is not switched. */
export async function clearUnpacked(folders: SwitchFolders, site: SiteUser, empty: Empty): Promise<void> {
  await clear(folders.restoring(site), empty);
}

/** Both; at the start, when no backup is being put back. */
export async function clearRestore(folders: SwitchFolders, site: SiteUser, empty: Empty): Promise<void> {
  await clearUnpacked(folders, site, empty);
  await clearSwitch(folders, site, empty);
}

async function clear(left: string, empty: Empty): Promise<void> {
  const stat = await fs.lstat(left).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (stat?.isDirectory()) {
    await empty(left);
    await fs.rmdir(left);
  } else if (stat) await fs.unlink(left);
}
