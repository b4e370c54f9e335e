import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import { SHOP_DATABASE } from './shop-database.js';

const COLUMNS = 'id, name, description, node, web_mb, database_mb, traffic_gb, domains, monitors, backups, price_month, active';

/** A plan: what a buyer gets a month, and for how much. */
export interface Plan {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Code of the node its accounts are opened on. */
  readonly node: string;
  readonly webMb: number;
  readonly databaseMb: number;
  readonly trafficGb: number;
  readonly domains: number;
  /** Null: as many as the panel gives every host. */
  readonly monitors: number | null;
  /** Null: as many as the panel gives every host. */
  readonly backups: number | null;
  /** Fen. */
  readonly priceMonth: number;
  readonly active: boolean;
}

/** What is sold. */
@Injectable()
export class Plans {
  constructor(@Inject(SHOP_DATABASE) private readonly db: PluginDatabase) {}

  async onSale(): Promise<Plan[]> {
    return (await this.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE active = 1 ORDER BY price_month, id LIMIT 100`)).map(toPlan);
  }

  async all(): Promise<Plan[]> {
    return (await this.db.query(`SELECT ${COLUMNS} FROM {plan} ORDER BY id LIMIT 500`)).map(toPlan);
  }

  async find(id: number): Promise<Plan | null> {
    const [row] = await this.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE id = ?`, [id]);
    return row ? toPlan(row) : null;
  }

  /** Adds a plan, or changes the one with `id`; null where there is none. */
  async save(id: number, plan: Omit<Plan, 'id'>): Promise<number | null> {
    const values = [
      plan.name,
      plan.description,
      plan.node,
      plan.webMb,
      plan.databaseMb,
      plan.trafficGb,
      plan.domains,
      plan.monitors,
      plan.backups,
      plan.priceMonth,
      plan.active ? 1 : 0,
    ];
    return this.db.transaction(async () => {
      if (id) {
        // Written first, so that nobody else changes what is read next.
        await this.db.run('UPDATE {plan} SET active = active WHERE id = ?', [id]);
        const before = await this.find(id);
        if (!before) return null;
        await this.db.run(
          'UPDATE {plan} SET name = ?, description = ?, node = ?, web_mb = ?, database_mb = ?, traffic_gb = ?, domains = ?, monitors = ?, backups = ?, price_month = ?, active = ? WHERE id = ?',
          [...values, id],
        );
        this.db.noteChange({ of: 'plan', id }, told(before), told(plan));
        return id;
      }
      const { insertId } = await this.db.run(
        'INSERT INTO {plan} (name, description, node, web_mb, database_mb, traffic_gb, domains, monitors, backups, price_month, active) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        values,
      );
      this.db.noteChange({ of: 'plan', id: insertId }, null, told(plan));
      return insertId;
    });
  }
}

/** A plan as the operation log tells of it: by the names of its form, the price in yuan. */
function told({
  name,
  description,
  node,
  webMb,
  databaseMb,
  trafficGb,
  domains,
  monitors,
  backups,
  priceMonth,
  active,
}: Omit<Plan, 'id'>): object {
  const price = (priceMonth / 100).toFixed(2);
  return {
    name,
    price,
    node,
    active,
    web_mb: webMb,
    database_mb: databaseMb,
    traffic_gb: trafficGb,
    domains,
    monitors,
    backups,
    description,
  };
}

function toPlan(row: Record<string, unknown>): Plan {
  return {
    id: Number(row.id),
    name: String(row.name),
    description: String(row.description),
    node: String(row.node),
    webMb: Number(row.web_mb),
    databaseMb: Number(row.database_mb),
    trafficGb: Number(row.traffic_gb),
    domains: Number(row.domains),
    monitors: row.monitors === null ? null : Number(row.monitors),
    backups: row.backups === null ? null : Number(row.backups),
    priceMonth: Number(row.price_month),
    active: Boolean(row.active),
  };
}
