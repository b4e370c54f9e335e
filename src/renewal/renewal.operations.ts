import { Injectable } from '@nestjs/common';

import { localeOf, toFen, toYuan } from '../common/index.js';
import { HostingService } from '../hosting/index.js';
import { TOP_UP_SCENE, TopUps } from '../ledger/index.js';
import { ListReply, NoInput, Operation, SuccessReply } from '../operations/index.js';
import { OrderSending, payPagePath, type Order } from '../payment/index.js';
import { Database } from '../database/index.js';
import type { CallContext } from '../sdk/index.js';

import { RenewalError } from './errors.js';
import { RenewalOffers, type DatedOffer } from './renewal-offers.js';
import { RenewalOrders } from './renewal-orders.js';
import { HostRenewalInput, OffersInput, PlaceOrderInput } from './renewal.inputs.js';

/** Renewing hosts by orders, from both sides. Source: docs/panel-api.md "Renewals". */
@Injectable()
export class RenewalOperations {
  constructor(
    private readonly renewals: RenewalOrders,
    private readonly offers: RenewalOffers,
    private readonly hosting: HostingService,
    private readonly topUps: TopUps,
    private readonly sending: OrderSending,
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
  offersOf({ id }: OffersInput): Promise<ListReply<object>> {
    return this.listed(id);
  }

  /** What the own host may be renewed for. */
  @Operation({ side: 'user', gn: 'xfjg', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  ownOffers(_input: NoInput, ctx: CallContext): Promise<ListReply<object>> {
    return this.listed(ctx.user!.id);
  }

  /** Orders a renewal of the own host, whose price is computed here, or a top-up of the own credit. */
  @Operation({ side: 'user', gn: 'xdd', auth: 'user', input: PlaceOrderInput, audit: 'renewal.audit_ordered', rate: 'order' })
  async place({ scene, zq, rmb, qqh, ff }: PlaceOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = ctx.user!;
    const asked = { request: qqh === '' ? undefined : `account:${id}:${qqh}`, ip: ctx.ip };
    const locale = localeOf(ctx.locale);
    const order =
      scene === TOP_UP_SCENE
        ? await this.topUps.create({ owner: { account: id }, amount: toFen(rmb)!, ...asked }, locale)
        : await this.renewals.create({ hostId: id, months: zq, ...asked }, locale);
    return this.answer(order, ff === '' || order.status !== 'unpaid' ? {} : await this.sending.send(order, ff, ctx.ip));
  }

  /** Orders a renewal in the name of a host's owner, who pays it; at the offer's price, or at one that is agreed on. */
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
    const request = qqh === '' ? undefined : `admin:${ctx.admin!.id}:${qqh}`;
    const order = await this.renewals.create({ hostId: id, months: zq, amount, request, ip: ctx.ip }, localeOf(ctx.locale));
    const { number, user, ownerId, scene, name } = order;
    this.database.noteChange({ of: 'order', id: order.id }, null, {
      number,
      user,
      hostId: ownerId,
      scene,
      name,
      amount: toYuan(order.amount),
    });
    return this.answer(order, { redirect: `/admin/order?id=${order.id}` });
  }

  private async listed(id: number): Promise<ListReply<object>> {
    const host = await this.hosting.get(id);
    if (!host) throw new RenewalError('HOST_MISSING');
    const offers = await this.offers.of(host);
    return new ListReply(offers.length, offers.map(offerRow));
  }

  private answer(order: Order, more: object): SuccessReply {
    const { id, number, name, user, amount, status, scene } = order;
    const way =
      status === 'unpaid' ? { redirect: payPagePath(order), pay_path: payPagePath(order) } : { redirect: `/user/order?ddh=${number}` };
    const rmb = toYuan(amount);
    const text = scene === TOP_UP_SCENE ? 'ledger.ordered' : 'renewal.ordered';
    return new SuccessReply(text, { id, ddh: number, rmb, ...way, ...more }, { user, name, rmb });
  }
}

/** An offer on the wire. */
export function offerRow({ months, amount, name, until }: DatedOffer): { zq: number; name: string; rmb: string; datae: string } {
  return { zq: months, name, rmb: toYuan(amount), datae: until };
}
