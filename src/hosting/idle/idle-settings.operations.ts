import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

import { Database } from '../../database/index.js';
import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import { Operation, SuccessReply, Switch, WholeNumber } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { DriverRegistry, type IdleSign } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';

import { IdleError } from './idle-errors.js';
import { idleForm } from './idle-settings.js';

/** Maximum days a host may be unused before an action. */
const MAX_DAYS = 3_650;

/** Fields of `jkscsz`; an omitted one leaves its setting unchanged. */
export class IdleSettingsInput {
  /** Whether the action is taken on hosts without a domain. */
  @IsOptional() @Switch() @IsBoolean() ymkg?: boolean;
  /** Whether their owners are reminded daily. */
  @IsOptional() @Switch() @IsBoolean() ymyjkg?: boolean;
  /** Days without a domain before the action. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MAX_DAYS) ymtsyz?: number;
  /** As {@link ymkg}, for hosts without files. */
  @IsOptional() @Switch() @IsBoolean() wjkg?: boolean;
  /** As {@link ymyjkg}, for hosts without files. */
  @IsOptional() @Switch() @IsBoolean() wjyjkg?: boolean;
  /** Days without files before the action. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MAX_DAYS) wjtsyz?: number;
  /** The action. */
  @IsOptional() @IsIn(['stop', 'del']) option?: 'stop' | 'del';
  @VersionField() row_version?: string;
}

/** Settings for unused hosts. Source: docs/panel-api.md "Hosts nobody uses". */
@Injectable()
export class IdleSettingsOperations {
  constructor(
    private readonly site: SiteSettings,
    private readonly drivers: DriverRegistry,
    private readonly database: Database,
  ) {}

  /** @throws IdleError UNTOLD_DOMAIN, UNTOLD_FILES, NO_MAIL; StaleForm */
  @Operation({
    side: 'admin',
    gn: 'jkscsz',
    auth: 'admin',
    input: IdleSettingsInput,
    audit: 'hosting.audit_idle_settings',
    rate: 'write',
    secondProof: true,
  })
  async save(input: IdleSettingsInput): Promise<SuccessReply> {
    const detectable = await this.detectableSigns();
    if ((input.ymkg || input.ymyjkg) && !detectable.has('domain'))
      throw new IdleError('UNTOLD_DOMAIN', {}, { ymkg: 'hosting.idle_untold_domain' });
    if ((input.wjkg || input.wjyjkg) && !detectable.has('files'))
      throw new IdleError('UNTOLD_FILES', {}, { wjkg: 'hosting.idle_untold_files' });
    const needsMail = input.ymkg || input.wjkg;
    if (needsMail && this.site.current.mailHost === '') throw new IdleError('NO_MAIL');
    const values = {
      idleDomainActs: input.ymkg,
      idleDomainReminds: input.ymyjkg,
      idleDomainDays: input.ymtsyz,
      idleFilesActs: input.wjkg,
      idleFilesReminds: input.wjyjkg,
      idleFilesDays: input.wjtsyz,
      idleDeed: input.option,
    };
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    await this.site.change(given, (row) => checkVersion(input.row_version, idleForm(row)));
    const extras = nextVersion(input.row_version, idleForm(this.site.current));
    return new SuccessReply('hosting.idle_saved', extras);
  }

  /** Returns the signs that at least one enabled server can detect. */
  private async detectableSigns(): Promise<Set<IdleSign>> {
    const nodes = await this.database.repository(HostingNode).find({ where: { enabled: true } });
    return new Set(nodes.flatMap((node) => this.drivers.idleSigns(node)));
  }
}
