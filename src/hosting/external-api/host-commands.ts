import { Injectable } from '@nestjs/common';

import type { RateClass } from '../../auth/index.js';
import { loggerFor, type TextRef } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { AccountStore, PAUSE_REASON } from '../accounts/index.js';
import type { HostingAccount, HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { LoginLinks } from '../login-links/index.js';

import { InvalidFieldError, expiryOf, quotaOfFields, type ExternalFields } from './external-form.js';
import { causeOf, done, refused, type Outcome } from './external-replies.js';
import { API_SOURCE, statusData } from './external-status.js';

const log = loggerFor('external-api');

const REQUEST_ID = /^[\x21-\x7e]{1,63}$/;
const PROVISION_QUOTA = { webMb: 'webdx', databaseMb: 'sqldx', trafficGb: 'sizemax', domains: 'ymbds' } as const;
const NEW_QUOTA = { webMb: 'websize', databaseMb: 'sqlsize', trafficGb: 'll', domains: 'ymbds' } as const;

/** An operation for callers that have authenticated with the node's key. */
export interface HostCommand {
  /** Rate limit class. */
  readonly rate: RateClass;
  /** Whether it changes something and is therefore written to the operation log. */
  readonly changes: boolean;
  readonly run: (node: HostingNode, fields: ExternalFields) => Promise<Outcome>;
}

const change = (run: HostCommand['run']): HostCommand => ({ rate: 'provisioning', changes: true, run });
const query = (run: HostCommand['run']): HostCommand => ({ rate: 'provisioning', changes: false, run });

/** Commands of the provisioning API on hosts, by `gn`. Source: docs/panel-api.md "Provisioning API". */
@Injectable()
export class HostCommands {
  readonly byName: Readonly<Record<string, HostCommand>> = {
    cfif: query(() => Promise.resolve(done('api_connected'))),
    kt: change((node, fields) => this.open(node, fields)),
    zt: change((node, fields) => this.pause(node, fields)),
    jc: change((node, fields) => this.unpause(node, fields)),
    tz: change((node, fields) => this.terminate(node, fields)),
    xf: change((node, fields) => this.renew(node, fields)),
    czmm: change((node, fields) => this.changePassword(node, fields)),
    zjmode: change((node, fields) => this.setQuota(node, fields)),
    start: change((node, fields) => this.switchSite(node, fields, 'start')),
    stop: change((node, fields) => this.switchSite(node, fields, 'stop')),
    ztcx: query((node, fields) => this.status(node, fields)),
    dl: change((node, fields) => this.loginLink(node, fields)),
  };

  constructor(
    private readonly hosting: HostingService,
    private readonly store: AccountStore,
    private readonly config: AppConfig,
    private readonly links: LoginLinks,
  ) {}

  /** Issues a single-use sign-in link. */
  private async loginLink(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const { url, ttl } = await this.links.issue(await this.idOf(node, fields));
    return done('api_login_link', { url, ttl });
  }

  private async open(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const { username = '', password = '', qqh = '' } = fields;
    if (qqh !== '' && !REQUEST_ID.test(qqh)) throw new InvalidFieldError('hosting.api_request_id');
    const request = {
      node: node.code,
      user: username,
      password,
      expiresOn: expiryOf(fields.dqtime, this.config.timezone),
      ...quotaOfFields(fields, PROVISION_QUOTA),
      ...(qqh ? { idempotencyKey: qqh } : {}),
    };
    try {
      const { host, created } = await this.hosting.open(request, API_SOURCE);
      log.info({ account: host.id, node: node.code, created }, 'opened through the API');
      return done('api_opened');
    } catch (error) {
      const isOurs = error instanceof HostingError && error.code === 'ACCOUNT_EXISTS' && (await this.find(node, fields));
      if (isOurs) return refused('api_opened_before');
      throw error;
    }
  }

  private async pause(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    await this.hosting.pause(await this.idOf(node, fields), PAUSE_REASON.api, API_SOURCE);
    return done('api_paused');
  }

  /**
   * Ends only the pause set by a shop. If the host then remains paused only for expiry, this is a success, because billing systems unpause
   * first and renew afterwards. If it remains paused for any other reason, it is a rejection.
   */
  private async unpause(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const host = await this.hosting.unpause(await this.idOf(node, fields), PAUSE_REASON.api, API_SOURCE);
    if (host.status !== 'paused') return done('api_unpaused');
    if (host.pauseReasons.every((reason) => reason === PAUSE_REASON.expiry)) return done('api_unpaused_expired');
    return refused('api_still_paused', { reasons: host.pauseReasons.map(reasonText) });
  }

  private async terminate(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    try {
      await this.hosting.terminate(await this.idOf(node, fields), API_SOURCE);
      return done('api_deleted');
    } catch (error) {
      if (error instanceof HostingError) return refused('api_delete_failed', { text: causeOf(error) });
      throw error;
    }
  }

  private async renew(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const expiresOn = expiryOf(fields.setdate, this.config.timezone);
    await this.hosting.renew(await this.idOf(node, fields), expiresOn, API_SOURCE);
    return done('api_renewed');
  }

  private async changePassword(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    await this.hosting.changePassword(await this.idOf(node, fields), fields.password ?? '');
    return done('api_password');
  }

  /**
   * Rejects a request without any limit: a module that sends only changed fields may have no field for the changed limit, so a success
   * would be wrong.
   */
  private async setQuota(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const quota = quotaOfFields(fields, NEW_QUOTA);
    const id = await this.idOf(node, fields);
    if (Object.keys(quota).length === 0) return refused('api_quota_none');
    // Limits set by a billing system are its own package, and end the package bought in the panel's shop.
    const terms = { limits: quota, packageKey: null };
    await this.hosting.changeTerms(id, { termsOf: () => Promise.resolve(terms) }, API_SOURCE);
    return done('api_quota_set');
  }

  private async switchSite(node: HostingNode, fields: ExternalFields, to: 'start' | 'stop'): Promise<Outcome> {
    const id = await this.idOf(node, fields);
    try {
      await this.hosting[to](id);
      return done(to === 'start' ? 'api_started' : 'api_stopped');
    } catch (error) {
      if (!(error instanceof HostingError) || error.code === 'ACCOUNT_PAUSED' || error.code === 'ACCOUNT_NOT_FOUND') throw error;
      return refused(to === 'start' ? 'api_start_failed' : 'api_stop_failed', { text: causeOf(error) });
    }
  }

  /** Success only for a host that exists or is being created; for a failed or deleted one, the shop has to act. */
  private async status(node: HostingNode, fields: ExternalFields): Promise<Outcome> {
    const account = await this.find(node, fields);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    const data = statusData(account, node, this.config.timezone);
    if (account.state === 'failed') return refused('api_status_failed', {}, data);
    if (account.state === 'terminating') return refused('api_status_terminating', {}, data);
    return done('read', data);
  }

  private async idOf(node: HostingNode, fields: ExternalFields): Promise<number> {
    const account = await this.find(node, fields);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return account.id;
  }

  /** Ignores an account of another node. */
  private async find(node: HostingNode, fields: ExternalFields): Promise<HostingAccount | null> {
    const userKey = (fields.username ?? '').toLowerCase();
    const account = await this.store.findByUser(userKey);
    // Compared again in code, because collations may ignore trailing spaces.
    return account?.nodeCode === node.code && account.userKey === userKey ? account : null;
  }
}

/** Describes a pause reason, and how to end it. */
function reasonText(reason: string): TextRef {
  const known: readonly string[] = Object.values(PAUSE_REASON);
  return { key: known.includes(reason) ? `hosting.api_reason_${reason}` : 'hosting.api_reason_other', params: { reason } };
}
