'use strict';

const { lastDay } = require('./periods.js');

/**
 * Opens the accounts of paid orders: in `order.paid`, a durable listener that is called again until it has finished, and, where
 * the buyer had to choose another name, right then and every minute until it worked. The idempotency key makes sure that no
 * second account comes of it.
 *
 * @param {import('../../../src/sdk/index.js').SvcFacade} svc
 * @param {import('./shop-orders.js').ShopOrders} orders
 * @returns {(purchase: object) => Promise<void>} tries a renamed purchase once; what goes wrong stands in its row
 */
exports.registerProvisioning = function registerProvisioning(svc, orders) {
  svc.svc_add_action(
    'order.paid',
    async (order) => {
      if (order.scene !== 'hosting') return;
      const purchase = await orders.find(order.ddh);
      // With another name the purchase is no longer this event's.
      if (!purchase || ['opened', 'name_taken', 'renamed'].includes(purchase.state)) return;
      try {
        await open(svc, orders, purchase);
      } catch (error) {
        // Trying again would not help: the buyer is asked for another name.
        if (isTaken(error)) return void (await orders.nameTaken(order.ddh));
        await orders.failed(order.ddh, messageOf(error));
        throw error;
      }
    },
    20,
    { id: 'provision' },
  );

  async function openRenamed(purchase) {
    try {
      await open(svc, orders, purchase);
    } catch (error) {
      if (isTaken(error)) await orders.nameTaken(purchase.order_no);
      else await orders.remark(purchase.order_no, messageOf(error));
    }
  }

  svc.svc_add_action('cron', async () => {
    for (const purchase of await orders.renamed()) await openRenamed(purchase);
  });

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
  await orders.opened(purchase.order_no, host.id);
}

function isTaken(error) {
  return error instanceof Error && 'code' in error && error.code === 'ACCOUNT_EXISTS';
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
