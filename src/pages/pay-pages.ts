import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { localPath, toYuan, translate, type Locale } from '../common/index.js';
import { cookieLine } from '../auth/index.js';
import { ANY_HTTPS_SITE, ANY_SITE, HTML_TYPE, PAGE_HEADERS, sendBody, sendJson, sendRedirect } from '../http/index.js';
import { TOP_UP_SCENE } from '../ledger/index.js';
import type { RequestContext } from '../operations/index.js';
import {
  Dispatch,
  Orders,
  RETURN_COOKIE,
  PaymentMethods,
  PaymentRegistry,
  payPagePath,
  readBuildResult,
  type Order,
} from '../payment/index.js';
import type { BuildResult } from '../sdk/index.js';
import { trustedHtml } from '../theme/index.js';
import { PageSender } from '../web/index.js';

import { ReceiptPage } from './receipt-pages.js';

/** How long a buyer may stay at the gateway and still return to the order, in seconds. */
const RETURN_COOKIE_AGE = 2 * 3600;

/** Pages to choose a payment method, go to the gateway, and return. The holder of the order's key may pay it. */
@Injectable()
export class PayPages {
  constructor(
    private readonly orders: Orders,
    private readonly methods: PaymentMethods,
    private readonly gateways: PaymentRegistry,
    private readonly dispatch: Dispatch,
    private readonly pages: PageSender,
    private readonly receipts: ReceiptPage,
  ) {}

  /** Shows the payment page of an unpaid order, or the result page of any other. */
  async show(res: ServerResponse, call: RequestContext, number: string): Promise<void> {
    const order = await this.find(call, number);
    if (!order) return this.missing(res, call);
    if (order.status === 'unpaid' && call.query.done === undefined) return this.choose(res, call, order);
    await this.pages.send(res, call, 'pay', 'result', {
      order: summary(order),
      status_url: payPagePath(order, '/status'),
      back: payPagePath(order),
      ...onwardsFrom(order),
      receipt_url: order.paidAt === null ? undefined : payPagePath(order, '/receipt'),
    });
  }

  /** Starts the payment with the chosen method and leads to the gateway. */
  async pay(res: ServerResponse, call: RequestContext, number: string): Promise<void> {
    const order = await this.find(call, number);
    return order ? this.lead(res, call, order) : this.missing(res, call);
  }

  /** Leads to the gateway of the payment type string in the field `type`, or shows the choice. */
  async lead(res: ServerResponse, call: RequestContext, order: Order): Promise<void> {
    if (order.status !== 'unpaid') return sendRedirect(res, payPagePath(order), 303);
    const type = call.body.type ?? '';
    const enabled = (await this.methods.available(order.amount)).some((method) => `${method.plugin}__${method.method}` === type);
    if (!enabled) return this.choose(res, call, order, await this.notOffered(call, order, type));
    res.setHeader('Set-Cookie', returnCookie(order, call.baseUrl.startsWith('https:')));
    const { ip, locale } = call;
    const result = await this.dispatch.dispatch(order.number, type, { ip, locale, device: isMobile(call) ? 'mobile' : 'pc' });
    await this.sendBuilt(res, call, order, type, result);
  }

  private async notOffered({ locale }: RequestContext, { amount }: Order, type: string): Promise<string> {
    const range = this.methods.beyond(type, amount);
    if (!range) return translate(locale, 'web.choose_method');
    const [name, least, most] = [this.methods.names(locale)(type), toYuan(range.least), toYuan(range.most)];
    return translate(locale, 'payment.method_amount', { name, least, most });
  }

  async receipt(res: ServerResponse, call: RequestContext, number: string): Promise<void> {
    const order = await this.find(call, number);
    return order ? this.receipts.show(res, call, order) : this.missing(res, call);
  }

  async makeReceipt(res: ServerResponse, call: RequestContext, number: string): Promise<void> {
    const order = await this.find(call, number);
    return order ? this.receipts.make(res, call, order) : this.missing(res, call);
  }

  /** Returns `{status}` for the waiting page. */
  async status(res: ServerResponse, call: RequestContext, number: string): Promise<void> {
    const order = await this.find(call, number);
    sendJson(res, { status: 200, body: { status: order?.status ?? 'unknown' } });
  }

