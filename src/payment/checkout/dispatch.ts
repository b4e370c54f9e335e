import { Inject, Injectable, Optional } from '@nestjs/common';

import { errorMessage, isRefusedCall, loggerFor, runInFrame } from '../../common/index.js';
import type { BuildOptions, BuildResult, OrderRecord } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';
import { PaymentMethods } from '../gateways/index.js';
import { InquiryRepository } from '../inquiries/index.js';
import { PaymentLog } from '../log/index.js';
import { OrderHistoryRepository, Orders } from '../orders/index.js';

import { readBuildResult } from './build-result.js';
import { PAY_FILTERS, type PaymentFilters } from './payment-filters.js';

const log = loggerFor('payment');

const NO_FILTERS: PaymentFilters = { applyFilters: (_hook, value) => value };

/** Sends a buyer to a payment gateway. */
@Injectable()
export class Dispatch {
  constructor(
    private readonly orders: Orders,
    private readonly methods: PaymentMethods,
    private readonly paymentLog: PaymentLog,
    private readonly history: OrderHistoryRepository,
    private readonly inquiries: InquiryRepository,
    @Optional() @Inject(PAY_FILTERS) private readonly filters: PaymentFilters = NO_FILTERS,
  ) {}

  /**
   * Calls the filter `pay.dispatch.before`, then the gateway's `build`; stores the chosen type in the order.
   *
   * @param order id, number or record; reloaded, so that the gateway gets the stored values
   * @param type `{slug}__{method}`
   * @returns the next step in the form of the gateway or filter ({@link readBuildResult} parses it); false if the order cannot be paid
   * this way: unknown or paid order, unknown method, or a `build` that rejects, throws or returns an invalid result
   */
  async dispatch(order: OrderRecord | string | number, type: string, options: BuildOptions = {}): Promise<BuildResult> {
    const found = await this.orders.get(typeof order === 'object' ? order.id : order);
    if (!found || (found.status !== 'unpaid' && found.status !== 'closed')) return false;
    const record = this.orders.toOrderRecord({ ...found, type });
    const shown = await this.filters.applyFilters<string | null>('pay.dispatch.before', null, type, record);
    if (typeof shown === 'string' && shown !== '') return { html: shown };
    return this.build(found, record, type, options);
  }

  private async build(order: Order, record: OrderRecord, type: string, options: BuildOptions): Promise<BuildResult> {
    const found = this.methods.taking(type, order.amount);
    if (found === 'unknown') return this.fail(order, type, 'this payment method is not registered');
    if (found === 'amount') return this.fail(order, type, 'it does not accept this amount or currency');
    // Stored first, because a gateway may notify before its build has returned.
    if (!(await this.orders.chooseType(order.id, type))) return false;
    const { gateway, key } = found;
    if (gateway.record.query) await this.inquiries.sent(order.id, gateway.slug);
    let result: BuildResult;
    try {
      result = await runInFrame({ owner: gateway.owner }, () => gateway.record.build(record, key, options));
    } catch (error) {
      if (!isRefusedCall(error))
        log.error({ err: error, owner: gateway.owner, order: order.number, type }, 'build of a payment gateway failed');
      return this.fail(order, type, `build of "${gateway.owner}" failed: ${errorMessage(error)}`);
    }
    if (result === false) return this.fail(order, type, `"${gateway.owner}" cannot accept this payment now`);
    if (readBuildResult(result)) {
      await this.history.add(order.id, 'sent', { source: gateway.slug }, { type });
      return result;
    }
    log.error({ owner: gateway.owner, order: order.number, type }, 'build of a payment gateway returned an invalid result');
    return this.fail(order, type, `build of "${gateway.owner}" must return a URL, HTML, {redirect}, {html}, {qrcode} or false`);
  }

  private async fail(order: Order, type: string, problem: string): Promise<false> {
    await this.paymentLog.write(`${order.number} ${type}: ${problem}`, 'error');
    await this.history.add(order.id, 'not_sent', { source: 'user' }, { type: type.slice(0, 128), problem: problem.slice(0, 500) });
    return false;
  }
}
