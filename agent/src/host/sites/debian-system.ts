import * as fs from 'node:fs/promises';
import path from 'node:path';

import type { Certificates } from '../certificates/certificates.js';
import type { AdminerAccess } from '../database/adminer-access.js';
import type { Databases } from '../database/databases.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import type { Nginx } from '../nginx/nginx.js';
import type { SitePaths } from '../nginx/site-paths.js';
import type { PhpPools } from '../php/php-pools.js';
import type { Sftp } from '../sftp/sftp.js';
import type { SiteFolders } from '../users/site-folders.js';
import type { SystemUsers } from '../users/system-users.js';
import type { HostRefusal } from '../refusal.js';
import type { SiteSystem } from './site-keeper.js';
import type { SiteRecord } from '../records/site-record.js';

/** Dependencies of {@link DebianSystem}. */
export interface DebianParts {
  readonly config: HostingConfig;
  readonly users: SystemUsers;
  readonly folders: SiteFolders;
  readonly php: PhpPools;
  readonly nginx: Nginx;
  readonly sftp: Sftp;
  readonly databases: Databases;
  readonly certificates: Certificates;
  readonly door: AdminerAccess;
}

/** Applies sites on Debian: user, folders, PHP pool, virtual hosts, SFTP and databases. */
export class DebianSystem implements SiteSystem {
  constructor(private readonly parts: DebianParts) {}

  /** Sets up what all sites share; runs first at every start. */
  async prepare(): Promise<void> {
    const { config, users, folders, php, nginx, sftp, door } = this.parts;
    for (const folder of [config.settings, config.run]) await fs.mkdir(folder, { recursive: true, mode: 0o755 });
    await users.prepare();
    await folders.prepare();
    await php.prepare();
    await php.ensureRunning();
    const adminer = await door.prepare();
    await nginx.prepare(new Map(adminer === null ? [] : [['adminer.conf', adminer]]));
    await sftp.prepare();
  }

  async apply(site: SiteRecord): Promise<void> {
    const { users, folders, php, nginx, sftp, databases, certificates } = this.parts;
    await users.make(site);
    await folders.make(site);
    await php.apply(site);
    // A site in the bin is not served, so that its domains are free for other sites.
    if (site.isKept) await nginx.drop(site, this.paths(site));
    else await nginx.apply(site, this.paths(site));
    await php.tidy(site);
    await sftp.apply(site);
    await databases.apply(site);
    await certificates.tidy(site);
  }

  /**
   * Rewrites the virtual hosts of applied sites in the format of this agent version.
   *
   * @returns errors of sites this version cannot express any more; they keep their files
   * @throws HostRefusal `CONFIG`: no file is changed
   */
  renew(sites: readonly SiteRecord[]): Promise<Map<SiteRecord, HostRefusal>> {
    return this.parts.nginx.renew(sites.filter(({ isKept, isLeaving }) => !isKept && !isLeaving).map((site) => [site, this.paths(site)]));
  }

  async hide(site: SiteRecord): Promise<void> {
    await this.parts.nginx.drop(site, this.paths(site));
  }

  async remove(site: SiteRecord): Promise<void> {
    const { users, folders, php, sftp, databases, certificates } = this.parts;
    await this.hide(site);
    await php.tidy({ ...site, php: null, databases: [] });
    await sftp.drop(site);
    await databases.dropAll(site);
    await users.endProcesses(site);
    await users.remove(site);
    await certificates.tidy({ ...site, certificate: null });
    await folders.remove(site);
  }

  /** Returns the paths of a site. */
  paths(site: SiteRecord): SitePaths {
    const { config, folders, php, certificates } = this.parts;
    return {
      web: folders.web(site),
      logs: path.join(folders.home(site), 'logs'),
      proofs: folders.proofs(site),
      socket: php.socket(site),
      certificate: certificates.folder(site),
      passwords: path.join(config.settings, 'nginx', 'passwords', site.user),
    };
  }
}