  private async sendBuilt(res: ServerResponse, call: RequestContext, order: Order, type: string, result: BuildResult): Promise<void> {
    const step = readBuildResult(result);
    if (!step) return this.choose(res, call, order, translate(call.locale, 'web.gateway_failed'));
    if (step.kind === 'redirect') return sendRedirect(res, step.url, 303);
    if (step.kind === 'html') {
      const own = this.gateways.find(type)?.gateway.formTargets ?? [];
      // If the gateway names targets, only those are allowed without TLS; any HTTPS site is allowed, because it may lead on to a bank.
      const targets = own.length ? [...ANY_HTTPS_SITE, ...own] : ANY_SITE;
      sendBody(res, 200, HTML_TYPE, step.html, {
        ...PAGE_HEADERS,
        // The gateway's own form, often submitted by an inline script: a separate page that shares nothing with ours.
        'Content-Security-Policy':
          `default-src 'self' https: data:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline' ` +
          `https:; frame-ancestors 'none'; base-uri 'none'; form-action 'self' ${targets.join(' ')}`,
      });
      return;
    }
    const { default: QRCode } = await import('qrcode');
    await this.pages.send(res, call, 'pay', 'qrcode', {
      order: summary(order),
      qrcode: trustedHtml(await QRCode.toString(step.text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })),
      method_name: await this.methodName(type, call.locale),
      status_url: payPagePath(order, '/status'),
      done_url: `${payPagePath(order)}&done=1`,
      back: payPagePath(order),
    });
  }

  private async choose(res: ServerResponse, call: RequestContext, order: Order, error?: string): Promise<void> {
    const available = await this.methods.available(order.amount, call.locale);
    await this.pages.send(
      res,
      call,
      'pay',
      'choose',
      {
        order: summary(order),
        methods: available.map(({ plugin, method, display_name, icon }) => ({ type: `${plugin}__${method}`, display_name, icon })),
        action: payPagePath(order),
        selected: order.type || undefined,
        error,
      },
      { status: error ? 422 : 200, formTargets: ANY_SITE },
    );
  }

  private async methodName(type: string, locale: Locale): Promise<string> {
    const method = (await this.methods.available(undefined, locale)).find(
      (candidate) => `${candidate.plugin}__${candidate.method}` === type,
    );
    return method?.display_name ?? type;
  }

  /** Returns the order if the key matches; otherwise null, which reveals nothing about it. */
  private async find(call: RequestContext, number: string): Promise<Order | null> {
    const order = await this.orders.get(number);
    const given = Buffer.from(call.query.k ?? '');
    const key = Buffer.from(order?.accessKey ?? '');
    return order && given.length === key.length && timingSafeEqual(given, key) ? order : null;
  }

  private missing(res: ServerResponse, call: RequestContext): Promise<void> {
    return this.pages.sendError(res, call, 'pay', 404, 'web.order_missing', 'web.order_missing_text');
  }
}

function returnCookie(order: Order, secure: boolean): string {
  return cookieLine(RETURN_COOKIE, `${order.number}.${order.accessKey}`, RETURN_COOKIE_AGE, secure);
}

function summary(order: Order): Record<string, unknown> {
  const { number, name, amount, coupon, discount, status } = order;
  return { number, name, amount, coupon, discount, original: amount + discount, status, created_at: order.createdAt.toISOString() };
}

/**
 * Returns where the buyer continues: a path of this site in the order's context, set by the shop that created it; else
 * the owner's page of the order. For a top-up the shop's page is that of the credit.
 */
function onwardsFrom({ context, scene, ownerKind, number }: Order): { done_url?: string; done_to?: 'order' | 'credit' } {
  const { done_url: url } = context as { done_url?: unknown };
  if (typeof url === 'string' && /^\/[\x21-\x7e]*$/.test(url) && localPath(url) === url)
    return { done_url: url, done_to: scene === TOP_UP_SCENE ? 'credit' : 'order' };
  return ownerKind === 'account' ? { done_url: `/user/order?ddh=${number}`, done_to: 'order' } : {};
}

function isMobile(call: RequestContext): boolean {
  return /Mobile|Android|iPhone/i.test(call.headers['user-agent'] ?? '');
}
