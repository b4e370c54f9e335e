import { Orders, payPagePath, type Order } from '../../src/payment/index.js';

import type { TestPanel } from './panel.js';

/** Creates an unpaid order; the payment method is chosen later. */
export function newOrder(panel: TestPanel, amount = 1_050, name = 'VIP会员'): Promise<Order> {
  return panel.get(Orders).create({ user: 'buyer', scene: 'test', name, amount });
}

/** Returns the state of an order. */
export async function stateOf(panel: TestPanel, { id }: Order): Promise<string> {
  return (await panel.get(Orders).get(id))!.status;
}

/**
 * Chooses a payment method on the pay page of an order.
 *
 * @returns the response the buyer's browser receives
 */
export function choose(panel: TestPanel, order: Order, type: string, headers: Record<string, string> = {}): Promise<Response> {
  return panel.fetch(payPagePath(order), { method: 'POST', body: new URLSearchParams({ type }), redirect: 'manual', headers });
}

/** Returns the target and the fields of the only form of a page. */
export function formOf(page: string): { action: string; fields: Record<string, string> } {
  const words = (text: string): string =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name, value]) => [words(name!), words(value!)] as const,
  );
  return { action: words(/<form[^>]* action="([^"]*)"/.exec(page)![1]!), fields: Object.fromEntries(fields) };
}
