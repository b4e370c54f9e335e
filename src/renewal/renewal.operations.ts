import { Injectable } from '@nestjs/common';

import { localeOf, toFen, toYuan } from '../common/index.js';
import { TOP_UP_SCENE } from '../ledger/index.js';
import { ListReply, Operation, SuccessReply } from '../operations/index.js';
import { adminRequestKey, noteOrderMade, orderMadeReply, type Order } from '../payment/index.js';
import { Database } from '../database/index.js';
import type { CallContext } from '../sdk/index.js';

import { CouponOffers, type CouponOffered } from './coupon-offers.js';
import { RenewalOrders, type RenewalPlaced } from './renewal-orders.js';
import { HostRenewalInput, OffersInput, OwnOffersInput } from './renewal.inputs.js';

/** Renewal operations of both sides. Source: docs/panel-api.md "Renewals". */
@Injectable()
export class RenewalOperations {
  constructor(
    private readonly renewals: RenewalOrders,
    private readonly offers: CouponOffers,
    private readonly database: Database,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'xfjg',
    auth: 'admin',
    input: OffersInput,
    audit: null,
    rate: 'read',
    servers: { of: 'host', field: 'id' },
  })
  async offersOf({ id }: OffersInput, ctx: CallContext): Promise<ListReply<object>> {
    return this.listed(id, '', ctx);
  }

  /** Lists the renewal offers of the caller's host, optionally with a coupon. */
  @Operation({ side: 'user', gn: 'xfjg', auth: 'user', input: OwnOffersInput, audit: null, rate: 'read' })
  ownOffers({ yhq }: OwnOffersInput, ctx: CallContext): Promise<ListReply<object>> {
    return this.listed(ctx.user!.id, yhq, ctx);
  }

  /** Orders a renewal in the name of a host's owner, who pays it; at the offer's price or an agreed one. */
  @Operation({
    side: 'admin',
    gn: 'zjxfdd',
    auth: 'admin',
    input: HostRenewalInput,
    audit: 'renewal.audit_ordered_for',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async placeFor({ id, zq, rmb, qqh }: HostRenewalInput, ctx: CallContext): Promise<SuccessReply> {
    const amount = rmb === undefined || rmb === '' ? undefined : toFen(rmb)!;
    const request = { hostId: id, months: zq, amount, request: adminRequestKey(qqh, ctx), ip: ctx.ip };
    const placed = await this.renewals.place(request, 'admin', localeOf(ctx.locale));
    if (!('order' in placed)) {
      this.database.noteChange({ of: 'host', id }, { expiresOn: placed.renewed.host.expiresOn }, { expiresOn: placed.renewed.until });
      return renewalReply(placed, { redirect: `/admin/host?id=${id}` });
    }
    noteOrderMade(this.database, placed.order);
    return renewalReply(placed, { redirect: `/admin/order?id=${placed.order.id}` });
  }

  private async listed(id: number, coupon: string, ctx: CallContext): Promise<ListReply<object>> {
    const offers = await this.offers.of(id, coupon, localeOf(ctx.locale));
    return new ListReply(offers.length, offers.map(offerRow));
  }
}

/** Response to an order of a renewal or of credit. */
export function orderReply(order: Order, more: object): SuccessReply {
  return orderMadeReply(order.scene === TOP_UP_SCENE ? 'ledger.ordered' : 'renewal.ordered', order, more);
}

/** Response to a renewal. @param more where the caller continues */
export function renewalReply(placed: RenewalPlaced, more: object): SuccessReply {
  if ('order' in placed) return orderReply(placed.order, more);
  const { host, until } = placed.renewed;
  return new SuccessReply('renewal.renewed', { datae: until, ...more }, { user: host.user, day: until, name: until, rmb: '0.00' });
}

/**
 * Returns an offer on the wire: `yj` is its price, `yh` the discount, `rmb` the amount to pay; `mf` whether it is free, `datek` the first
 * day on which it is available, if in the future.
 */
export function offerRow({ months, amount, discount, name, until, from, refused }: CouponOffered): object {
  const yj = toYuan(amount);
  return {
    zq: months,
    name,
    yj,
    yh: toYuan(discount),
    rmb: toYuan(amount - discount),
    yhbz: refused,
    datae: until,
    ...(amount === 0 ? { mf: true } : {}),
    ...(from === undefined ? {} : { datek: from }),
  };
}
