'use strict';

const { lastDay } = require('./periods.js');

/**
 * Opens the account of a paid order. A durable listener: it is called again until it has finished, and the idempotency
 * key makes sure that no second account comes of it.
 *
 * @param {import('../../../src/sdk/index.js').SvcFacade} svc
 * @param {import('./shop-orders.js').ShopOrders} orders
 */
exports.registerProvisioning = function registerProvisioning(svc, orders) {
  svc.svc_add_action(
    'order.paid',
    async (order) => {
      if (order.scene !== 'hosting') return;
      const purchase = await orders.find(order.ddh);
      if (!purchase || purchase.state === 'opened') return;
      const [plan] = await svc.db.query('SELECT node, web_mb, database_mb, traffic_gb, domains FROM {plan} WHERE id = ?', [purchase.plan_id]);
      if (!plan) {
        await orders.failed(order.ddh, 'The plan was deleted. Open the account by hand, or refund the order.');
        throw new Error(`The plan of order ${order.ddh} was deleted.`);
      }
      try {
        const host = await svc.hosts.provision({
          node: plan.node,
          user: purchase.username,
          password: orders.password(purchase),
          expiresOn: lastDay(new Date(), Number(purchase.months)),
          webMb: Number(plan.web_mb),
          databaseMb: Number(plan.database_mb),
          trafficGb: Number(plan.traffic_gb),
          domains: Number(plan.domains),
          idempotencyKey: `hosting_shop:${order.ddh}`,
        });
        await orders.opened(order.ddh, host.id);
      } catch (error) {
        await orders.failed(order.ddh, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    20,
    { id: 'provision' },
  );
};
