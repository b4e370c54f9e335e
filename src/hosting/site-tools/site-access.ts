import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { ServerScopes } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AccountDrivers, AccountStore, checkAllowed, PAUSE_REASON } from '../accounts/index.js';
import { isExpired, lastDayOf } from '../calendar.js';
import { SWITCHING, type HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { OpenSite, patienceOf } from './open-site.js';
import type { MaybeHost } from './site-operations.js';

/** Purpose of opening a site; `read` changes nothing. */
export type SiteUse = 'read' | 'change';

/**
 * Single entry point for access to a site's server. Checks ownership and whether the site may be used now. Owners can read whenever they
 * may sign in, so that they can always get their data, and change the site while it is in service, or over its quota, so that they can
 * clean up. Administrators can do both while the site exists.
 */
@Injectable()
export class SiteAccess {
  private readonly moving;

  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly clock: ZonedClock,
    private readonly scopes: ServerScopes,
    database: Database,
  ) {
    this.moving = database.statement(
      `SELECT {SiteMove.id} AS id FROM {SiteMove}
       WHERE {SiteMove.busy} = ? AND {SiteMove.state} IN ('closing', '${SWITCHING}', 'returning')`,
    );
  }

  /**
   * Opens the site of the signed-in user.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, SITE_EXPIRED, SITE_PAUSED, NODE_NOT_FOUND, DRIVER_MISSING; SITE_MOVING for a
   * change while the site is stopped for a move to another server
   */
  async ofOwner(ctx: CallContext, use: SiteUse): Promise<OpenSite> {
    const account = await this.existing(ctx.user?.id ?? 0);
    if (use === 'change') {
      this.checkInService(account);
      await this.requireNotMoving(account.id);
    }
    return this.open(account, ctx);
  }

  /**
   * Opens a site for an administrator. The operation must have checked which sites are allowed (`servers`).
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, NODE_NOT_FOUND, DRIVER_MISSING
   */
  async ofHost(id: number, ctx?: CallContext): Promise<OpenSite> {
    return this.open(await this.existing(id), ctx);
  }

  /**
   * Opens the site of a call: the caller's own, or the one an administrator names, within the allowed servers. Determined by the side of
   * the call, never by its content.
   *
   * @throws HostingError as {@link ofOwner} and {@link ofHost}; ACCOUNT_NOT_FOUND for a site on another server
   */
  async of(input: MaybeHost, ctx: CallContext, use: SiteUse): Promise<OpenSite> {
    if (ctx.scope !== 'admin') return this.ofOwner(ctx, use);
    const { id } = await this.scopes.confine({ of: 'host', field: 'id' }, accessOf(ctx.admin), { id: String(input.id ?? 0) });
    if (use === 'change') await this.requireNotMoving(Number(id) || 0);
    return this.ofHost(Number(id) || 0, ctx);
  }

  /** Changes made now would be lost on the old server. */
  private async requireNotMoving(id: number): Promise<void> {
    if (await this.moving.get(id)) throw new HostingError('SITE_MOVING');
  }

  private async existing(id: number): Promise<HostingAccount> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return account;
  }

  private checkInService(account: HostingAccount): void {
    const { state, pauseReasons } = account;
    const today = this.clock.today();
    if (isExpired(lastDayOf(account), today) || pauseReasons.includes(PAUSE_REASON.expiry)) throw new HostingError('SITE_EXPIRED');
    if (state === 'paused' && pauseReasons.some((reason) => reason !== PAUSE_REASON.quota)) throw new HostingError('SITE_PAUSED');
  }

  private async open(account: HostingAccount, ctx?: CallContext): Promise<OpenSite> {
    checkAllowed('measure', account.state);
    return new OpenSite(account, await this.drivers.of(account), patienceOf(ctx));
  }
}
