import { ALREADY, type BinPort, DONE, type DriverAccount, type DriverResult } from '../driver/index.js';

import type { SiteFolders } from './site-folders.js';

const MISSING = { outcome: 'not_found' } as const;

/** Deleted sites on this machine: the unchanged folder, under `DATA_DIR/recycle`. */
export class EmbeddedBin implements BinPort {
  constructor(private readonly folders: SiteFolders) {}

  async has(kept: DriverAccount): Promise<DriverResult<boolean>> {
    return { outcome: 'ok', value: await this.folders.isKept(kept.siteName) };
  }

  async restore(kept: DriverAccount, account: DriverAccount): Promise<DriverResult> {
    const [there, present] = await Promise.all([this.folders.readKept(kept.siteName), this.folders.read(account.siteName)]);
    if (present && present.ownerMark !== account.ownerMark) return foreign(account);
    if (!there) return present?.restoredFrom === kept.siteName ? ALREADY : MISSING;
    // An interrupted restore may already have written the new owner's mark.
    if (there.ownerMark !== kept.ownerMark && there.ownerMark !== account.ownerMark) return foreign(kept);
    await this.folders.bringBack(kept.siteName, account.siteName, {
      ...there,
      ownerMark: account.ownerMark,
      siteId: present?.siteId ?? account.siteId,
      node: account.node.code,
      username: account.username,
      suspended: false,
      stopped: false,
      expiresOn: present ? present.expiresOn : there.expiresOn,
      restoredFrom: kept.siteName,
    });
    return DONE;
  }

  async purge(kept: DriverAccount): Promise<DriverResult> {
    const record = await this.folders.readKept(kept.siteName);
    if (record && record.ownerMark !== kept.ownerMark) return foreign(kept);
    return (await this.folders.purge(kept.siteName)) ? DONE : MISSING;
  }
}

function foreign({ siteName }: DriverAccount): { outcome: 'refused'; message: string } {
  return { outcome: 'refused', message: `The site ${siteName} belongs to another account.` };
}
