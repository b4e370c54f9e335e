import { setTimeout as pause } from 'node:timers/promises';

import type { PanelClient } from './panel-client.js';
import { signedNotification } from './rush-plugin.js';
import { accepted, type MortalPanels, type Visitor } from './mortal-panels.js';

/** Maximum pause of a buyer between two steps, in milliseconds, so that panels also die between steps. */
const STROLL_MS = 1_000;
const PASSWORD = 'a-password-of-my-own';

/** Order that is created, paid and in some cases refunded. */
export interface RushOrder {
  readonly at: number;
  readonly scene: 'hosting' | 'xf' | 'yecz' | 'gift';
  /** Index of the regular hosting account that orders. */
  readonly regular: number;
  readonly way: 'gateway' | 'credit';
  /** Number of copies of each notification, sent at once. */
  readonly copies: number;
  /** Whether it is paid a second time, with another transaction. */
  readonly twice: boolean;
  readonly refund: 'gateway' | 'ye' | null;
}

/** Hosting account that orders repeatedly. */
export interface Regular {
  readonly id: number;
  readonly visitor: Visitor;
}

interface Shown {
  readonly order: { readonly id: number; readonly rmb: string };
  readonly refundable: string;
}

/** Returns random orders: all scenes, payment methods and refunds. */
export function planRush(count: number, regulars: number, chance: () => number): RushOrder[] {
  return Array.from({ length: count }, (_, at) => {
    const scene = (['hosting', 'xf', 'xf', 'yecz', 'gift', 'gift'] as const)[Math.floor(chance() * 6)]!;
    const [regular, copies] = [Math.floor(chance() * regulars), 1 + Math.floor(chance() * 3)];
    const way = (scene === 'xf' || scene === 'gift') && chance() < 0.35 ? 'credit' : 'gateway';
    const twice = way === 'gateway' && chance() < 0.1;
    const refund = scene === 'gift' && way === 'gateway' && chance() < 0.4 ? (chance() < 0.5 ? 'gateway' : 'ye') : null;
    return { at, scene, regular, way, copies, twice, refund };
  });
}

/** Buyers and the gateway's notifications, against panels that are killed meanwhile. */
export class OrderRush {
  /** Number of each order. */
  readonly numbers = new Map<number, string>();

  constructor(
    private readonly panels: MortalPanels,
    private readonly admin: Visitor,
    private readonly anybody: Visitor,
    private readonly regulars: readonly Regular[],
    private readonly chance: () => number,
  ) {}

  /** Runs all steps of an order. */
  async play(order: RushOrder): Promise<void> {
    const { number, payPath } = await this.create(order);
    this.numbers.set(order.at, number);
    await pause(this.chance() * STROLL_MS);
    if (order.way === 'credit') await this.payByCredit(order, number);
    else await this.payByGateway(order, number, payPath);
    await pause(this.chance() * STROLL_MS);
    if (order.refund) await this.refund(number, order.refund);
  }

  private async create(order: RushOrder): Promise<{ number: string; payPath: string }> {
    const { scene, at, regular } = order;
    const what = `order ${at} (${scene})`;
    const host = this.regulars[regular]!;
    const answer = await this.panels.until(scene === 'hosting' ? this.anybody : host.visitor, what, async (client) => {
      const post = (path: string, body: Record<string, string>) =>
        client.send(path, { method: 'POST', body: new URLSearchParams(body) }).then(accepted);
      if (scene === 'hosting')
        return post('/shop/api/create_order', {
          plan_id: '1',
          period: 'month',
          username: `rush-${String(at).padStart(4, '0')}`,
          password: PASSWORD,
          request: `request-${at}`,
        });
      if (scene === 'gift') return post('/rush/gift', { request: `gift-${at}`, host: String(host.id), amount: String(500 + at) });
      const asked: Record<string, string> = scene === 'xf' ? { zq: '2' } : { rmb: `${10 + (at % 7)}.5` };
      return accepted(await client.ajax('user', { gn: 'xdd', scene, qqh: `rush-${at}`, ...asked }));
    });
    const { order_no, ddh, number, pay_url, pay_path } = answer as Record<string, string>;
    return { number: (order_no ?? ddh ?? number)!, payPath: (pay_path ?? pay_url)!.replace(/^https?:\/\/[^/]+/, '') };
  }

  private async payByGateway({ at, copies, twice }: RushOrder, number: string, payPath: string): Promise<void> {
    const money = await this.panels.until(this.admin, `order ${at} sent to the gateway`, async (client) => {
      const sent = await client.send(payPath, { method: 'POST', body: new URLSearchParams({ type: 'rush__card' }) });
      if (sent.status !== 302 && sent.status !== 303) throw new Error(`${sent.status} ${sent.text.slice(0, 300)}`);
      return (await this.shown(client, number)).order.rmb;
    });
    for (const trade of [`T-${at}`, ...(twice ? [`T-${at}-again`] : [])]) {
      await this.notify(at, signedNotification(number, trade, money), copies);
    }
    // Gateways also repeat notifications that were accepted.
    await this.notify(at, signedNotification(number, `T-${at}`, money), 1);
  }

  /** Repeats a notification, as gateways do, until one copy is accepted. */
  private async notify(at: number, fields: Record<string, string>, copies: number): Promise<void> {
    await this.panels.until(this.anybody, `order ${at} notified`, async () => {
      const said = await Promise.allSettled(
        Array.from({ length: copies }, (_, copy) =>
          this.anybody[(at + copy) % this.anybody.length]!.send('/pay/rush/notify', { method: 'POST', body: new URLSearchParams(fields) }),
        ),
      );
      return said.some((one) => one.status === 'fulfilled' && one.value.text === 'success') ? true : null;
    });
  }

  private async payByCredit({ at, regular }: RushOrder, number: string): Promise<void> {
    const { visitor } = this.regulars[regular]!;
    await this.panels.until(visitor, `order ${at} paid by credit`, async (client) => {
      const sent = (await client.ajax('user', { gn: 'ddzf', ddh: number, ff: 'balance__balance' })).json;
      // The order may have been paid by an earlier attempt whose answer was lost.
      const paid = await client.send('/pay/balance/pay', { method: 'POST', body: new URLSearchParams({ out_trade_no: number }) });
      if (paid.status !== 303 || !paid.headers.get('location')!.includes('done=1'))
        throw new Error(`${paid.status} ${JSON.stringify(sent)} ${paid.text.slice(0, 200)}`);
      return true;
    });
  }

  /** Refunds the full amount. If an answer was lost, the order shows whether it was refunded. */
  private async refund(number: string, qd: 'gateway' | 'ye'): Promise<void> {
    await this.panels.until(this.admin, `${number} given back`, async (client) => {
      const { order, refundable } = await this.shown(client, number);
      if (Number(refundable) === 0) return true;
      accepted(await client.ajax('admin', { gn: 'ddtk', id: String(order.id), rmb: order.rmb, qd, yy: 'the rush' }));
      return true;
    });
  }

  private async shown(client: PanelClient, number: string): Promise<Shown> {
    return accepted(await client.ajax('admin', { gn: 'ddsj', ddh: number })) as unknown as Shown;
  }
}
