import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import type { ActionArgs } from '../../../../src/agents/wire/actions.js';
import { dropFile, putFile, putFolder } from '../files.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import type { SiteRecord } from '../records/site-record.js';
import type { SiteFolders } from '../users/site-folders.js';
import { groupOf } from '../users/system-users.js';

type Certificate = NonNullable<ActionArgs<'certificate.apply'>['certificate']>;
type Proofs = ActionArgs<'proofs.apply'>['proofs'];

/** Certificates of sites, readable by root only, and the sites' ACME challenge files. */
export class Certificates {
  constructor(
    private readonly config: HostingConfig,
    private readonly folders: SiteFolders,
  ) {}

  /**
   * Folder of a site's certificate, named by its hash: a replaced certificate stays next to the new one until nginx has loaded the new one.
   */
  folder({ user, certificate }: Pick<SiteRecord, 'user' | 'certificate'>): string {
    return path.join(this.config.settings, 'certificates', user, certificate?.sha256.slice(0, 16) ?? 'none');
  }

  /** Returns what the site's record stores about a certificate. @throws HostRefusal `CONFIG` if chain and key do not match */
  describe({ names, chain, key, forceHttps }: Certificate): NonNullable<SiteRecord['certificate']> {
    try {
      if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(key)))
        throw new Error('The key does not belong to the certificate.');
    } catch (error) {
      throw new HostRefusal('CONFIG', `The certificate cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
    return { names, forceHttps, sha256: createHash('sha256').update(`${chain}\n${key}`).digest('hex') };
  }

  /** Writes a certificate before the virtual hosts of `site` refer to it. */
  async put(site: SiteRecord, { chain, key }: Certificate): Promise<void> {
    const folder = this.folder(site);
    await fs.mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
    await putFolder(folder, { mode: 0o700 });
    await putFile(path.join(folder, 'chain.pem'), chain, { mode: 0o600 });
    await putFile(path.join(folder, 'key.pem'), key, { mode: 0o600 });
  }

  /** Removes unused certificates. */
  async tidy(site: Pick<SiteRecord, 'user' | 'certificate'>): Promise<void> {
    const folder = path.dirname(this.folder(site));
    const kept = site.certificate ? path.basename(this.folder(site)) : null;
    for (const name of await fs.readdir(folder).catch((): string[] => []))
      if (name !== kept) await fs.rm(path.join(folder, name), { recursive: true, force: true });
    if (kept === null) await fs.rm(folder, { recursive: true, force: true });
  }

  /** Replaces a site's ACME challenge files. @returns whether anything changed */
  async prove(site: SiteRecord, proofs: Proofs): Promise<boolean> {
    const gid = (await groupOf(this.config.webUser)) ?? 0;
    let folder = this.folders.proofs(site);
    for (const name of ['.well-known', 'acme-challenge']) await putFolder((folder = path.join(folder, name)), { mode: 0o750, gid });
    const answers = new Map(proofs.map(({ token, answer }) => [token, answer]));
    let isChanged = false;
    for (const name of await fs.readdir(folder)) if (!answers.has(name) && (await dropFile(path.join(folder, name)))) isChanged = true;
    for (const [token, answer] of answers) if (await putFile(path.join(folder, token), answer, { mode: 0o640, gid })) isChanged = true;
    return isChanged;
  }
}
