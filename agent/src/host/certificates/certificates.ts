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

/** Certificates of sites, for root alone, and what sites answer authorities with. */
export class Certificates {
  constructor(
    private readonly config: HostingConfig,
    private readonly folders: SiteFolders,
  ) {}

  /**
   * Folder of a site's certificate. One that is replaced stands beside it until nginx has read the new one: each has a folder by its hash.
   */
  folder({ user, certificate }: Pick<SiteRecord, 'user' | 'certificate'>): string {
    return path.join(this.config.settings, 'certificates', user, certificate?.sha256.slice(0, 16) ?? 'none');
  }

  /** What a record says of a certificate. @throws HostRefusal `CONFIG` where chain and key do not belong together */
  describe({ names, chain, key, forceHttps }: Certificate): NonNullable<SiteRecord['certificate']> {
    try {
      if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))) throw new Error('The key is of another certificate.');
    } catch (error) {
      throw new HostRefusal('CONFIG', `The certificate cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    }
    return { names, forceHttps, sha256: createHash('sha256').update(`${chain}\n${key}`).digest('hex') };
  }

  /** Puts a certificate where the virtual hosts of `site` look for it, before they do. */
  async put(site: SiteRecord, { chain, key }: Certificate): Promise<void> {
    const folder = this.folder(site);
    await fs.mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
    await putFolder(folder, { mode: 0o700 });
    await putFile(path.join(folder, 'chain.pem'), chain, { mode: 0o600 });
    await putFile(path.join(folder, 'key.pem'), key, { mode: 0o600 });
  }

  /** Removes certificates nobody reads any more. */
  async tidy(site: Pick<SiteRecord, 'user' | 'certificate'>): Promise<void> {
    const folder = path.dirname(this.folder(site));
    const kept = site.certificate ? path.basename(this.folder(site)) : null;
    for (const name of await fs.readdir(folder).catch((): string[] => []))
      if (name !== kept) await fs.rm(path.join(folder, name), { recursive: true, force: true });
    if (kept === null) await fs.rm(folder, { recursive: true, force: true });
  }

  /** Makes these the answers of a site. @returns whether they were others */
  async prove(site: SiteRecord, proofs: Proofs): Promise<boolean> {
    const gid = (await groupOf(this.config.webUser)) ?? 0;
    let folder = this.folders.proofs(site);
    for (const name of ['.well-known', 'acme-challenge']) await putFolder((folder = path.join(folder, name)), { mode: 0o750, gid });
    const wanted = new Map(proofs.map(({ token, answer }) => [token, answer]));
    let isChanged = false;
    for (const name of await fs.readdir(folder)) if (!wanted.has(name) && (await dropFile(path.join(folder, name)))) isChanged = true;
    for (const [token, answer] of wanted) if (await putFile(path.join(folder, token), answer, { mode: 0o640, gid })) isChanged = true;
    return isChanged;
  }
}
