import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { ListInput, RowId, WholeNumber } from '../../operations/index.js';
import { MAX_BACKUPS } from '../accounts/index.js';
import type { SiteBackupFrequency, SiteBackup } from '../entities/index.js';

/** Values of the schedule of a site; empty: the default of the installation's settings. */
const SCHEDULES = ['', 'off', 'daily', 'weekly'] as const;

/** Fields of `sitebackup_list`. */
export class SiteBackupListInput extends ListInput {}

/** Identifies a backup. */
export class SiteBackupInput {
  /** Its id in the list. */
  @RowId() bf!: number;
}

/** Has no fields of its own. */
export class OwnSiteInput {}

/** Fields of `sitebackup_plan`. */
export class SiteBackupPlanInput {
  @IsIn(SCHEDULES) zq!: '' | SiteBackupFrequency;
}

/** Fields of `sitebackup_set`; an omitted one leaves its setting unchanged. */
export class SiteBackupSettingInput {
  /** Maximum backups of a host without its own limit. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'sitebackup.field_count' })
  @Min(0, { message: 'sitebackup.field_count' })
  @Max(MAX_BACKUPS, { message: 'sitebackup.field_count' })
  bf_max?: number;
  /** Schedule of sites without their own. */
  @IsOptional() @IsIn(['off', 'daily', 'weekly']) bf_zq?: SiteBackupFrequency;
  /** Location of future backups. */
  @IsOptional() @IsIn(['disk', 's3']) bf_wz?: SiteBackup['place'];
  @VersionField() row_version?: string;
}

/** Fields of `sitebackup_test`. */
export class SiteBackupTestInput {
  /** Location to test. */
  @IsIn(['disk', 's3']) bf_wz!: SiteBackup['place'];
}
