import { Injectable } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { GatewayCalls } from '../gateways/index.js';
import { type OrderActor, Orders } from '../orders/index.js';

import { Inquiries, type InquiryAnswer } from './inquiries.js';
import { InquiryRepository } from './inquiry-repository.js';

/** Name of the background task. */
export const INQUIRY_TASK = 'orders.inquiry';
const BATCH = 100;
/** Orders queried in parallel. */
const CONCURRENCY = 4;

/** Payload of the task: the period in which the orders were created, in milliseconds. */
interface InquiryPeriod {
  readonly from: number;
  readonly to: number;
  /** Name of the administrator. */
  readonly by: string;
}

/** Counts of a run. */
export interface InquiryReport {
  /** Orders queried. */
  readonly asked: number;
  /** Orders that were settled. */
  readonly settled: number;
  /** Inquiries that failed. */
  readonly failed: number;
}

/** Queries gateways about all open and closed orders of a period, in the background. */
@Injectable()
export class InquiryRun {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly repository: InquiryRepository,
    private readonly inquiries: Inquiries,
    private readonly orders: Orders,
    private readonly calls: GatewayCalls,
  ) {}

  /**
   * Queries every gateway an order was sent to, in parallel.
   *
   * @returns at least one answer
   * @throws PaymentError NOTHING_TO_ASK if none can be queried; ASKED_JUST_NOW if another inquiry is running or was just made
   */
  async askNow(order: Order, actor: OrderActor, locale: Locale): Promise<InquiryAnswer[]> {
    const gateways = (await this.repository.gatewaysOf(order.id)).filter((gateway) => this.calls.can(gateway, 'query'));
    if (gateways.length === 0) throw new PaymentError('NOTHING_TO_ASK');
    const answers = await Promise.all(
      gateways.map(async (gateway) =>
        (await this.repository.take(order.id, gateway)) ? [await this.inquiries.ask(order, gateway, actor, locale)] : [],
      ),
    );
    if (answers.flat().length === 0) throw new PaymentError('ASKED_JUST_NOW');
    return answers.flat();
  }

  /** Queues a run; only one at a time. @returns the id of the task */
  order(from: Date, to: Date, by: string): Promise<string> {
    const payload: InquiryPeriod = { from: from.getTime(), to: to.getTime(), by };
    return this.queue.add(INQUIRY_TASK, payload, { key: INQUIRY_TASK, by });
  }

  /** @throws Error when it is aborted; results so far are kept */
  @BackgroundTask({ name: INQUIRY_TASK, attempts: 2, timeoutMinutes: 240 })
  async run(payload: unknown, turn: TaskTurn): Promise<InquiryReport> {
    const { from, to, by } = payload as InquiryPeriod;
    const span = [new Date(from), new Date(to)] as const;
    const total = await this.repository.openCount(...span);
    // A gateway that fails to respond once is skipped for the rest of the run.
    const able = new Set(await this.calls.askable());
    const report = { asked: 0, settled: 0, failed: 0 };
    let done = 0;
    for (let last = 0; ;) {
      const ids = await this.repository.openOrders(...span, last, BATCH);
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < ids.length) {
          turn.signal.throwIfAborted();
          const id = ids[next]!;
          next += 1;
          await this.askOne(id, by, able, report);
          done += 1;
          turn.progress(done, Math.max(done, total));
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (ids.length < BATCH) return report;
      last = ids.at(-1)!;
    }
  }

  private async askOne(
    id: number,
    by: string,
    able: Set<string>,
    report: { -readonly [part in keyof InquiryReport]: number },
  ): Promise<void> {
    const gateways = (await this.repository.gatewaysOf(id)).filter((gateway) => able.has(gateway));
    const order = await this.orders.get(id);
    if (!order || gateways.length === 0) return;
    report.asked += 1;
    for (const gateway of gateways) {
      if (!able.has(gateway) || !(await this.repository.take(id, gateway))) continue;
      const { outcome } = await this.inquiries.ask(order, gateway, { source: 'admin', actor: by });
      if (outcome === 'silent') able.delete(gateway);
      if (outcome === 'silent' || outcome === 'failed') report.failed += 1;
      if (outcome === 'settled') report.settled += 1;
    }
  }
}
