import * as fs from 'node:fs/promises';
import path from 'node:path';

import { finishSwitch } from './switch-site.js';
import { putFolder } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import { groupOf, type SiteUser } from './system-users.js';

/**
 * Folders of a site. The home belongs to root, as sshd requires for a chroot, so that nobody can replace its entries. `public` is the web
 * root, which nginx reads as its group; other sites cannot. Everything else is private to the site.
 */
export class SiteFolders {
  constructor(private readonly config: Pick<HostingConfig, 'root' | 'archives' | 'proofs' | 'webUser'>) {}

  /** Returns the home folder of a site. */
  home({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.root, user);
  }

  /** Returns the web root. */
  web(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), 'public');
  }

  /** Folder in which the site's user unpacks a backup during a restore. */
  restoring(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), 'work', 'restoring');
  }

  /**
   * Folder of restored files before they go live ({@link leaving} for the replaced ones): inside the home, where the site's user cannot
   * write.
   */
  coming(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), '.coming');
  }

  /** @see coming */
  leaving(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), '.leaving');
  }

  /** Folder of its backup archives, inaccessible to code of the site. */
  archives({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.archives, user);
  }

  /** Folder of its ACME challenge files. */
  proofs({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.proofs, user);
  }

  /** Creates the folders all sites share. */
  async prepare(): Promise<void> {
    for (const [folder, mode] of [
      [this.config.root, 0o711],
      [this.config.archives, 0o700],
      [this.config.proofs, 0o755],
    ] as const) {
      await fs.mkdir(folder, { recursive: true, mode: 0o755 });
      await putFolder(folder, { mode });
    }
  }

  /** Creates the folders of a site or corrects their owners and modes. */
  async make(site: SiteUser): Promise<void> {
    const { uid } = site;
    const web = await this.webGroup();
    const home = this.home(site);
    // The site's user can list it, also over SFTP; others such as nginx can only pass through.
    await putFolder(home, { mode: 0o751, gid: uid });
    await finishSwitch(this, site);
    await this.show(this.web(site), site);
    for (const name of ['work', 'trash', 'tmp', 'sessions', 'adminer'])
      await putFolder(path.join(home, name), { mode: 0o700, uid, gid: uid });
    await putFolder(path.join(home, 'logs'), { mode: 0o750, gid: uid });
    await putFolder(this.archives(site), { mode: 0o700 });
    await putFolder(this.proofs(site), { mode: 0o750, gid: web });
  }

  /** Grants nginx access to a folder that is or becomes the web root. */
  async show(folder: string, { uid }: SiteUser): Promise<void> {
    await putFolder(folder, { mode: 0o750, uid, gid: await this.webGroup() });
  }

  private async webGroup(): Promise<number> {
    const web = await groupOf(this.config.webUser);
    if (web === null) throw new HostRefusal('MISSING_PROGRAM', `There is no group ${this.config.webUser}: nginx is not installed.`);
    return web;
  }

  /** Removes everything of a site; its processes have been stopped before. */
  async remove(site: Pick<SiteUser, 'user'>): Promise<void> {
    for (const folder of [this.archives(site), this.proofs(site), this.home(site)]) await fs.rm(folder, { recursive: true, force: true });
  }
}
