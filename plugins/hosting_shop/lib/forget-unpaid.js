'use strict';

/** Purchases looked at in a tick. */
const BATCH = 200;

/**
 * Forgets purchases whose order the panel has removed, because nobody paid it for months. Orders go oldest first, so the first one
 * that is still there ends it.
 *
 * @param {import('../../../src/sdk/index.js').SvcFacade} svc
 */
exports.forgetUnpaid = async function forgetUnpaid(svc) {
  const rows = await svc.db.query(`SELECT id, order_no FROM {purchase} WHERE state = 'pending' ORDER BY id LIMIT ${BATCH}`);
  for (const { id, order_no: number } of rows) {
    if (await svc.orders.get(number)) return;
    await svc.db.run("DELETE FROM {purchase} WHERE id = ? AND state = 'pending'", [id]);
  }
};
