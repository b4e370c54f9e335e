'use strict';

const { randomBytes } = require('node:crypto');

const COLUMNS = 'order_no, plan_id, months, username, sealed_password, view_key, state, host_id, remark';

/**
 * What was bought, and how far it got: `pending` → `opened`, or `failed` with the reason while it is tried again. Where somebody else has
 * the name by the time it is paid: `name_taken` until the buyer chooses another one, `renamed` until the account is open.
 */
exports.ShopOrders = class ShopOrders {
  /**
   * @param {import('../../../src/sdk/index.js').SvcFacade} svc
   * @param {import('./credentials.js').Credentials} credentials
   */
  constructor(svc, credentials) {
    this.svc = svc;
    this.credentials = credentials;
  }

  /** Writes an order of the panel and what the shop has to know of it, both or neither. */
  create({ plan, months, name, username, password, type, ip }) {
    return this.svc.db.transaction(async () => {
      const viewKey = randomBytes(16).toString('hex');
      const order = await this.svc.orders.create({
        user: username,
        scene: 'hosting',
        name,
        amount: plan.priceMonth * months,
        type,
        context: { plan_id: plan.id, months, username, done_url: statusPath(viewKey) },
        ip,
      });
      await this.svc.db.run(
        'INSERT INTO {purchase} (order_no, plan_id, months, username, sealed_password, view_key) VALUES (?, ?, ?, ?, ?, ?)',
        [order.ddh, plan.id, months, username, this.credentials.seal(password), viewKey],
      );
      return { order, statusUrl: statusPath(viewKey) };
    });
  }

  async find(orderNo) {
    const [row] = await this.svc.db.query(`SELECT ${COLUMNS} FROM {purchase} WHERE order_no = ?`, [orderNo]);
    return row ?? null;
  }

  /** By the key of its status page, which only its buyer has. */
  async findByKey(viewKey) {
    const [row] = await this.svc.db.query(`SELECT ${COLUMNS} FROM {purchase} WHERE view_key = ?`, [viewKey]);
    return row ?? null;
  }

  /** Whether a purchase that was paid and could not be opened yet wants this name. */
  async isNameWanted(username) {
    const rows = await this.svc.db.query("SELECT id FROM {purchase} WHERE state IN ('failed', 'renamed') AND LOWER(username) = ? LIMIT 1", [username.toLowerCase()]);
    return rows.length > 0;
  }

  /** Which of these orders have a purchase that is to be opened. */
  async unopened(orderNos) {
    if (orderNos.length === 0) return [];
    const rows = await this.svc.db.query(
      `SELECT order_no FROM {purchase} WHERE order_no IN (${orderNos.map(() => '?').join(', ')}) AND state IN ('pending', 'failed')`,
      orderNos,
    );
    return rows.map((row) => row.order_no);
  }

  /** Somebody else has the name of this paid purchase, unless it has another one or is open by now. */
  async nameTaken({ order_no, username }) {
    await this.svc.db.run("UPDATE {purchase} SET state = 'name_taken', remark = '' WHERE order_no = ? AND username = ? AND state <> 'opened'", [order_no, username]);
  }

  /** Gives a purchase that waits for one another name; false when it does not wait (any more). */
  async rename(orderNo, username) {
    const { affected } = await this.svc.db.run("UPDATE {purchase} SET state = 'renamed', username = ? WHERE order_no = ? AND state = 'name_taken'", [username, orderNo]);
    return affected === 1;
  }

  /** Purchases with another name that are to be opened; the oldest first. */
  renamed() {
    return this.svc.db.query(`SELECT ${COLUMNS} FROM {purchase} WHERE state = 'renamed' ORDER BY id LIMIT 20`);
  }

  /** Says what is in the way of a purchase. */
  async remark(orderNo, reason) {
    await this.svc.db.run("UPDATE {purchase} SET remark = ? WHERE order_no = ? AND state <> 'opened'", [reason.slice(0, 255), orderNo]);
  }

  password(row) {
    return this.credentials.open(row.sealed_password);
  }

  /** The account exists: nobody needs the password any more. */
  async opened(orderNo, hostId) {
    await this.svc.db.run("UPDATE {purchase} SET state = 'opened', host_id = ?, sealed_password = NULL, remark = '' WHERE order_no = ?", [hostId, orderNo]);
  }

  async failed(orderNo, reason) {
    await this.svc.db.run("UPDATE {purchase} SET state = 'failed', remark = ? WHERE order_no = ? AND state <> 'opened'", [reason.slice(0, 255), orderNo]);
  }

  async latest() {
    return this.svc.db.query(`SELECT ${COLUMNS} FROM {purchase} ORDER BY id DESC LIMIT 50`);
  }
};

function statusPath(viewKey) {
  return `/shop/status/${viewKey}`;
}
