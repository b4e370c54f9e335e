import { Injectable } from '@nestjs/common';

import { Clock, toYuan } from '../common/index.js';
import { Database, EntityPages, isUniqueViolation } from '../database/index.js';
import { checkVersion, type FormValues, versionOf } from '../http/index.js';

import { Coupon } from './entities/index.js';
import { CouponError } from './errors.js';

/** Fields of a coupon set by the reseller. */
export type CouponText = Omit<Coupon, 'id' | 'used' | 'version' | 'createdAt' | 'active'>;

/** Statistics of a coupon. */
export interface CouponFigures {
  /** Unpaid orders. */
  readonly open: number;
  /** Paid orders, including refunded ones. */
  readonly paid: number;
  /** Total discount of the paid orders, in fen. */
  readonly given: number;
  /** Total revenue of the paid orders, in fen. */
  readonly earned: number;
}

/** The reseller's coupons. */
@Injectable()
export class CouponRepository {
  private readonly list: EntityPages<Coupon>;
  private readonly remove;
  private readonly figures;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.list = new EntityPages(database, Coupon);
    this.remove = database.statement(
      `DELETE FROM {Coupon} WHERE {Coupon.id} = ? AND NOT EXISTS (SELECT 1 FROM {CouponUse}
        WHERE {CouponUse.couponId} = {Coupon}.{Coupon.id})`,
    );
    this.figures = database.statement<Record<'open' | 'paid' | 'given' | 'earned', string | number | null>>(
      `SELECT SUM(CASE WHEN o.{Order.status} = 'unpaid' THEN 1 ELSE 0 END) AS open,
         SUM(CASE WHEN o.{Order.paidAt} IS NOT NULL THEN 1 ELSE 0 END) AS paid,
         SUM(CASE WHEN o.{Order.paidAt} IS NOT NULL THEN u.{CouponUse.discount} ELSE 0 END) AS given,
         SUM(CASE WHEN o.{Order.paidAt} IS NOT NULL THEN ROUND(o.{Order.amount} * 100) ELSE 0 END) AS earned
       FROM {CouponUse} u JOIN {Order} o ON o.{Order.id} = u.{CouponUse.orderId} WHERE u.{CouponUse.couponId} = ?`,
    );
  }

  private get rows() {
    return this.database.repository(Coupon);
  }

  /** Returns coupons, the newest first. @param keyword part of the code or the name */
  page(keyword: string, offset: number, limit: number): Promise<{ total: number; rows: Coupon[] }> {
    const conditions = keyword === '' ? [] : ['(INSTR({Coupon.code}, UPPER(?)) > 0 OR INSTR(LOWER({Coupon.name}), LOWER(?)) > 0)'];
    const params = keyword === '' ? [] : [keyword, keyword];
    return this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit });
  }

  find(id: number): Promise<Coupon | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns the statistics of a coupon. */
  async figuresOf(id: number): Promise<CouponFigures> {
    const row = await this.figures.get(id);
    return { open: Number(row?.open ?? 0), paid: Number(row?.paid ?? 0), given: Number(row?.given ?? 0), earned: Number(row?.earned ?? 0) };
  }

  /** @throws CouponError CODE_TAKEN */
  add(text: CouponText): Promise<number> {
    return this.database.transaction(async () => {
      const { identifiers } = await this.rows
        .insert({ ...text, active: true, used: 0, version: 0, createdAt: this.clock.now() })
        .catch(refuseTaken);
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'coupon', id }, null, loggedValues(text));
      return id;
    });
  }

  /** Changes a coupon; existing orders keep their discount. @throws CouponError MISSING, CODE_TAKEN; StaleForm */
  change(id: number, text: CouponText, version: string | undefined): Promise<void> {
    return this.changeRow(id, (present) => {
      checkVersion(version, couponForm(present));
      this.database.noteChange({ of: 'coupon', id }, loggedValues(present), loggedValues(text));
      return text;
    });
  }

  /** @throws CouponError MISSING */
  turn(id: number, active: boolean): Promise<void> {
    return this.changeRow(id, (present) => {
      this.database.noteChange({ of: 'coupon', id }, { couponOn: present.active }, { couponOn: active });
      return { active };
    });
  }

  /** Deletes a coupon that was never used. @throws CouponError MISSING, WAS_USED */
  delete(id: number): Promise<Coupon> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Coupon', 'id', id);
      const present = await this.find(id);
      if (!present) throw new CouponError('MISSING');
      if ((await this.remove.run(id)).affected !== 1) throw new CouponError('WAS_USED', { code: present.code });
      this.database.noteChange({ of: 'coupon', id }, loggedValues(present), null);
      return present;
    });
  }

  private changeRow(id: number, change: (present: Coupon) => Partial<Coupon>): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Coupon', 'id', id);
      const present = await this.find(id);
      if (!present) throw new CouponError('MISSING');
      await this.rows.update({ id }, { ...change(present), version: present.version + 1 }).catch(refuseTaken);
    });
  }
}

/** Form values of a coupon, by field name. */
export function couponForm({ code, name, kind, value, products, perCustomer, most, least, fromOn, untilOn }: CouponText) {
  return {
    yhm: code,
    name,
    lx: kind,
    rmb: kind === 'fixed' ? toYuan(value) : '',
    bl: kind === 'percent' ? String(value) : '',
    sp: products.join(','),
    mrcs: perCustomer === null ? '' : String(perCustomer),
    zcs: most === null ? '' : String(most),
    zdje: least === 0 ? '' : toYuan(least),
    datea: fromOn ?? '',
    dateb: untilOn ?? '',
  } satisfies FormValues;
}

/** Returns the version of the form values. */
export const couponVersion = (coupon: CouponText): string => versionOf(couponForm(coupon));

/** Returns the values for the operation log. */
function loggedValues(text: CouponText): Record<string, string | number | null> {
  const { code, name, kind, value, products, perCustomer, most, least, fromOn, untilOn } = text;
  return {
    couponCode: code,
    name,
    discount: kind === 'fixed' ? toYuan(value) : `${value}%`,
    products: products.join(', '),
    perCustomer,
    mostUses: most,
    leastAmount: toYuan(least),
    fromOn,
    untilOn,
  };
}

function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new CouponError('CODE_TAKEN', {}, { yhm: 'coupons.code_taken' }, { cause: error }) : (error as Error);
}
