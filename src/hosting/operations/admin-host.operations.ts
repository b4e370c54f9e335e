import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { DAY_MS, AppError, localeOf, startOfDay, translate, type TextRef } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { SuccessReply, Operation, ListReply, RawReply, type OperationReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { dayAfter } from '../calendar.js';
import { HostingService } from '../hosting.service.js';
import { SiteAccess } from '../site-tools/index.js';

import { ADMIN_REASON } from './admin-reason.js';
import { expiryField } from './expiry-field.js';
import { HostRows } from './host-rows.js';
import { withFormNames } from './form-names.js';
import { AddHostInput, ExportHostsInput, HostListInput } from './host-inputs.js';
import { readIds } from './id-list.js';
import { HostList, type HostQuery, readSearch } from './host-list.js';

/** Operations of administrators on hosting accounts. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class AdminHostOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly list: HostList,
    private readonly hostRows: HostRows,
    private readonly clock: ZonedClock,
    private readonly sites: SiteAccess,
  ) {}

  @Operation({ side: 'admin', gn: 'listzj', auth: 'admin', input: HostListInput, audit: null, rate: 'read', servers: 'listed' })
  async listHosts(input: HostListInput, ctx: CallContext): Promise<OperationReply> {
    const search = readSearch(input.where);
    if (typeof search === 'string') {
      return new RawReply({ code: 4, msg: translate(localeOf(ctx.locale), `hosting.${search}`) });
    }
    const { page, limit, sort, sortOrder, ss: text, btdh: nodeCode, zjzt: state, dq_days, kt_days } = input;
    const { timezone } = this.clock;
    const { total, rows } = await this.list.page({
      page,
      limit,
      sort,
      sortOrder,
      search,
      text,
      nodeCode,
      state,
      lastDay: lastDaysOf(dq_days, this.clock.today()),
      openedSince: kt_days === undefined ? undefined : startOfDay(new Date(this.clock.now().getTime() - (kt_days - 1) * DAY_MS), timezone),
      servers: accessOf(ctx.admin).servers,
      ids: input.idsz === undefined ? undefined : readIds(input.idsz).ids,
    });
    return new ListReply(total, await this.hostRows.rowsOf(rows));
  }

  /** Returns a link to download the result of `listzj` as a file. */
  @Operation({ side: 'admin', gn: 'zjdc', auth: 'admin', input: ExportHostsInput, audit: null, rate: 'read', servers: 'listed' })
  exportHosts({ ids, idsz, gs, btdh, zjzt, dq_days, kt_days, where, ss }: ExportHostsInput): SuccessReply {
    const chosen = ids || idsz;
    if (chosen) readIds(chosen);
    const given = { idsz: chosen, btdh, zjzt, dq_days, kt_days, where, ss, as: gs === 'json' ? gs : undefined };
    const search = new URLSearchParams({ export: 'hosts' });
    for (const [name, value] of Object.entries(given)) if (value !== undefined && value !== '') search.set(name, String(value));
    const url = `/admin/hosts?${search}`;
    return new SuccessReply('hosting.export_ready', { url, redirect: url });
  }

  @Operation({
    side: 'admin',
    gn: 'addzj',
    auth: 'admin',
    input: AddHostInput,
    audit: 'hosting.audit_add',
    rate: 'write',
    servers: { of: 'server-code', field: 'btdh' },
  })
  async addHost(input: AddHostInput): Promise<SuccessReply> {
    const request = {
      node: input.btdh,
      user: input.user,
      password: input.pass,
      expiresOn: expiryField(input.datae, this.clock.timezone),
      webMb: input.webkj,
      databaseMb: input.sqlkj,
      trafficGb: input.ll,
      domains: input.ymbds,
      monitors: input.jk_max,
      backups: input.bf_max,
      idempotencyKey: input.qqh,
      email: input.mailuser,
    };
    const host = await withFormNames(() => this.hosting.provision(request, 'admin'));
    const problem = input.php === undefined ? null : await this.usePhp(host.id, input.php.replace('.', ''));
    if (input.kg === false) await this.hosting.pause(host.id, ADMIN_REASON, 'admin');
    const extras = { id: host.id, user: host.user, url: host.url };
    return problem ? new SuccessReply('hosting.added_without_php', extras, { reason: problem }) : new SuccessReply('hosting.added', extras);
  }

  /**
   * Sets the PHP version after the host was created, because only then its server, and the versions there, are known.
   *
   * @returns the problem
   */
  private async usePhp(id: number, version: string): Promise<TextRef | null> {
    try {
      const site = await this.sites.ofHost(id);
      const versions = await site.ask('php', (port, { node }, deadline) => port.versions(node, deadline));
      if (!versions.includes(version)) {
        const there = versions.map((one) => one.replace(/^\d/, '$&.')).join(', ');
        if (versions.length === 0) return { key: 'hosting.php_none', params: { code: site.account.nodeCode } };
        return { key: 'hosting.php_others', params: { versions: there } };
      }
      await site.ask('php', (port, account, deadline) => port.use(account, version, deadline));
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.told;
      throw error;
    }
  }
}

/** Returns the range of last days for `dq_days`. */
function lastDaysOf(daysLeft: number | undefined, today: string): HostQuery['lastDay'] {
  if (daysLeft === undefined) return undefined;
  if (daysLeft < -1) return { from: dayAfter(today, daysLeft), to: dayAfter(today, -1) };
  return daysLeft < 0 ? { from: null, to: dayAfter(today, -1) } : { from: today, to: dayAfter(today, daysLeft) };
}
