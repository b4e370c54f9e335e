import { Injectable } from '@nestjs/common';

import { localeOf, toFen, type Locale } from '../common/index.js';
import { refusal } from '../coupons/index.js';
import { TOP_UP_SCENE, TopUps } from '../ledger/index.js';
import { Operation, type SuccessReply } from '../operations/index.js';
import { CHANGE_SCENE, changeReply, PackageOrders } from '../packages/index.js';
import { orderMadeReply, OrderSending, type Order } from '../payment/index.js';
import { PROGRAM_SCENE, ProgramOrders } from '../programs/index.js';
import type { CallContext } from '../sdk/index.js';

import { RenewalOrders } from './renewal-orders.js';
import { PlaceOrderInput } from './renewal.inputs.js';
import { orderReply, renewalReply } from './renewal.operations.js';

/** The ordering account, the request id and the client address. */
interface Requester {
  readonly id: number;
  readonly request: string | undefined;
  readonly ip: string;
}

/** Orders of a host's owner: renewals, package changes, credit. Source: docs/panel-api.md "Renewals". */
@Injectable()
export class PlacingOperations {
  constructor(
    private readonly renewals: RenewalOrders,
    private readonly packages: PackageOrders,
    private readonly programs: ProgramOrders,
    private readonly topUps: TopUps,
    private readonly sending: OrderSending,
  ) {}

  /** Orders something for the caller's host at a price computed here, or a top-up of their credit. */
  @Operation({ side: 'user', gn: 'xdd', auth: 'user', input: PlaceOrderInput, audit: 'renewal.audit_ordered', rate: 'order' })
  async place(input: PlaceOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = ctx.user!;
    const requester = { id, request: input.qqh === '' ? undefined : `account:${id}:${input.qqh}`, ip: ctx.ip };
    const locale = localeOf(ctx.locale);
    if (input.scene === TOP_UP_SCENE && input.yhq !== '') throw refusal('COUPON_NOT_HERE');
    if (input.scene === CHANGE_SCENE) return this.change(input, requester, locale);
    if (input.scene === PROGRAM_SCENE) return this.program(input, requester, locale);
    if (input.scene === TOP_UP_SCENE) {
      const { id: account, ...more } = requester;
      const order = await this.topUps.create({ owner: { account }, amount: toFen(input.rmb)!, ...more }, locale);
      return orderReply(order, await this.sent(order, input.ff, ctx.ip, locale));
    }
    return this.renew(input, requester, locale);
  }

  private async renew({ zq, yhq, ff }: PlaceOrderInput, { id, ...requester }: Requester, locale: Locale): Promise<SuccessReply> {
    const placed = await this.renewals.place({ hostId: id, months: zq, coupon: yhq, ...requester }, 'user', locale);
    return renewalReply(placed, 'order' in placed ? await this.sent(placed.order, ff, requester.ip, locale) : { redirect: '/user/renew' });
  }

  private async change({ spid, rmb, yhq, ff }: PlaceOrderInput, { id, ...requester }: Requester, locale: Locale): Promise<SuccessReply> {
    const seen = rmb === '' ? undefined : toFen(rmb)!;
    const placed = await this.packages.place({ hostId: id, to: spid, seen, coupon: yhq, ...requester }, locale);
    return changeReply(placed, 'order' in placed ? await this.sent(placed.order, ff, requester.ip, locale) : {});
  }

  private async program(
    { spid, rmb, yhq: coupon, ff }: PlaceOrderInput,
    { id: hostId, ...requester }: Requester,
    locale: Locale,
  ): Promise<SuccessReply> {
    const seen = rmb === '' ? undefined : toFen(rmb)!;
    const order = await this.programs.place({ hostId, programId: /^\d{1,9}$/.test(spid) ? Number(spid) : 0, seen, coupon, ...requester });
    return orderMadeReply('programs.ordered', order, await this.sent(order, ff, requester.ip, locale));
  }

  /** Returns where to send the buyer if a payment method was chosen. */
  private async sent(order: Order, type: string, ip: string, locale: Locale): Promise<object> {
    return type === '' || order.status !== 'unpaid' ? {} : this.sending.send(order, type, ip, locale);
  }
}
