import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { AppError, type ErrorShape } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingAccount, HostingNode, SiteDomain } from '../entities/index.js';

import { StatisticRepository } from './statistic-repository.js';

type ResetErrorCode = 'NO_SITE' | 'SITE_UNKNOWN';

const ERROR_MAP: Record<ResetErrorCode, ErrorShape> = {
  NO_SITE: { err: 'E_ARGS', text: 'sitestats.no_site' },
  SITE_UNKNOWN: { err: 'E_NOTEXIST', text: 'sitestats.site_unknown' },
};

/** Why the statistics of a site cannot be reset. */
class ResetError extends AppError<ResetErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Fields of `reset_sitestats`. */
export class ResetStatisticsInput {
  /** Code of the server; empty: any. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) node_id = '';
  /** User name of the host, the site's name on its server, or a domain bound to it. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) site = '';
}

/** Resets the visitor statistics of a site. Source: docs/panel-api.md "Statistics". */
@Injectable()
export class StatisticResetOperations {
  constructor(
    private readonly database: Database,
    private readonly repository: StatisticRepository,
  ) {}

  /** Counting continues from here; the raw logs are kept. */
  @Operation({
    side: 'admin',
    gn: 'reset_sitestats',
    auth: 'admin',
    input: ResetStatisticsInput,
    audit: 'sitestats.audit_reset',
    rate: 'write',
    numericCode: true,
    servers: 'listed',
  })
  async reset({ node_id, site }: ResetStatisticsInput, ctx: CallContext): Promise<SuccessReply> {
    if (site === '') throw new ResetError('NO_SITE', {}, { site: 'sitestats.no_site' });
    const host = await this.hostOf(site.toLowerCase());
    const node = host && (await this.database.repository(HostingNode).findOneBy({ code: host.nodeCode }));
    const { servers } = accessOf(ctx.admin);
    const isThere = node && (node_id === '' || node.codeKey === node_id.toLowerCase()) && (servers === null || servers.includes(node.id));
    if (!host || !isThere) throw new ResetError('SITE_UNKNOWN', { site }, { site: 'sitestats.site_unknown' });
    const deleted = await this.repository.forget(host.id);
    return new SuccessReply('sitestats.reset', { deleted }, { host: host.username, n: deleted });
  }

  private async hostOf(name: string): Promise<HostingAccount | null> {
    const hosts = this.database.repository(HostingAccount);
    const named = (await hosts.findOneBy({ userKey: name })) ?? (await hosts.findOneBy({ siteName: name }));
    if (named) return named;
    const domain = await this.database.repository(SiteDomain).findOneBy({ name });
    return domain && hosts.findOneBy({ id: domain.accountId });
  }
}
