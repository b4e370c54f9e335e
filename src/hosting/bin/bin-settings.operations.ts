import { Injectable } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import { Operation, SuccessReply, WholeNumber } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';

import { binForm } from './bin-settings.js';

/** Longest time deleted sites may be kept, in days. */
const MAX_DAYS = 365;

/** Fields of `hsqsz`. */
export class BinSettingsInput {
  /** Days deleted sites are kept. */
  @WholeNumber() @IsInt() @Min(1) @Max(MAX_DAYS) hsts!: number;
  @VersionField() row_version?: string;
}

/** How long deleted sites are kept. Source: docs/panel-api.md "Recycle bin". */
@Injectable()
export class BinSettingsOperations {
  constructor(private readonly site: SiteSettings) {}

  /** Sets how long sites deleted from now on are kept. @throws StaleForm */
  @Operation({
    side: 'admin',
    gn: 'hsqsz',
    auth: 'admin',
    input: BinSettingsInput,
    audit: 'hosting.audit_bin_settings',
    rate: 'write',
    secondProof: true,
  })
  async save({ hsts, row_version }: BinSettingsInput): Promise<SuccessReply> {
    await this.site.change({ binDays: hsts }, (row) => checkVersion(row_version, binForm(row)));
    const extras = nextVersion(row_version, binForm(this.site.current));
    return new SuccessReply('hosting.bin_saved', extras, { n: hsts });
  }
}
