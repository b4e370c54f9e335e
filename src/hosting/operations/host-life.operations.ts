import { Injectable } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { SuccessReply, Operation } from '../../operations/index.js';
import type { CallContext, HostRecord } from '../../sdk/index.js';
import { PAUSE_REASON } from '../accounts/index.js';
import { renewedDay } from '../calendar.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { LoginLinks } from '../login-links/index.js';
import { NEVER } from '../wire/index.js';

import { reasonWords } from './admin-reason.js';
import { expiryField } from './expiry-field.js';
import { withFormNames } from './form-names.js';
import { HostOperationError } from './host-errors.js';
import { HostIdInput, HostPasswordInput, HostQuotaInput, RenewHostInput } from './host-inputs.js';
import { HostRows } from './host-rows.js';

/** Life cycle operations on a host by administrators. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostLifeOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly rows: HostRows,
    private readonly links: LoginLinks,
    private readonly clock: ZonedClock,
  ) {}

  /** Pauses a host after a scan; the user sees that reason when signing in. */
  @Operation({
    side: 'admin',
    gn: 'zjztwj',
    auth: 'admin',
    input: HostIdInput,
    audit: 'hosting.audit_pause_scan',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async pauseForScan({ id }: HostIdInput): Promise<SuccessReply> {
    return this.answer('hosting.paused', await this.hosting.pause(id, PAUSE_REASON.scan, 'admin'));
  }

  /** Ends only the pause set after a scan, which nothing else ends. */
  @Operation({
    side: 'admin',
    gn: 'zjjcwj',
    auth: 'admin',
    input: HostIdInput,
    audit: 'hosting.audit_resume_scan',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async resumeAfterScan({ id }: HostIdInput, ctx: CallContext): Promise<SuccessReply> {
    const before = await this.existing(id);
    if (!before.pauseReasons.includes(PAUSE_REASON.scan)) throw new HostOperationError('NOT_PAUSED_BY_SCAN');
    const host = await this.hosting.unpause(id, PAUSE_REASON.scan, 'admin');
    if (host.pauseReasons.length === 0) return this.answer('hosting.resumed', host);
    return this.answer('hosting.still_paused', host, { reasons: reasonWords(host.pauseReasons, localeOf(ctx.locale)) });
  }

  @Operation({
    side: 'admin',
    gn: 'zjxf',
    auth: 'admin',
    input: RenewHostInput,
    audit: 'hosting.audit_renew',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async renew({ id, datae, ts }: RenewHostInput): Promise<SuccessReply> {
    if ((ts === undefined) === (datae === '')) throw new HostOperationError('INVALID_FIELDS', {}, { datae: 'hosting.field_date_or_days' });
    const renewed = ts === undefined ? this.hosting.renew(id, expiryField(datae, this.clock.timezone), 'admin') : this.renewByDays(id, ts);
    const host = await renewed;
    return this.answer('hosting.renewed', host, { datae: host.expiresOn ?? NEVER });
  }

  /** Adds days to the last day, or to today if that has passed; a concurrent renewal is rejected. */
  private async renewByDays(id: number, days: number): Promise<HostRecord> {
    const { expiresOn: from } = await this.existing(id);
    if (from === null) throw new HostOperationError('NEVER_EXPIRES');
    const to = renewedDay(from, days, this.clock.today());
    return this.hosting.renew(id, to, 'admin', ({ expiresOn }) => {
      if (expiresOn !== from) throw new HostOperationError('MOVED_MEANWHILE', { day: expiresOn ?? NEVER });
    });
  }

  @Operation({
    side: 'admin',
    gn: 'zjczmm',
    auth: 'admin',
    input: HostPasswordInput,
    audit: 'hosting.audit_password',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async changePassword({ id, pass }: HostPasswordInput): Promise<SuccessReply> {
    return this.answer('hosting.password_changed', await withFormNames(() => this.hosting.changePassword(id, pass)));
  }

  @Operation({
    side: 'admin',
    gn: 'zjmode',
    also: ['zjbg'],
    auth: 'admin',
    input: HostQuotaInput,
    audit: 'hosting.audit_quota',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async changeQuota({ id, webkj, sqlkj, ll, ymbds, jk_max, bf_max }: HostQuotaInput): Promise<SuccessReply> {
    const quota = { webMb: webkj, databaseMb: sqlkj, trafficGb: ll, domains: ymbds, monitors: jk_max, backups: bf_max };
    if (Object.values(quota).every((value) => value === undefined)) throw new HostOperationError('NOTHING_GIVEN');
    return this.answer('hosting.changed', await this.hosting.setQuota(id, quota, 'admin'));
  }

  /** Starts the web site alone; the state of the host does not change, so a paused host must be resumed first. */
  @Operation({
    side: 'admin',
    gn: 'zjqd',
    auth: 'admin',
    input: HostIdInput,
    audit: 'hosting.audit_site_start',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async start({ id }: HostIdInput): Promise<SuccessReply> {
    return this.answer('hosting.site_started', await this.hosting.start(id));
  }

  /** Stops the web site alone; files, domains and the owner's sign-in are not affected. */
  @Operation({
    side: 'admin',
    gn: 'zjtd',
    auth: 'admin',
    input: HostIdInput,
    audit: 'hosting.audit_site_stop',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async stop({ id }: HostIdInput): Promise<SuccessReply> {
    return this.answer('hosting.site_stopped', await this.hosting.stop(id));
  }

  /** Issues a single-use link to sign in as the host's owner. */
  @Operation({
    side: 'admin',
    gn: 'zjdl',
    auth: 'admin',
    input: HostIdInput,
    audit: 'hosting.audit_login_link',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async loginLink({ id }: HostIdInput): Promise<SuccessReply> {
    const { user } = await this.existing(id);
    const { url, ttl } = await this.links.issue(id);
    return new SuccessReply('hosting.login_link', { url, ttl }, { user, seconds: ttl });
  }

  private async existing(id: number): Promise<HostRecord> {
    const host = await this.hosting.get(id);
    if (!host) throw new HostingError('ACCOUNT_NOT_FOUND');
    return host;
  }

  private async answer(text: string, host: HostRecord, params: Record<string, string> = {}): Promise<SuccessReply> {
    return new SuccessReply(text, await this.rows.row(host.id), { user: host.user, ...params });
  }
}
