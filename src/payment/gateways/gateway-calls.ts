import { Injectable } from '@nestjs/common';

import { DEFAULT_LOCALE, PluginCallError, errorMessage, runInFrame, translate, translateFor, type Locale } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import type {
  GatewayCallContext,
  GatewayPayment,
  GatewayRefundRequest,
  GatewayRefundResult,
  GatewayTestResult,
  OrderRecord,
} from '../../sdk/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { Orders } from '../orders/index.js';

import { readPayment, readRefund, readTest, wordsOf } from './gateway-answers.js';
import { gatewayName } from './gateway-words.js';
import { PaymentRegistry, isSetUp, type Gateway } from './payment-registry.js';

/** Optional functions of a gateway: query an order, refund it, test the gateway's settings. */
export type GatewayAction = 'query' | 'refund' | 'test';

/** Outcome of a refund; `unknown` if it is not known whether the gateway made it: retry with the same id. */
export type RefundOutcome = GatewayRefundResult | { readonly state: 'unknown'; readonly msg: string };

/**
 * Calls gateways to query orders, refund payments and test their settings. Each call has a plugin callback's deadline, and its result is
 * validated. Must not be used within a transaction: gateways are remote.
 */
@Injectable()
export class GatewayCalls {
  constructor(
    private readonly registry: PaymentRegistry,
    private readonly orders: Orders,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Returns whether an active gateway supports the action. */
  can(slug: string, action: GatewayAction): boolean {
    return this.registry.get(slug)?.record[action] !== undefined;
  }

  /** Returns the slugs of active, configured gateways that support order queries. */
  async askable(): Promise<string[]> {
    const able = this.registry.list().filter(({ record }) => record.query !== undefined);
    const ready = await Promise.all(able.map(async (gateway) => ((await isSetUp(gateway)) ? [gateway.slug] : [])));
    return ready.flat();
  }

  /**
   * Queries the gateway about an order that was sent to it. Settles nothing.
   *
   * @throws PaymentError GATEWAY_OFF, GATEWAY_CANNOT, GATEWAY_SILENT, and GATEWAY_FAILED with the gateway's message
   */
  async query(order: Order, slug: string, locale: Locale = DEFAULT_LOCALE): Promise<GatewayPayment> {
    const { gateway, call } = this.callOf(slug, 'query', locale);
    const record = await this.recordAt(order, slug);
    return this.ask(gateway, locale, readPayment, () => call(record, this.contextOf(gateway, locale)));
  }

  /**
   * Requests a refund from the gateway, idempotent by the id of the request.
   *
   * @returns `unknown` if the call failed without a definite outcome; never throws for that
   * @throws PaymentError GATEWAY_OFF, GATEWAY_CANNOT: it was not asked
   */
  async refund(order: Order, slug: string, request: GatewayRefundRequest, locale: Locale = DEFAULT_LOCALE): Promise<RefundOutcome> {
    const { gateway, call } = this.callOf(slug, 'refund', locale);
    const record = await this.recordAt(order, slug);
    try {
      return await this.ask(gateway, locale, readRefund, () => call(record, { ...request }, this.contextOf(gateway, locale)));
    } catch (error) {
      const words = error instanceof PaymentError ? translate(locale, error.shape.text, error.params) : errorMessage(error);
      return { state: 'unknown', msg: wordsOf(words) };
    }
  }

  /** @throws PaymentError GATEWAY_OFF, GATEWAY_CANNOT, GATEWAY_SILENT, and GATEWAY_FAILED with the error of the test */
  async test(slug: string, locale: Locale): Promise<GatewayTestResult> {
    const { gateway, call } = this.callOf(slug, 'test', locale);
    return this.ask(gateway, locale, readTest, () => call(this.contextOf(gateway, locale)));
  }

  private callOf<Action extends GatewayAction>(
    slug: string,
    action: Action,
    locale: Locale,
  ): { gateway: Gateway; call: NonNullable<Gateway['record'][Action]> } {
    const gateway = this.registry.get(slug);
    if (!gateway) throw new PaymentError('GATEWAY_OFF', { name: slug });
    const call = gateway.record[action];
    if (!call) throw new PaymentError('GATEWAY_CANNOT', { name: gatewayName(gateway, locale) });
    return { gateway, call };
  }

  /** Returns the order as that gateway's `build` received it. */
  private async recordAt(order: Order, slug: string): Promise<OrderRecord> {
    return this.orders.toOrderRecord({ ...order, type: (await this.orders.typeAt(order, slug)) ?? order.type });
  }

  private async ask<Answer>(
    gateway: Gateway,
    locale: Locale,
    read: (value: unknown) => Answer | null,
    call: () => unknown,
  ): Promise<Answer> {
    const { owner } = gateway;
    const name = gatewayName(gateway, locale);
    let value: unknown;
    try {
      value = await runInFrame({ owner }, call);
    } catch (error) {
      if (error instanceof PluginCallError) throw new PaymentError('GATEWAY_SILENT', { name });
      throw new PaymentError('GATEWAY_FAILED', { name, reason: wordsOf(errorMessage(error)) }, undefined, { cause: error });
    }
    const answer = read(value);
    if (answer === null) throw new PaymentError('GATEWAY_FAILED', { name, reason: 'a result that the plugin API does not define' });
    return answer;
  }

  private contextOf({ slug, owner }: Gateway, locale: Locale): GatewayCallContext {
    return {
      locale,
      t: (key, params) => translateFor(owner, locale, key, params),
      notify_url: this.notifyUrl(slug),
    };
  }

  /** Returns the URL for notifications of a gateway. */
  notifyUrl(slug: string): string {
    return `${this.baseUrl.current()}/pay/${slug}/notify`;
  }
}
