// @ts-check
'use strict';

const { definePlugin } = require('@svc/sdk');

const { registerAdmin } = require('./lib/admin.js');
const { Credentials } = require('./lib/credentials.js');
const { forgetUnpaid } = require('./lib/forget-unpaid.js');
const { Plans } = require('./lib/plans.js');
const { registerProvisioning } = require('./lib/provisioning.js');
const { registerStorefront } = require('./lib/storefront.js');
const { ShopOrders } = require('./lib/shop-orders.js');
const { migrations } = require('./lib/migrations.js');

/** Sells hosting plans: a public shop, orders, and the account opened in `order.paid`. */
module.exports = definePlugin(async (svc) => {
  await svc.db.migrate(migrations);
  const plans = new Plans(svc);
  const orders = new ShopOrders(svc, await Credentials.load(svc));
  registerAdmin(svc, plans, orders);
  const openRenamed = registerProvisioning(svc, orders);
  registerStorefront(svc, plans, orders, openRenamed);
  svc.svc_add_action('cron', () => forgetUnpaid(svc));
});
