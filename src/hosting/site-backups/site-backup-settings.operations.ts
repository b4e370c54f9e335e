import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { checkVersion, nextVersion } from '../../http/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { driverError } from '../accounts/index.js';
import { callDriver, DriverNodes, DriverRegistry, succeeded } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';
import { shownSize } from '../files/index.js';

import { SiteBackupError, siteBackupError } from './backup-errors.js';
import { SiteBackupSettingInput, SiteBackupTestInput } from './backup-inputs.js';
import { SiteBackupStorage } from './backup-storage.js';

/** Timeout of a storage test, in milliseconds. */
const TRY_MS = 20_000;

/** Returns the current values of the `sitebackup_set` fields, as the settings page shows them. */
export const siteBackupForm = (site: SiteSettings['current']) => ({
  bf_max: site.siteBackupLimit,
  bf_zq: site.siteBackupSchedule,
  bf_wz: site.siteBackupPlace,
});

/** Settings of site backups: their storage, and the defaults of hosts. Source: docs/panel-api.md "Backups of sites". */
@Injectable()
export class SiteBackupSettingOperations {
  constructor(
    private readonly site: SiteSettings,
    private readonly storage: SiteBackupStorage,
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly nodes: DriverNodes,
  ) {}

  /** @throws SiteBackupError NO_BUCKET */
  @Operation({
    side: 'admin',
    gn: 'sitebackup_set',
    auth: 'admin',
    input: SiteBackupSettingInput,
    audit: 'sitebackup.audit_set',
    rate: 'write',
  })
  async set({ bf_max, bf_zq, bf_wz, row_version }: SiteBackupSettingInput): Promise<SuccessReply> {
    if (bf_wz === 's3' && this.storage.shown === null) throw new SiteBackupError('NO_BUCKET', {}, { bf_wz: 'sitebackup.no_bucket' });
    const values = { siteBackupLimit: bf_max, siteBackupSchedule: bf_zq, siteBackupPlace: bf_wz };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.site.change(given, (row) => checkVersion(row_version, siteBackupForm(row)));
    return new SuccessReply('sitebackup.saved', nextVersion(row_version, siteBackupForm(this.site.current)));
  }

  /** Writes, reads and removes a test file at the location. */
  @Operation({
    side: 'admin',
    gn: 'sitebackup_test',
    auth: 'admin',
    input: SiteBackupTestInput,
    audit: 'sitebackup.audit_test',
    rate: 'expensive',
  })
  async test({ bf_wz }: SiteBackupTestInput): Promise<SuccessReply> {
    if (bf_wz === 's3') {
      await this.storage.check(`check-${Date.now().toString(36)}`, AbortSignal.timeout(TRY_MS));
      return new SuccessReply('sitebackup.storage_works', {}, { place: bf_wz });
    }
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true }, order: { id: 'ASC' }, take: 100 });
    const found: string[] = [];
    for (const node of nodes) {
      const backups = this.drivers.find(node.driver)?.backups;
      if (!backups) continue;
      const result = await callDriver((deadline) => backups.check(this.nodes.of(node), deadline), TRY_MS);
      if (!succeeded(result)) throw result.outcome === 'refused' && result.problem ? siteBackupError(result.problem) : driverError(result);
      found.push(`${node.code}: ${shownSize(result.value.free)}`);
    }
    if (found.length === 0) throw new SiteBackupError('NO_SERVER');
    return new SuccessReply('sitebackup.disk_works', { free: found }, { place: bf_wz, free: found.join(', ') });
  }
}
