import { Injectable } from '@nestjs/common';

import { DEFAULT_LOCALE, isLocale, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Done, Operation, Page, Verbatim, type OperationReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { BadField, expiryOf } from '../external-api/external-form.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { SitesAddress } from '../sites/sites-address.js';
import { hostRow } from '../wire/host-row.js';

import { AddHostInput, HostListInput } from './host-inputs.js';
import { HostList, readSearch } from './host-list.js';

/** Reason of a pause an administrator made. */
export const ADMIN_REASON = 'admin';

/** The administrators' operations on hosting accounts. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class AdminHostOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly list: HostList,
    private readonly sites: SitesAddress,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listzj', auth: 'admin', input: HostListInput, audit: null })
  async listHosts(input: HostListInput, ctx: CallContext): Promise<OperationReply> {
    const search = readSearch(input.where);
    if (typeof search === 'string') {
      const locale = isLocale(ctx.locale) ? ctx.locale : DEFAULT_LOCALE;
      return new Verbatim({ code: 4, msg: translate(locale, `hosting.${search}`) });
    }
    const { page, limit, sort, sortOrder, ss: text, btdh: nodeCode, zjzt: state } = input;
    const { total, rows } = await this.list.page({ page, limit, sort, sortOrder, search, text, nodeCode, state });
    return new Page(
      total,
      rows.map((account) => hostRow(account, this.sites.urlOf(account.username), this.config.timezone)),
    );
  }

  @Operation({ side: 'admin', gn: 'addzj', auth: 'admin', input: AddHostInput, audit: 'hosting.audit_add' })
  async addHost(input: AddHostInput): Promise<Done> {
    const host = await this.hosting.provision(
      {
        node: input.btdh,
        user: input.user,
        password: input.pass,
        expiresOn: expiryFrom(input.datae),
        webMb: input.webkj,
        databaseMb: input.sqlkj,
        trafficGb: input.ll,
        domains: input.ymbds,
        idempotencyKey: input.qqh,
      },
      'admin',
    );
    if (input.kg === false) await this.hosting.pause(host.id, ADMIN_REASON, 'admin');
    return new Done('hosting.added', { id: host.id, user: host.user, url: host.url });
  }
}

function expiryFrom(text: string | undefined): string | null {
  try {
    return expiryOf(text);
  } catch (error) {
    if (error instanceof BadField) throw new HostingError('INVALID_INPUT', {}, { datae: 'hosting.field_date' });
    throw error;
  }
}
