import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { legacyDay } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, EntityPages, toSqlTime, type SqlValue } from '../database/index.js';
import { type Days, Order, Refund } from '../payment/index.js';
import { type SiteConfig, SiteSettings } from '../site/index.js';

import { Receipt, type Buyer, type Seller } from './entities/index.js';
import { ReceiptError } from './errors.js';

const NOBODY: Seller = { name: '', address: '', taxNumber: '', contact: '', footer: '' };

/** Filter of a receipt search. */
export interface ReceiptSearch {
  /** Part of the buyer's name or tax number, an order number, or a receipt number. */
  readonly keyword: string;
  /** `asked`: an invoice is requested but not issued; `issued`: it was issued. */
  readonly invoice: '' | 'asked' | 'issued';
  readonly since?: Date;
  readonly until?: Date;
  readonly offset: number;
  readonly limit: number;
}

/** A receipt with its order and the refunded amount. */
export interface ListedReceipt {
  readonly receipt: Receipt;
  readonly order: Order;
  /** Refunded amount in minor units. */
  readonly refunded: number;
}

/** Returns the seller from the settings. */
export const sellerOf = ({ receiptSeller }: Pick<SiteConfig, 'receiptSeller'>): Seller => ({ ...NOBODY, ...receiptSeller });

/** Receipts: at most one per paid order, created on request, numbered by year without gaps. */
@Injectable()
export class ReceiptRepository {
  private readonly list: EntityPages<Receipt>;

  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly clock: ZonedClock,
  ) {
    this.list = new EntityPages(database, Receipt);
  }

  private get rows() {
    return this.database.repository(Receipt);
  }

  /** The seller for new receipts. */
  get seller(): Seller {
    return sellerOf(this.settings.current);
  }

  of(orderId: number): Promise<Receipt | null> {
    return this.rows.findOneBy({ orderId });
  }

  /**
   * Creates the receipt of an order, or changes the buyer of the existing one.
   *
   * @throws ReceiptError UNPAID; INVOICED once an invoice was issued for it
   */
  make(orderId: number, buyer: Buyer, wantsInvoice: boolean): Promise<Receipt> {
    return this.database.transaction(
      async () => {
        await this.settings.hold();
        const order = await this.database.repository(Order).findOneByOrFail({ id: orderId });
        if (order.paidAt === null) throw new ReceiptError('UNPAID');
        const present = await this.of(orderId);
        if (present) {
          if (present.invoiceNumber !== '') throw new ReceiptError('INVOICED', { number: present.invoiceNumber });
          await this.rows.update({ id: present.id }, { buyer, wantsInvoice });
          return { ...present, buyer, wantsInvoice };
        }
        return this.write(order, buyer, wantsInvoice);
      },
      { durable: true },
    );
  }

  /** Creates missing receipts of paid orders, in the name of the account that ordered. @returns how many were created */
  async makeMissing(orderIds: readonly number[]): Promise<number> {
    const orders = await this.orders(orderIds);
    let made = 0;
    for (const id of orderIds) {
      const order = orders.get(id);
      if (order && order.paidAt !== null && (await this.makeFirst(order))) made += 1;
    }
    return made;
  }

  /** @returns false if a receipt exists, which is left unchanged */
  private makeFirst(order: Order): Promise<boolean> {
    return this.database.transaction(
      async () => {
        await this.settings.hold();
        if (await this.of(order.id)) return false;
        await this.write(order, { name: order.user, taxNumber: '', address: '', mail: '' }, false);
        return true;
      },
      { durable: true },
    );
  }

  private async write({ id: orderId }: Order, buyer: Buyer, wantsInvoice: boolean): Promise<Receipt> {
    const madeAt = this.clock.now();
    const year = Number(legacyDay(madeAt, this.clock.timezone).slice(0, 4));
    const last = await this.rows.findOne({ where: { year }, order: { place: 'DESC' } });
    const place = (last?.place ?? 0) + 1;
    const receipt = this.rows.create({ orderId, year, place, seller: this.seller, buyer, wantsInvoice, invoiceNumber: '', madeAt });
    await this.rows.insert(receipt);
    return receipt;
  }

  /** Finds orders paid in a period without a receipt, the oldest first. @returns their total number and the ids of the first ones */
  async without({ since, until }: Pick<Days, 'since' | 'until'>, limit: number): Promise<{ total: number; ids: number[] }> {
    const query = this.database
      .repository(Order)
      .createQueryBuilder('o')
      .leftJoin(Receipt, 'r', 'r.orderId = o.id')
      .where('o.paidAt >= :since AND o.paidAt < :until AND r.id IS NULL', { since, until });
    const total = await query.getCount();
    const rows = await query.select('o.id', 'id').orderBy('o.paidAt').addOrderBy('o.id').limit(limit).getRawMany<{ id: number }>();
    return { total, ids: rows.map(({ id }) => Number(id)) };
  }

  /**
   * Records the number of an issued invoice; empty: none.
   *
   * @param check receives the locked receipt; throwing rejects the change
   * @throws ReceiptError MISSING
   */
  noteInvoice(id: number, invoiceNumber: string, check?: (present: Receipt) => void): Promise<void> {
    return this.database.transaction(async () => {
      await this.settings.hold();
      const present = await this.rows.findOneBy({ id });
      if (!present) throw new ReceiptError('MISSING');
      check?.(present);
      await this.rows.update({ id }, { invoiceNumber });
      this.database.noteChange({ of: 'receipt', id }, { invoiceNumber: present.invoiceNumber }, { invoiceNumber });
    });
  }

  /** Returns receipts, the newest first. */
  async page({ keyword, invoice, since, until, offset, limit }: ReceiptSearch): Promise<{ total: number; rows: ListedReceipt[] }> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    const narrow = (condition: string, ...values: SqlValue[]): void => {
      conditions.push(condition);
      params.push(...values);
    };
    const number = /^(\d{4})-(\d{1,9})$/.exec(keyword);
    if (number) narrow('{Receipt.year} = ? AND {Receipt.place} = ?', Number(number[1]), Number(number[2]));
    else if (keyword !== '')
      narrow(
        `(INSTR(LOWER({Receipt.buyer}), LOWER(?)) > 0 OR EXISTS (SELECT 1 FROM {Order} o
          WHERE o.{Order.id} = {Receipt}.{Receipt.orderId} AND o.{Order.number} = ?))`,
        keyword,
        keyword,
      );
    if (invoice === 'asked') narrow("{Receipt.wantsInvoice} = 1 AND {Receipt.invoiceNumber} = ''");
    if (invoice === 'issued') narrow("{Receipt.invoiceNumber} <> ''");
    if (since) narrow('{Receipt.madeAt} >= ?', toSqlTime(since));
    if (until) narrow('{Receipt.madeAt} < ?', toSqlTime(until));
    const { total, rows } = await this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit });
    const ids = rows.map(({ orderId }) => orderId);
    const [orders, refunded] = await Promise.all([this.orders(ids), this.refunded(ids)]);
    return {
      total,
      rows: rows.flatMap((receipt) => {
        const order = orders.get(receipt.orderId);
        return order ? [{ receipt, order, refunded: refunded.get(order.id) ?? 0 }] : [];
      }),
    };
  }

  /** Returns the refunds of an order, the oldest first. */
  refunds(orderId: number): Promise<Refund[]> {
    return this.database.repository(Refund).find({ where: { orderId, state: 'done' }, order: { id: 'ASC' }, take: 200 });
  }

  /** As {@link refunds} for several orders in one query; orders without a refund are missing from the result. */
  async refundsOf(orderIds: readonly number[]): Promise<ReadonlyMap<number, Refund[]>> {
    const found = await this.database
      .repository(Refund)
      .find({ where: { orderId: In([...orderIds]), state: 'done' }, order: { id: 'ASC' } });
    const byOrder = new Map<number, Refund[]>();
    for (const refund of found) byOrder.set(refund.orderId, [...(byOrder.get(refund.orderId) ?? []), refund]);
    return byOrder;
  }

  private async orders(ids: readonly number[]): Promise<Map<number, Order>> {
    const orders = ids.length === 0 ? [] : await this.database.repository(Order).findBy({ id: In([...ids]) });
    return new Map(orders.map((order) => [order.id, order]));
  }

  private async refunded(ids: readonly number[]): Promise<Map<number, number>> {
    const sums = new Map<number, number>();
    if (ids.length === 0) return sums;
    const refunds = await this.database.repository(Refund).findBy({ orderId: In([...ids]), state: 'done' });
    for (const { orderId, amount } of refunds) sums.set(orderId, (sums.get(orderId) ?? 0) + amount);
    return sums;
  }
}
