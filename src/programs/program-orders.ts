import { Injectable } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import { codeOf } from '../coupons/index.js';
import { ProgramCatalogue, ProgramFit, SiteAccess } from '../hosting/index.js';
import { OrderLimits, OrderPlacing, type Order } from '../payment/index.js';

import { ProgramOrderError } from './errors.js';

/** Scene of the orders that pay for a program. Source: spec plugins.md 8.4. */
export const PROGRAM_SCENE = 'yjbs';
/** Maximum length of an order's name. */
const MAX_NAME = 127;

/** Context of an order with {@link PROGRAM_SCENE}. */
export interface ProgramContext {
  readonly user: string;
  /** Id of the program. */
  readonly gmid: number;
  /** Id of the host. */
  readonly host: number;
}

/** Request to order a program for a site. */
export interface ProgramRequest {
  readonly hostId: number;
  readonly programId: number;
  /** Price shown on the page, in fen; the order is rejected if the price has changed. */
  readonly seen?: number;
  /** As the buyer typed it. */
  readonly coupon?: string;
  /** Caller and the caller's request id: a repeated request returns the same order. */
  readonly request?: string;
  readonly ip: string;
}

/** Orders for programs: each program is paid once per site. */
@Injectable()
export class ProgramOrders {
  constructor(
    private readonly sites: SiteAccess,
    private readonly catalogue: ProgramCatalogue,
    private readonly fit: ProgramFit,
    private readonly placing: OrderPlacing,
    private readonly limits: OrderLimits,
  ) {}

  /**
   * Orders a program for a compatible site, at its current price.
   *
   * @throws ProgramOrderError OFF_SHELF, BOUGHT, NOTHING_TO_PAY, PRICE_CHANGED, REQUEST_DIFFERS; DeployError PROGRAM_MISSING, NOT_FITTING;
   *   HostingError; PaymentError TOO_MANY_UNPAID; CouponError
   */
  async place({ hostId, programId, seen, coupon = '', request, ip }: ProgramRequest): Promise<Order> {
    const site = await this.sites.ofHost(hostId);
    const { username: user } = site.account;
    const program = await this.catalogue.find(programId);
    if (!program.onShelf) throw new ProgramOrderError('OFF_SHELF');
    if (program.price === 0) throw new ProgramOrderError('NOTHING_TO_PAY');
    if (await this.catalogue.isBought(hostId, programId)) throw new ProgramOrderError('BOUGHT');
    if (seen !== undefined && seen !== program.price) throw new ProgramOrderError('PRICE_CHANGED', { rmb: toYuan(program.price) });
    await this.fit.requireNow(site, program);
    await this.limits.take({ user, ip });
    const context: ProgramContext = { user, gmid: programId, host: hostId };
    const order = await this.placing.place({
      user,
      owner: { account: hostId },
      scene: PROGRAM_SCENE,
      name: Array.from(program.name).slice(0, MAX_NAME).join(''),
      amount: program.price,
      coupon,
      product: `program:${programId}`,
      context: { ...context },
      ip,
      ...(request ? { requestKey: `${PROGRAM_SCENE}:${request}` } : {}),
    });
    const made = programOf(order.context);
    if (made?.gmid !== programId || made.host !== hostId || (order.coupon ?? '') !== codeOf(coupon))
      throw new ProgramOrderError('REQUEST_DIFFERS');
    return order;
  }
}

/**
 * Returns what an order pays for; null if it names no program, such as an order that a plugin placed with the same scene. Orders imported
 * from another panel name only the user, and contain numbers as texts.
 */
export function programOf(context: unknown): { readonly user: string; readonly gmid: number; readonly host: number | null } | null {
  const { user, gmid, host } = (context ?? {}) as Record<string, unknown>;
  const id = typeof gmid === 'string' && /^\d{1,10}$/.test(gmid) ? Number(gmid) : gmid;
  if (!Number.isInteger(id) || typeof user !== 'string') return null;
  return { user, gmid: id as number, host: Number.isInteger(host) ? (host as number) : null };
}
