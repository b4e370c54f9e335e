import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { ListInput, RowId, WholeNumber } from '../../operations/index.js';
import { MAX_BACKUPS } from '../accounts/index.js';
import type { BackupSchedule, SiteBackup } from '../entities/index.js';

/** What sets how often a site is backed up; empty: as often as the settings of the installation say. */
const SCHEDULES = ['', 'off', 'daily', 'weekly'] as const;

/** Fields of `sitebackup_list`. */
export class SiteBackupListInput extends ListInput {}

/** Names one backup. */
export class SiteBackupInput {
  /** Its id in the list. */
  @RowId() bf!: number;
}

/** No field of its own. */
export class OwnSiteInput {}

/** Fields of `sitebackup_plan`. */
export class SiteBackupPlanInput {
  @IsIn(SCHEDULES) zq!: '' | BackupSchedule;
}

/** Fields of `sitebackup_set`; one that is not sent leaves its setting as it is. */
export class SiteBackupSettingInput {
  /** How many backups a host without a limit of its own may have. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'sitebackup.field_count' })
  @Min(0, { message: 'sitebackup.field_count' })
  @Max(MAX_BACKUPS, { message: 'sitebackup.field_count' })
  bf_max?: number;
  /** How often sites are backed up whose owners say nothing. */
  @IsOptional() @IsIn(['off', 'daily', 'weekly']) bf_zq?: BackupSchedule;
  /** Where backups made from now on are kept. */
  @IsOptional() @IsIn(['disk', 's3']) bf_wz?: SiteBackup['place'];
  @VersionField() row_version?: string;
}

/** Fields of `sitebackup_test`. */
export class SiteBackupTestInput {
  /** Which place. */
  @IsIn(['disk', 's3']) bf_wz!: SiteBackup['place'];
}
