'use strict';

const { lastDay } = require('./periods.js');

const MINUTE = 60_000;
/** How far back paid orders are compared with purchases: each minute, and at the start and each hour. */
const RECENTLY = 15 * MINUTE;
const EVER = 90 * 24 * 60 * MINUTE;
/** Orders compared at once. */
const PAGE = 200;

/**
 * Opens the accounts of paid orders: in `order.paid`, a durable listener that is called again until it has finished; and, because what
 * was paid must be delivered whatever became of that event, by comparing paid orders with purchases at the start and by the clock. Where
 * the buyer had to choose another name, right then and every minute until it worked. The idempotency key makes sure that no second
 * account comes of it, whoever is first.
 *
 * @param {import('../../../src/sdk/index.js').SvcFacade} svc
 * @param {import('./shop-orders.js').ShopOrders} orders
 * @returns {(purchase: object) => Promise<void>} tries a renamed purchase once; what goes wrong stands in its row
 */
exports.registerProvisioning = function registerProvisioning(svc, orders) {
  /** Opens the account of a paid order, unless that was done or waits for its buyer; throws what another try may mend. */
  async function openPaid(orderNo) {
    const purchase = await orders.find(orderNo);
    // With another name the purchase is no longer this order's alone: its buyer, and the clock, see to it.
    if (!purchase || !['pending', 'failed'].includes(purchase.state)) return;
    try {
      await open(svc, orders, purchase);
    } catch (error) {
      // Trying again would not help: the buyer is asked for another name.
      if (isTaken(error)) return void (await orders.nameTaken(purchase));
      await orders.failed(orderNo, messageOf(error));
      throw error;
    }
  }

  async function openRenamed(purchase) {
    try {
      await open(svc, orders, purchase);
    } catch (error) {
      if (isTaken(error)) await orders.nameTaken(purchase);
      else await orders.remark(purchase.order_no, messageOf(error));
    }
  }

  /** Opens what was paid in the last `period` milliseconds and is not open. */
  async function catchUp(period) {
    const since = new Date(Date.now() - period);
    let after;
    for (;;) {
      const paid = await svc.orders.paid({ scene: 'hosting', since, after, limit: PAGE });
      for (const orderNo of await orders.unopened(paid.map(({ ddh }) => ddh))) {
        await openPaid(orderNo).catch((error) => svc.log.warn('a paid order could not be opened', { order: orderNo, reason: messageOf(error) }));
      }
      if (paid.length < PAGE) return;
      after = paid.at(-1);
    }
  }

  svc.svc_add_action('order.paid', async (order) => (order.scene === 'hosting' ? openPaid(order.ddh) : undefined), 20, { id: 'provision' });

  svc.svc_add_action('cron', async () => {
    for (const purchase of await orders.renamed()) await openRenamed(purchase);
    await catchUp(new Date().getMinutes() === 0 ? EVER : RECENTLY);
  });

  // Not awaited: the shop is open while it looks.
  catchUp(EVER).catch((error) => svc.log.warn('paid orders could not be compared with purchases', { reason: messageOf(error) }));

  return openRenamed;
};

async function open(svc, orders, purchase) {
  const [plan] = await svc.db.query('SELECT node, web_mb, database_mb, traffic_gb, domains FROM {plan} WHERE id = ?', [purchase.plan_id]);
  if (!plan) throw new Error('The plan was deleted. Open the account by hand, or refund the order.');
  const host = await svc.hosts.provision({
    node: plan.node,
    user: purchase.username,
    password: orders.password(purchase),
    expiresOn: lastDay(new Date(), Number(purchase.months), svc.timezone),
    webMb: Number(plan.web_mb),
    databaseMb: Number(plan.database_mb),
    trafficGb: Number(plan.traffic_gb),
    domains: Number(plan.domains),
    idempotencyKey: `hosting_shop:${purchase.order_no}`,
  });
  // Whoever bought it while signed in keeps it among his orders; else it belongs to the account it opened.
  await svc.orders.assign(purchase.order_no, { account: host.id });
  await orders.opened(purchase.order_no, host.id);
}

function isTaken(error) {
  return error instanceof Error && 'code' in error && error.code === 'ACCOUNT_EXISTS';
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
