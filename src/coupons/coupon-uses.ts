import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';

import type { Coupon } from './entities/index.js';

/** A coupon applied to a purchase. */
export interface CouponOffer {
  readonly coupon: Pick<Coupon, 'id' | 'code' | 'version' | 'perCustomer'>;
  readonly buyer: string;
  /** Discount in fen. */
  readonly discount: number;
}

/**
 * Counts uses of coupons: a use is taken with the order, given back when the order closes unpaid, and taken again by a late payment.
 * Uses conditional updates only, in the order's transaction: of any number of buyers of a last use exactly one gets it, and the
 * count covers open and paid orders.
 */
@Injectable()
export class CouponUses {
  private readonly count;
  private readonly addShare;
  private readonly countShare;
  private readonly uncount;
  private readonly uncountShare;
  private readonly addUse;
  private readonly turn;
  private readonly useOf;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.count = database.statement(
      `UPDATE {Coupon} SET {Coupon.used} = {Coupon.used} + 1 WHERE {Coupon.id} = ? AND {Coupon.version} = ? AND {Coupon.active} = 1
        AND ({Coupon.most} IS NULL OR {Coupon.used} < {Coupon.most})`,
    );
    this.addShare = database.statement(
      `${database.insertIgnore} {CouponShare} ({CouponShare.couponId}, {CouponShare.who}, {CouponShare.used}) VALUES (?, ?, 0)`,
    );
    const share = '{CouponShare.couponId} = ? AND {CouponShare.who} = ?';
    this.countShare = database.statement(
      `UPDATE {CouponShare} SET {CouponShare.used} = {CouponShare.used} + 1 WHERE ${share} AND {CouponShare.used} < ?`,
    );
    this.uncount = database.statement('UPDATE {Coupon} SET {Coupon.used} = {Coupon.used} + ? WHERE {Coupon.id} = ?');
    this.uncountShare = database.statement(`UPDATE {CouponShare} SET {CouponShare.used} = {CouponShare.used} + ? WHERE ${share}`);
    this.addUse = database.statement(
      `INSERT INTO {CouponUse} ({CouponUse.couponId}, {CouponUse.orderId}, {CouponUse.who}, {CouponUse.state}, {CouponUse.discount},
        {CouponUse.createdAt}) VALUES (?, ?, ?, 'taken', ?, ?)`,
    );
    this.turn = database.statement('UPDATE {CouponUse} SET {CouponUse.state} = ? WHERE {CouponUse.orderId} = ? AND {CouponUse.state} = ?');
    this.useOf = database.statement<{ couponId: number; who: string }>(
      'SELECT {CouponUse.couponId} AS couponId, {CouponUse.who} AS who FROM {CouponUse} WHERE {CouponUse.orderId} = ?',
    );
  }

  /**
   * Takes one use for an order that was just created, in its transaction.
   *
   * @returns false if none is left, or the coupon was changed since it was read: nothing was taken then
   */
  async take({ coupon, buyer, discount }: CouponOffer, orderId: number): Promise<boolean> {
    if (!this.database.inTransaction) throw new Error('A coupon must be redeemed in the transaction of its order.');
    if ((await this.count.run(coupon.id, coupon.version)).affected !== 1) return false;
    if (buyer !== '') {
      await this.addShare.run(coupon.id, buyer);
      const maxUses = coupon.perCustomer ?? Number.MAX_SAFE_INTEGER;
      if ((await this.countShare.run(coupon.id, buyer, maxUses)).affected !== 1) {
        // Undone explicitly instead of by a rollback: the transaction may be a plugin's own.
        await this.uncount.run(-1, coupon.id);
        return false;
      }
    }
    await this.addUse.run(coupon.id, orderId, buyer, discount, this.clock.now());
    return true;
  }

  /** Gives the use back when the order closes unpaid. Takes effect once, in the transaction that closes the order. */
  giveBack(orderId: number): Promise<void> {
    return this.move(orderId, 'taken', 'given_back', -1);
  }

  /** Counts the use of a paid order again if it had been given back, even beyond the limit. */
  paid(orderId: number): Promise<void> {
    return this.move(orderId, 'given_back', 'taken', 1);
  }

  private async move(orderId: number, from: string, to: string, by: number): Promise<void> {
    if ((await this.turn.run(to, orderId, from)).affected !== 1) return;
    const { couponId, who } = (await this.useOf.get(orderId))!;
    await this.uncount.run(by, couponId);
    if (who !== '') await this.uncountShare.run(by, couponId, who);
  }
}
