import * as fs from 'node:fs/promises';

import { codeOf } from '../../errors.js';
import { HostRefusal } from '../refusal.js';
import type { SiteUser } from './system-users.js';

/** Folders needed for a switch; implemented by `SiteFolders`. */
interface SwitchFolders {
  web(site: SiteUser): string;
  restoring(site: SiteUser): string;
  coming(site: SiteUser): string;
  leaving(site: SiteUser): string;
  show(folder: string, site: SiteUser): Promise<void>;
}

/**
 * Replaces a site's files with the restored ones. They are checked where the site's user can no longer change them: only a folder of that
 * user may become the web root. After a crash, {@link finishSwitch} does the rest.
 */
export async function switchSite(folders: SwitchFolders, site: SiteUser): Promise<void> {
  const coming = folders.coming(site);
  await fs.rename(folders.restoring(site), coming);
  const stat = await fs.lstat(coming);
  if (!stat.isDirectory() || stat.uid !== site.uid) {
    await fs.unlink(coming);
    throw new HostRefusal('BACKUP_DAMAGED', 'The unpacked archive is not a folder of the site.');
  }
  // Access is set before the rename makes the folder visible to visitors.
  await folders.show(coming, site);
  await fs.rename(folders.web(site), folders.leaving(site));
  await fs.rename(coming, folders.web(site));
}

/** Does the second rename after a crash between the two. {@link clearRestore} removes other remains. */
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

/** Empties a folder as the site's user, who owns it. */
type Empty = (folder: string) => Promise<unknown>;

/** Removes what a finished or interrupted switch left. */
export async function clearSwitch(folders: SwitchFolders, site: SiteUser, empty: Empty): Promise<void> {
  for (const left of [folders.coming(site), folders.leaving(site)]) await clear(left, empty);
}

/** Removes files that were unpacked but not switched. */
export async function clearUnpacked(folders: SwitchFolders, site: SiteUser, empty: Empty): Promise<void> {
  await clear(folders.restoring(site), empty);
}

/** Does both; called at the start, when no restore is running. */
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
