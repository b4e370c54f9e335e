import { Inject, Injectable } from '@nestjs/common';
import { amountText, SVC_FACADE, type FormValues, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import type { Extra, ExtraKind } from './extra-terms.js';
import { PERIOD_NAMES, PRICE_COLUMNS, pricesOf, priceValues } from './periods.js';
import { priceField } from './plan-input.js';
import { SHOP_DATABASE } from './shop-database.js';

const COLUMNS = ['plan_id', 'kind', 'unit', 'most', ...PRICE_COLUMNS];

/** Options of plans. */
@Injectable()
export class Extras {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
  ) {}

  async of(planId: number): Promise<Extra[]> {
    const rows = await this.db.query(`SELECT ${COLUMNS.join(', ')} FROM {extra} WHERE plan_id = ? ORDER BY id LIMIT 10`, [planId]);
    return rows.map(toExtra);
  }

  /** Returns the options of several plans. */
  async ofAll(planIds: readonly number[]): Promise<Map<number, Extra[]>> {
    const found = new Map<number, Extra[]>();
    if (planIds.length === 0) return found;
    const rows = await this.db.query(
      `SELECT ${COLUMNS.join(', ')} FROM {extra} WHERE plan_id IN (${planIds.map(() => '?').join(', ')}) ORDER BY id`,
      [...planIds],
    );
    for (const extra of rows.map(toExtra)) found.set(extra.planId, [...(found.get(extra.planId) ?? []), extra]);
    return found;
  }

  /**
   * Adds or changes a plan's option of one kind.
   *
   * @param version row version of the form
   * @returns whether the plan exists
   * @throws RefusedForm
   */
  async save(extra: Extra, version?: string): Promise<boolean> {
    return this.db.transaction(async () => {
      // Locks the plan's row against concurrent changes of its options.
      await this.db.run('UPDATE {plan} SET active = active WHERE id = ?', [extra.planId]);
      const [plan] = await this.db.query('SELECT id FROM {plan} WHERE id = ?', [extra.planId]);
      if (!plan) return false;
      const before = (await this.of(extra.planId)).find(({ kind }) => kind === extra.kind);
      this.svc.svc_check_row_version(version, extraForm(before));
      const values = [extra.planId, extra.kind, extra.unit, extra.most, ...priceValues(extra.prices)];
      if (before)
        await this.db.run(`UPDATE {extra} SET ${COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE plan_id = ? AND kind = ?`, [
          ...values,
          extra.planId,
          extra.kind,
        ]);
      else await this.db.run(`INSERT INTO {extra} (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`, values);
      this.db.noteChange({ of: 'extra', id: `${extra.planId} ${extra.kind}` }, before ? describe(before) : null, describe(extra));
      return true;
    });
  }
}

/** Form values of an option; empty for a new one. */
export function extraForm(extra: Extra | undefined): FormValues {
  const prices = PERIOD_NAMES.map((period) => {
    const price = extra?.prices[period];
    return [priceField(period), price === undefined ? '' : amountText(price)] as const;
  });
  return { unit: extra?.unit ?? '', most: extra?.most ?? '', ...Object.fromEntries(prices) };
}

function describe({ unit, most, prices }: Extra): object {
  return {
    unit,
    most,
    ...Object.fromEntries(Object.entries(prices).map(([name, fen]) => [name === 'month' ? 'price' : `price_${name}`, amountText(fen)])),
  };
}

function toExtra(row: Record<string, unknown>): Extra {
  return {
    planId: Number(row.plan_id),
    kind: String(row.kind) as ExtraKind,
    unit: Number(row.unit),
    most: Number(row.most),
    prices: pricesOf(row),
  };
}
