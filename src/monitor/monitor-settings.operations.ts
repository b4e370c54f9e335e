import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { checkVersion, nextVersion, VersionField } from '../http/index.js';
import { Operation, SuccessReply, Trimmed, WholeNumber } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';

import { NeutralTarget } from './runs/neutral-target.js';

/** Fields of `jksz` with their values, for its form. */
export const monitorSettingsForm = (site: SiteSettings['current']) => ({ jk_max: site.monitorLimit, neutral: site.monitorNeutral });

class MonitorSettingsInput {
  /** Monitor limit of accounts without their own limit. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(1_000) jk_max?: number;
  /** `host:port` or URL used to check the panel's own network; empty for none. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) neutral?: string;
  @VersionField() row_version?: string;
}

/** Settings of monitors. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class MonitorSettingsOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly neutral: NeutralTarget,
  ) {}

  /**
   * Changes the monitor limit of accounts without their own limit (existing monitors stay) and the target for checking the panel's network.
   *
   * @throws StaleForm
   */
  @Operation({ side: 'admin', gn: 'jksz', auth: 'admin', input: MonitorSettingsInput, audit: 'monitor.audit.settings', rate: 'write' })
  async changeSettings({ jk_max, neutral, row_version }: MonitorSettingsInput): Promise<SuccessReply> {
    if (neutral) await this.neutral.check(neutral);
    const values = {
      ...(jk_max === undefined ? {} : { monitorLimit: jk_max }),
      ...(neutral === undefined ? {} : { monitorNeutral: neutral }),
    };
    await this.settings.change(values, (row) => checkVersion(row_version, monitorSettingsForm(row)));
    const extras = nextVersion(row_version, monitorSettingsForm(this.settings.current));
    return new SuccessReply('monitor.saved', extras);
  }
}
