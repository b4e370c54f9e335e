'use strict';

const COLUMNS = 'id, name, description, node, web_mb, database_mb, traffic_gb, domains, price_month, active';

/** What is sold. */
exports.Plans = class Plans {
  /** @param {import('../../../src/sdk/index.js').SvcFacade} svc */
  constructor(svc) {
    this.svc = svc;
  }

  async onSale() {
    return (await this.svc.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE active = 1 ORDER BY price_month, id LIMIT 100`)).map(toPlan);
  }

  async all() {
    return (await this.svc.db.query(`SELECT ${COLUMNS} FROM {plan} ORDER BY id LIMIT 500`)).map(toPlan);
  }

  async find(id) {
    const [row] = await this.svc.db.query(`SELECT ${COLUMNS} FROM {plan} WHERE id = ?`, [id]);
    return row ? toPlan(row) : null;
  }

  /** Adds a plan, or changes the one with `id`. */
  async save(id, plan) {
    const values = [plan.name, plan.description, plan.node, plan.webMb, plan.databaseMb, plan.trafficGb, plan.domains, plan.priceMonth, plan.active ? 1 : 0];
    if (id) {
      const { affected } = await this.svc.db.run(
        'UPDATE {plan} SET name = ?, description = ?, node = ?, web_mb = ?, database_mb = ?, traffic_gb = ?, domains = ?, price_month = ?, active = ? WHERE id = ?',
        [...values, id],
      );
      return affected ? id : null;
    }
    const { insertId } = await this.svc.db.run(
      'INSERT INTO {plan} (name, description, node, web_mb, database_mb, traffic_gb, domains, price_month, active) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      values,
    );
    return insertId;
  }
};

function toPlan(row) {
  return {
    id: Number(row.id),
    name: row.name,
    description: row.description,
    node: row.node,
    webMb: Number(row.web_mb),
    databaseMb: Number(row.database_mb),
    trafficGb: Number(row.traffic_gb),
    domains: Number(row.domains),
    /** Fen. */
    priceMonth: Number(row.price_month),
    active: Boolean(row.active),
  };
}
