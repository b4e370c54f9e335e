import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { legacyTime, localeOf } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { ListInput, ListReply, Operation, RowId, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { CertificateOrder, SiteCertificate } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { refuse } from './certificate-errors.js';
import { daysLeft, problemWords } from './certificate-words.js';
import { SiteCertificateService } from './site-certificate-service.js';
import { CertificateRepository } from './certificate-repository.js';

class RenewInput {
  /** Id of the host. */
  @RowId() id!: number;
}

/** Certificates of all sites. Source: docs/panel-api.md "Certificates". */
@Injectable()
export class CertificateListOperations {
  constructor(
    private readonly database: Database,
    private readonly access: SiteAccess,
    private readonly repository: CertificateRepository,
    private readonly service: SiteCertificateService,
    private readonly clock: ZonedClock,
  ) {}

  /** Lists certificates, those that expire first at the top. */
  @Operation({ side: 'admin', gn: 'listssl', auth: 'admin', input: ListInput, audit: null, rate: 'read', servers: 'listed' })
  async list(input: ListInput, ctx: CallContext): Promise<ListReply> {
    const servers = accessOf(ctx.admin).servers ?? null;
    const query = this.database
      .repository(SiteCertificate)
      .createQueryBuilder('c')
      .innerJoinAndSelect('c.account', 'a')
      .orderBy('c.endsAt', 'ASC')
      .addOrderBy('c.accountId', 'ASC')
      .skip((input.page - 1) * input.limit)
      .take(input.limit);
    if (servers) query.innerJoin('a.node', 'n').where(servers.length > 0 ? 'n.id IN (:...servers)' : '1 = 0', { servers });
    const [rows, total] = await query.getManyAndCount();
    const problems = await this.problemsOf(rows.map(({ accountId }) => accountId));
    const zone = this.clock.timezone;
    const now = this.clock.now();
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      rows.map((row) => {
        const order = problems.get(row.accountId);
        return {
          id: row.accountId,
          user: row.account?.username ?? '',
          server: row.account?.nodeCode ?? '',
          names: row.names.join(', '),
          source: row.source,
          issuer: row.issuer,
          ends_at: legacyTime(row.endsAt, zone),
          days: daysLeft(row, now),
          renews_at: row.renewAt ? legacyTime(row.renewAt, zone) : '',
          state: stateOf(row, order, now),
          error: order ? problemWords(order, locale) : '',
        };
      }),
    );
  }

  /** Reorders the certificate of a site before it is due. */
  @Operation({
    side: 'admin',
    gn: 'xqssl',
    auth: 'admin',
    input: RenewInput,
    audit: 'certificates.audit_ordered_of',
    rate: 'expensive',
    servers: { of: 'host', field: 'id' },
  })
  async renew({ id }: RenewInput, ctx: CallContext): Promise<SuccessReply> {
    const site = await this.access.ofHost(id);
    const present = (await this.repository.of(id)) ?? refuse('NONE');
    if (present.source !== 'acme') refuse('NOT_ORDERED');
    const names = await this.service.order(site, [], true, ctx.admin?.username);
    return new SuccessReply('certificates.ordered', { names }, { names: names.join(', '), host: site.account.username });
  }

  /** Returns the newest order of each site. */
  private async problemsOf(accountIds: readonly number[]): Promise<Map<number, CertificateOrder>> {
    if (accountIds.length === 0) return new Map();
    const rows = await this.database
      .repository(CertificateOrder)
      .createQueryBuilder('o')
      .where('o.accountId IN (:...accountIds)', { accountIds })
      .orderBy('o.id', 'ASC')
      .getMany();
    return new Map(rows.map((row) => [row.accountId, row]));
  }
}

function stateOf({ endsAt, revokedAt, renewFailures }: SiteCertificate, order: CertificateOrder | undefined, now: Date): string {
  if (endsAt <= now) return 'ended';
  if (revokedAt) return 'revoked';
  if (renewFailures > 0) return 'failing';
  return order?.state === 'open' ? 'ordering' : 'fine';
}
