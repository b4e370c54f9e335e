import { Injectable } from '@nestjs/common';

import { localeOf, toFen, type Locale } from '../common/index.js';
import { Database } from '../database/index.js';
import { ListReply, NoInput, Operation, SuccessReply } from '../operations/index.js';
import { adminRequestKey, noteOrderMade, orderMadeReply } from '../payment/index.js';
import type { CallContext } from '../sdk/index.js';

import { CouponChanges } from './coupon-changes.js';
import { PackageError } from './errors.js';
import { PackageAssignment } from './package-assignment.js';
import { PackageChanges } from './package-changes.js';
import { PackageOrders, type ChangePlaced } from './package-orders.js';
import { packageRow, type PackageRow } from './package-rows.js';
import { AssignPackageInput, ChangeOrderInput, HostPackageInput, OwnPackagesInput } from './package.inputs.js';
import { PlannedPackages } from './planned-packages.js';

/** Package changes for administrators and owners. Source: docs/panel-api.md "Packages". */
@Injectable()
export class PackageOperations {
  constructor(
    private readonly changes: PackageChanges,
    private readonly coupons: CouponChanges,
    private readonly orders: PackageOrders,
    private readonly planned: PlannedPackages,
    private readonly assignment: PackageAssignment,
    private readonly database: Database,
  ) {}

  /** Lists possible packages of a host with their current prices. */
  @Operation({
    side: 'admin',
    gn: 'bgjg',
    auth: 'admin',
    input: HostPackageInput,
    audit: null,
    rate: 'read',
    servers: { of: 'host', field: 'id' },
  })
  offersOf({ id }: HostPackageInput, ctx: CallContext): Promise<ListReply<PackageRow>> {
    return this.listed(id, '', localeOf(ctx.locale));
  }

  /** As {@link offersOf} for the caller's own host, optionally with a coupon. */
  @Operation({ side: 'user', gn: 'bgjg', auth: 'user', input: OwnPackagesInput, audit: null, rate: 'read' })
  ownOffers({ yhq }: OwnPackagesInput, ctx: CallContext): Promise<ListReply<PackageRow>> {
    return this.listed(ctx.user!.id, yhq, localeOf(ctx.locale));
  }

  /** Orders a change on behalf of the owner, who pays it, or plans it for the next renewal. */
  @Operation({
    side: 'admin',
    gn: 'zjbgdd',
    auth: 'admin',
    input: ChangeOrderInput,
    audit: 'packages.audit_changed_for',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async placeFor({ id, spid, rmb, qqh }: ChangeOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const amount = rmb === undefined || rmb === '' ? undefined : toFen(rmb)!;
    const request = { hostId: id, to: spid, amount, request: adminRequestKey(qqh, ctx), ip: ctx.ip };
    const placed = await this.orders.place(request, localeOf(ctx.locale));
    if (!('order' in placed)) {
      this.database.noteChange({ of: 'host', id }, { plannedPackage: null }, { plannedPackage: placed.planned.name });
      return changeReply(placed, { redirect: `/admin/host-package?id=${id}` });
    }
    noteOrderMade(this.database, placed.order);
    return changeReply(placed, { redirect: `/admin/order?id=${placed.order.id}` });
  }

  /** Assigns a package to a host without an order, or removes its package. */
  @Operation({
    side: 'admin',
    gn: 'zjfptc',
    auth: 'admin',
    input: AssignPackageInput,
    audit: 'packages.audit_assigned',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async assign({ id, spid, rmb }: AssignPackageInput): Promise<SuccessReply> {
    const paid = rmb === '' ? undefined : toFen(rmb)!;
    const host = await this.assignment.assign({ hostId: id, to: spid === '' ? null : spid, paid });
    return new SuccessReply('packages.assigned', { id, spid }, { user: host.user, name: spid || '-' });
  }

  /** Cancels a planned change. */
  @Operation({
    side: 'admin',
    gn: 'bgqx',
    auth: 'admin',
    input: HostPackageInput,
    audit: 'packages.audit_cancelled_for',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  cancelFor({ id }: HostPackageInput): Promise<SuccessReply> {
    return this.cancelled(id);
  }

  /** As {@link cancelFor} for the caller's own host. */
  @Operation({ side: 'user', gn: 'bgqx', auth: 'user', input: NoInput, audit: 'packages.audit_cancelled', rate: 'write' })
  cancel(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.cancelled(ctx.user!.id);
  }

  private async cancelled(id: number): Promise<SuccessReply> {
    if (!(await this.planned.cancel(id))) throw new PackageError('NOTHING_PLANNED');
    return new SuccessReply('packages.cancelled', { id }, { id });
  }

  /** Returns an empty list for a host that cannot change; its page shows the reason. */
  private async listed(id: number, coupon: string, locale: Locale): Promise<ListReply<PackageRow>> {
    const subject = await this.changes.of(id).catch((error: unknown) => {
      if (error instanceof PackageError && error.code !== 'HOST_MISSING') return null;
      throw error;
    });
    const quotes = subject ? await this.coupons.of(subject, coupon, locale) : [];
    return new ListReply(
      quotes.length,
      quotes.map((quote) => packageRow(quote, locale)),
    );
  }
}

/** Response to a placed change. @param more additional fields, such as the redirect for an administrator */
export function changeReply(placed: ChangePlaced, more: { readonly redirect?: string } = {}): SuccessReply {
  if ('order' in placed) return orderMadeReply('packages.ordered', placed.order, more);
  const { host, name } = placed.planned;
  const data = { planned: true, name, datae: host.expiresOn, redirect: '/user/package', ...more };
  return new SuccessReply('packages.planned', data, { user: host.user, name, rmb: '0.00' });
}
