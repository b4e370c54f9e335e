import { createHmac } from 'node:crypto';

import type { PluginSource } from './plugins.js';

const KEY = 'the-key-of-the-rush';

/** Signs a payment notification as the gateway of {@link rushPlugin} does. */
export function signedNotification(number: string, trade: string, money: string): Record<string, string> {
  return { number, trade, money, sign: createHmac('sha256', KEY).update(`${number}\n${trade}\n${money}`).digest('hex') };
}

/** When a panel dies during a refund: before the gateway receives the request, or before its answer is stored. */
export type RefundStep = 'asked' | 'answered';

const codeOf = (diesAt?: RefundStep): string => `
const { createHmac } = require('node:crypto');
const fs = require('node:fs');
module.exports = async (svc) => {
  const marker = svc.path + '/killed';
  const die = async (step) => {
    if (step !== '${diesAt ?? ''}' || fs.existsSync(marker)) return;
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
    await new Promise(() => {});
  };
  await svc.db.migrate([
    { id: '001', up: async (schema) => {
      await schema.createTable({
        name: 'gift',
        columns: [
          { name: 'request', type: 'string', length: 40 },
          { name: 'order_no', type: 'string', length: 40 },
          { name: 'delivered', type: 'integer', default: 0 },
        ],
        indexes: [{ columns: ['request'], unique: true }, { columns: ['order_no'], unique: true }],
      });
      await schema.createTable({
        name: 'refund',
        columns: [{ name: 'refund_no', type: 'string', length: 64 }],
        indexes: [{ columns: ['refund_no'], unique: true }],
      });
    } },
  ]);

  svc.svc_register_payment('rush', {
    name: 'Rush',
    methods: { card: { name: 'Card' } },
    build: ({ out_trade_no }) => '/rush/cashier?no=' + out_trade_no,
    notify: async ({ body: { number = '', trade = '', money = '', sign } }) => {
      const right = createHmac('sha256', '${KEY}').update(number + '\\n' + trade + '\\n' + money).digest('hex');
      if (sign !== right) return 'fail';
      const { ok } = await svc.svc_pay_settle_order(number, 'rush', { trade_no: trade, money });
      return ok ? 'success' : 'fail';
    },
    refund: async (_order, { id }) => {
      await die('asked');
      const [row] = await svc.db.query('SELECT id FROM {refund} WHERE refund_no = ?', [id]);
      if (!row) await svc.db.run('INSERT INTO {refund} (refund_no) VALUES (?)', [id]);
      await die('answered');
      return { state: 'done', refund_no: id };
    },
  });

  // An order of its own, once for each request: what it has to know and the order are one transaction.
  svc.svc_register_route('POST', '/rush/gift', async (_params, { body: { request, host, amount } }) => {
    const made = async () => (await svc.db.query('SELECT order_no FROM {gift} WHERE request = ?', [request]))[0];
    const before = await made();
    const number = before ? before.order_no : await svc.db.transaction(async () => {
      const order = await svc.orders.create({
        user: 'gift', scene: 'gift', name: 'Gift', amount: Number(amount), owner: { account: Number(host) },
      });
      await svc.db.run('INSERT INTO {gift} (request, order_no) VALUES (?, ?)', [request, order.ddh]);
      return order.ddh;
    });
    return { code: 'ok', number, pay_url: (await svc.orders.get(number)).pay_url };
  }, 10, null, { audit: false });

  svc.svc_add_action('order.paid', async ({ scene, ddh }) => {
    if (scene === 'gift') await svc.db.run('UPDATE {gift} SET delivered = delivered + 1 WHERE order_no = ? AND delivered = 0', [ddh]);
  }, 10, { id: 'deliver' });

  svc.svc_add_filter('host.renewal.offers', (offers) => [...offers, { months: 2, amount: 1500, name: 'Two months' }]);
};
`;

/**
 * Returns a plugin with a gateway that moves no money, and a scene of its own: gifts, which are delivered by inserting a row.
 *
 * @param diesAt kills its panel once at this step
 */
export const rushPlugin = (diesAt?: RefundStep): PluginSource => ({ files: { 'index.js': codeOf(diesAt) } });
