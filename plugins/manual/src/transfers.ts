import { isSameText, orderNumberOf } from '@svc/gateway-kit';
import { onwards } from '@svc/page-kit';
import type { CallContext, HttpReply, OrderSummary, RouteResult, SvcFacade } from '@svc/sdk';

import { readProof } from './proof-file.js';
import type { Proofs } from './proofs.js';
import type { TransferConfig } from './transfer-config.js';
import { messagePage, transferPage, type TransferView } from './transfer-page.js';

/** Payment type of a transfer. */
export const TRANSFER = 'manual__transfer';

const DAY = 24 * 3_600_000;
const MAX_NOTE = 500;

/** The buyer's pages. Anyone with the key of an order's payment page has access. */
export class Transfers {
  constructor(
    private readonly svc: SvcFacade,
    private readonly proofs: Proofs,
    private readonly config: () => Promise<TransferConfig>,
  ) {}

  register(): void {
    const path = `/pay/${this.svc.slug}/transfer`;
    this.svc.svc_register_route('GET', path, (_params, ctx) => this.show(ctx));
    // Submissions are recorded in the list of proofs.
    this.svc.svc_register_route('POST', path, (_params, ctx) => this.send(ctx), 10, null, { rate: 'order', audit: false });
  }

  /** Path of an order's transfer page. */
  pathOf(order: OrderSummary): string {
    return `/pay/${this.svc.slug}/transfer?${new URLSearchParams({ no: order.ddh, k: keyOf(order) })}`;
  }

  private async show(ctx: CallContext): Promise<RouteResult> {
    const order = await this.find(ctx);
    if (!order) return this.missing(ctx);
    return isOpen(order) ? this.page(ctx, order) : toOrder(order);
  }

  private async send(ctx: CallContext): Promise<RouteResult> {
    const order = await this.find(ctx);
    if (!order) return this.missing(ctx);
    if (!isOpen(order)) return toOrder(order);
    const note = (ctx.body.note ?? '').trim();
    const file = readProof(ctx.files);
    if (typeof file === 'string') return this.page(ctx, order, { problem: file, field: 'proof', note });
    if (note.length > MAX_NOTE) return this.page(ctx, order, { problem: 'note_long', field: 'note', note });
    if (!file && note === '') return this.page(ctx, order, { problem: 'nothing_sent', field: 'proof' });
    // A buyer who opens this page directly has not chosen the method yet, and a gateway can settle only orders dispatched to it.
    if (order.type !== TRANSFER && !(await this.svc.svc_pay_dispatch_gateway(order.id, TRANSFER)))
      return this.page(ctx, order, { problem: 'off', note });
    const kept = await this.keep(order, note, file);
    return typeof kept === 'string' ? this.page(ctx, order, { problem: kept, note }) : onwards(this.pathOf(order));
  }

  /** Stores the proof, holds the order open and notifies administrators, in one transaction. */
  private async keep(order: OrderSummary, note: string, file: Exclude<ReturnType<typeof readProof>, string>) {
    const { holdDays } = await this.config();
    const now = Date.now();
    const until = now + holdDays * DAY;
    return this.svc.db.transaction(async () => {
      const kept = await this.proofs.add(order, note, file, now, until);
      if (typeof kept === 'string') return kept;
      await this.svc.orders.hold(order.id, new Date(until));
      await this.notifyAdministrators(order, kept);
      return kept;
    });
  }

  private async notifyAdministrators(order: OrderSummary, id: number): Promise<void> {
    await this.svc.notices.tell({
      to: 'administrators',
      key: `proof:${id}`,
      kind: 'payment',
      level: 'warning',
      title: 'notice_proof',
      text: 'notice_proof_text',
      params: { number: order.ddh, rmb: order.money, name: order.name },
      link: `/admin/plugin.php?p=${this.svc.slug}&page=proof&id=${id}`,
    });
  }

  /** @param refused why the submission was rejected; `problem` is the key of a text */
  private async page(
    ctx: CallContext,
    order: OrderSummary,
    refused: Pick<TransferView, 'problem' | 'field' | 'note'> = {},
  ): Promise<HttpReply> {
    const { problem } = refused;
    const [config, proof] = await Promise.all([this.config(), this.proofs.lastOf(order.ddh)]);
    const view: TransferView = { order, config, proof, path: this.pathOf(order), ...refused, problem: problem && ctx.t(problem) };
    return {
      status: problem ? 422 : 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: transferPage(this.svc, ctx, view),
    };
  }

  /** Returns the order if the request has its key. */
  private async find({ query }: CallContext): Promise<OrderSummary | null> {
    const number = orderNumberOf(query.no);
    const order = number === '' ? null : await this.svc.orders.get(number);
    return order && isSameText(keyOf(order), query.k ?? '') ? order : null;
  }

  private missing(ctx: CallContext): RouteResult {
    return { status: 404, body: messagePage(this.svc, ctx, 'no_order', 'no_order_text') };
  }
}

/** Closed orders can still be settled by a payment. */
function isOpen({ status }: OrderSummary): boolean {
  return status === 'unpaid' || status === 'closed';
}

function keyOf({ pay_url }: OrderSummary): string {
  return new URL(pay_url).searchParams.get('k') ?? '';
}

function toOrder({ pay_url }: OrderSummary): HttpReply {
  return onwards(`${pay_url}&done=1`);
}
