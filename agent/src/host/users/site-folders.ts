import * as fs from 'node:fs/promises';
import path from 'node:path';

import { finishSwitch } from './switch-site.js';
import { putFolder } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import { groupOf, type SiteUser } from './system-users.js';

/**
 * The folder of a site: it belongs to root, as sshd asks of the root of a session, so that nobody can exchange what lies in it. `public` is
 * what visitors see; nginx gets in as its group, other sites do not. Everything else is the site's alone.
 */
export class SiteFolders {
  constructor(private readonly config: Pick<HostingConfig, 'root' | 'archives' | 'proofs' | 'webUser'>) {}

  /** The home of a site. */
  home({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.root, user);
  }

  /** What visitors see. */
  web(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), 'public');
  }

  /** Where its user unpacks a backup that is put back. */
  restoring(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), 'work', 'restoring');
  }

  /**
   * Where the files of a backup stand before they are its files, and where those go that were: in its home, where its user reaches neither.
   */
  coming(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), '.coming');
  }

  /** @see coming */
  leaving(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.home(site), '.leaving');
  }

  /** Archives of its backups, out of reach of what runs in the site. */
  archives({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.archives, user);
  }

  /** What it answers authorities with. */
  proofs({ user }: Pick<SiteUser, 'user'>): string {
    return path.join(this.config.proofs, user);
  }

  /** Makes what all sites share. */
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

  /** Makes the folders of a site, each as it is to be. */
  async make(site: SiteUser): Promise<void> {
    const { uid } = site;
    const web = await this.webGroup();
    const home = this.home(site);
    // Its user sees what is in it, by SFTP too; others only pass, as nginx does.
    await putFolder(home, { mode: 0o751, gid: uid });
    await finishSwitch(this, site);
    await this.show(this.web(site), site);
    for (const name of ['work', 'trash', 'tmp', 'sessions', 'adminer'])
      await putFolder(path.join(home, name), { mode: 0o700, uid, gid: uid });
    await putFolder(path.join(home, 'logs'), { mode: 0o750, gid: uid });
    await putFolder(this.archives(site), { mode: 0o700 });
    await putFolder(this.proofs(site), { mode: 0o750, gid: web });
  }

  /** Lets nginx into a folder of a site that is, or is to be, what visitors see. */
  async show(folder: string, { uid }: SiteUser): Promise<void> {
    await putFolder(folder, { mode: 0o750, uid, gid: await this.webGroup() });
  }

  private async webGroup(): Promise<number> {
    const web = await groupOf(this.config.webUser);
    if (web === null) throw new HostRefusal('MISSING_PROGRAM', `There is no group ${this.config.webUser}: nginx is not installed.`);
    return web;
  }

  /** Removes everything of a site; whoever could write there does not run any more. */
  async remove(site: Pick<SiteUser, 'user'>): Promise<void> {
    for (const folder of [this.archives(site), this.proofs(site), this.home(site)]) await fs.rm(folder, { recursive: true, force: true });
  }
}
