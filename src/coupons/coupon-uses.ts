import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';

import type { Coupon } from './entities/index.js';

/** A coupon as it counts for a purchase. */
export interface CouponOffer {
  readonly coupon: Pick<Coupon, 'id' | 'code' | 'version' | 'perCustomer'>;
  readonly who: string;
  /** Fen it takes off. */
  readonly discount: number;
}

/**
 * Uses of coupons: taken with the order, given back when that closes unpaid, taken again by a payment that comes late. Decided by
 * conditional updates alone, in the transaction of the order: of any number of buyers of a last use one gets it, and what is
 * counted is what is open or paid.
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
   * Takes one use for an order that was just made, in its transaction.
   *
   * @returns false where there is none left, or the coupon was changed since it was looked at: nothing was taken then
   */
  async take({ coupon, who, discount }: CouponOffer, orderId: number): Promise<boolean> {
    if (!this.database.inTransaction) throw new Error('A coupon is taken with its order, in one transaction.');
    if ((await this.count.run(coupon.id, coupon.version)).affected !== 1) return false;
    if (who !== '') {
      await this.addShare.run(coupon.id, who);
      const most = coupon.perCustomer ?? Number.MAX_SAFE_INTEGER;
      if ((await this.countShare.run(coupon.id, who, most)).affected !== 1) {
        // By hand, not by a rollback: the transaction may be a plugin's own.
        await this.uncount.run(-1, coupon.id);
        return false;
      }
    }
    await this.addUse.run(coupon.id, orderId, who, discount, this.clock.now());
    return true;
  }

  /** The order closed without a payment: its use counts no more. Once, in the transaction that closes it. */
  giveBack(orderId: number): Promise<void> {
    return this.move(orderId, 'taken', 'given_back', -1);
  }

  /** The order was paid: where its use had been given back it counts again, whether there is one left or not. */
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
