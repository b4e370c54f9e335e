import { Inject, Injectable } from '@nestjs/common';
import { amountText, SVC_FACADE, type FormValues, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { PERIOD_NAMES, PRICE_COLUMNS, pricesOf, priceValues } from './periods.js';
import type { Plan, PlanTerms } from './plan-terms.js';
import { SHOP_DATABASE } from './shop-database.js';

const TERM_COLUMNS = [
  'name',
  'description',
  'category',
  'sort',
  'node',
  'web_mb',
  'database_mb',
  'traffic_gb',
  'domains',
  'monitors',
  'backups',
  'grace_days',
  'keep_days',
  'free',
  ...PRICE_COLUMNS,
  'setup_fee',
  'stock',
  'per_customer',
  'trial_days',
  'active',
];
const COLUMNS = ['id', 'taken', ...TERM_COLUMNS].join(', ');

/** Hosting plans. */
@Injectable()
export class Plans {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
  ) {}

  /** Returns plans on sale, in the order of the shop. */
  async onSale(): Promise<Plan[]> {
    return (await this.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE active = 1 ORDER BY sort, price_month, id LIMIT 100`)).map(toPlan);
  }

  async all(): Promise<Plan[]> {
    return (await this.db.query(`SELECT ${COLUMNS} FROM {plan} ORDER BY sort, id LIMIT 500`)).map(toPlan);
  }

  async find(id: number): Promise<Plan | null> {
    const [row] = await this.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE id = ?`, [id]);
    return row ? toPlan(row) : null;
  }

  /** Returns the plan with this id if it is on sale. */
  async findOnSale(id: string | undefined): Promise<Plan | null> {
    const plan = /^\d{1,9}$/.test(id ?? '') ? await this.find(Number(id)) : null;
    return plan?.active ? plan : null;
  }

  /**
   * Adds a plan, or changes the one with `id`; null if it does not exist. Existing sales are not affected.
   *
   * @param version row version of the form
   * @throws RefusedForm
   */
  async save(id: number, plan: PlanTerms, version?: string): Promise<number | null> {
    const values = valuesOf(plan);
    return this.db.transaction(async () => {
      if (id) {
        // Locks the row, so that the values read next cannot change.
        await this.db.run('UPDATE {plan} SET active = active WHERE id = ?', [id]);
        const before = await this.find(id);
        if (!before) return null;
        this.svc.svc_check_row_version(version, planForm(before));
        await this.db.run(`UPDATE {plan} SET ${TERM_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, [...values, id]);
        this.db.noteChange({ of: 'plan', id }, planForm(before), planForm(plan));
        return id;
      }
      const { insertId } = await this.db.run(
        `INSERT INTO {plan} (${TERM_COLUMNS.join(', ')}) VALUES (${TERM_COLUMNS.map(() => '?').join(', ')})`,
        values,
      );
      this.db.noteChange({ of: 'plan', id: insertId }, null, planForm(plan));
      return insertId;
    });
  }
}

/** Form values of a plan, with money as decimals; used for row versions and the operation log. */
export function planForm(plan: PlanTerms): FormValues {
  const yuan = (fen: number | undefined): string => (fen === undefined ? '' : amountText(fen));
  const [, ...longer] = PERIOD_NAMES;
  return {
    name: plan.name,
    category: plan.category,
    free: plan.free,
    price: yuan(plan.prices.month),
    ...Object.fromEntries(longer.map((name) => [`price_${name}`, yuan(plan.prices[name])])),
    setup_fee: amountText(plan.setupFee),
    stock: plan.stock,
    per_customer: plan.perCustomer,
    trial_days: plan.trialDays,
    node: plan.node,
    active: plan.active,
    sort: plan.sort,
    web_mb: plan.webMb,
    database_mb: plan.databaseMb,
    traffic_gb: plan.trafficGb,
    domains: plan.domains,
    monitors: plan.monitors,
    backups: plan.backups,
    grace_days: plan.graceDays,
    keep_days: plan.keepDays,
    description: plan.description,
  };
}

/** Values in the order of {@link TERM_COLUMNS}. */
function valuesOf(plan: PlanTerms): unknown[] {
  return [
    plan.name,
    plan.description,
    plan.category,
    plan.sort,
    plan.node,
    plan.webMb,
    plan.databaseMb,
    plan.trafficGb,
    plan.domains,
    plan.monitors,
    plan.backups,
    plan.graceDays,
    plan.keepDays,
    plan.free ? 1 : 0,
    ...priceValues(plan.prices),
    plan.setupFee,
    plan.stock,
    plan.perCustomer,
    plan.trialDays,
    plan.active ? 1 : 0,
  ];
}

function toPlan(row: Record<string, unknown>): Plan {
  return {
    id: Number(row.id),
    name: String(row.name),
    description: String(row.description),
    category: String(row.category),
    sort: Number(row.sort),
    node: String(row.node),
    webMb: Number(row.web_mb),
    databaseMb: Number(row.database_mb),
    trafficGb: Number(row.traffic_gb),
    domains: Number(row.domains),
    monitors: row.monitors === null ? null : Number(row.monitors),
    backups: row.backups === null ? null : Number(row.backups),
    graceDays: row.grace_days === null ? null : Number(row.grace_days),
    keepDays: row.keep_days === null ? null : Number(row.keep_days),
    free: Boolean(row.free),
    prices: pricesOf(row),
    setupFee: Number(row.setup_fee),
    stock: row.stock === null ? null : Number(row.stock),
    taken: Number(row.taken),
    perCustomer: Number(row.per_customer),
    trialDays: Number(row.trial_days),
    active: Boolean(row.active),
  };
}
