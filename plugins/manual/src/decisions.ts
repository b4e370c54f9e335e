import type { AjaxResult, CallContext, OrderSummary, SvcFacade } from '@svc/sdk';

import type { Proof, Proofs } from './proofs.js';

const DAY = 24 * 3_600_000;
/** Minimum days an order stays open after its proof was rejected, for another one. */
const AGAIN_DAYS = 3;
const MAX_REASON = 200;
/** The panel's operation for settling orders by hand, which requires the same permission. */
const SAME_POWER = 'ddbz';

/** The order could not be settled: rolls back the transaction. */
class NotSettled extends Error {}

/** The reseller's decision on a proof: confirmed or rejected. */
export class Decisions {
  constructor(
    private readonly svc: SvcFacade,
    private readonly proofs: Proofs,
  ) {}

  register(): void {
    const { svc } = this;
    const options = { secondProof: true, needs: SAME_POWER } as const;
    svc.svc_register_ajax('admin', 'p_manual_confirm', (ctx) => this.confirm(ctx), 'admin', { ...options, audit: 'audit.confirmed' });
    svc.svc_register_ajax('admin', 'p_manual_reject', (ctx) => this.reject(ctx), 'admin', { ...options, audit: 'audit.rejected' });
  }

  /** Settles the order of a proof like any gateway. */
  private async confirm(ctx: CallContext): Promise<AjaxResult> {
    const proof = await this.waiting(ctx);
    if (!proof) return refusal(ctx, 'not_waiting');
    try {
      return await this.svc.db.transaction(async () => {
        const decision = { state: 'confirmed', at: Date.now(), by: ctx.admin!.username } as const;
        if (!(await this.proofs.decide(proof.id, decision))) return refusal(ctx, 'not_waiting');
        const { slug } = this.svc;
        // The same number as `ddbz` uses, so that the second of two administrators settles nothing.
        const paid = { trade_no: `hand-${proof.order_no}`, amount: proof.amount };
        const { ok, already, msg } = await this.svc.svc_pay_settle_order(proof.order_no, slug, paid);
        if (!ok) throw new NotSettled(msg);
        this.svc.db.noteChange({ of: 'proof', id: proof.id }, { state: 'waiting' }, { state: 'confirmed' });
        const params = { number: proof.order_no };
        return success(ctx.t(already ? await this.alreadyWord(proof.order_no) : 'confirmed_done', params));
      });
    } catch (error) {
      if (!(error instanceof NotSettled)) throw error;
      return refusal(ctx, 'not_settled', { reason: error.message });
    }
  }

  private async reject(ctx: CallContext): Promise<AjaxResult> {
    const reason = (ctx.body.reason ?? '').trim();
    if (reason === '' || reason.length > MAX_REASON) return refusal(ctx, 'reason_rule', {}, 'reason');
    const proof = await this.waiting(ctx);
    if (!proof) return refusal(ctx, 'not_waiting');
    return this.svc.db.transaction(async () => {
      const now = Date.now();
      const isRejected = await this.proofs.decide(proof.id, { state: 'rejected', at: now, by: ctx.admin!.username, reason });
      if (!isRejected) return refusal(ctx, 'not_waiting');
      const order = await this.svc.orders.get(proof.order_no);
      if (order?.status === 'unpaid') await this.svc.orders.hold(order.id, new Date(Math.max(proof.held_until, now + AGAIN_DAYS * DAY)));
      if (order) await this.notifyBuyer(order, proof, reason);
      this.svc.db.noteChange({ of: 'proof', id: proof.id }, { state: 'waiting' }, { state: 'rejected', reason });
      return success(ctx.t('rejected_done', { number: proof.order_no }));
    });
  }

  /** Text for an order that was already paid: by this gateway, or by another, in which case the transfer is a second payment. */
  private async alreadyWord(number: string): Promise<string> {
    const order = await this.svc.orders.get(number);
    return order?.type.startsWith(`${this.svc.slug}__`) ? 'confirmed_already' : 'confirmed_second';
  }

  /** Notifies the owner of the order; anonymous buyers see it on the transfer page. */
  private async notifyBuyer(order: OrderSummary, { id }: Proof, reason: string): Promise<void> {
    if (!order.owner) return;
    const { pathname, search } = new URL(order.pay_url);
    await this.svc.notices.tell({
      to: order.owner,
      key: `rejected:${id}`,
      kind: 'payment',
      level: 'warning',
      title: 'notice_rejected',
      text: 'notice_rejected_text',
      params: { number: order.ddh, rmb: order.money, reason },
      link: 'account' in order.owner ? `/user/order?ddh=${order.ddh}` : `${pathname}${search}`,
    });
  }

  private async waiting({ body }: CallContext): Promise<Proof | null> {
    const proof = /^\d{1,15}$/.test(body.id ?? '') ? await this.proofs.get(Number(body.id)) : null;
    return proof?.state === 'waiting' ? proof : null;
  }
}

function success(text: string): AjaxResult {
  return { success: true, qk: 1, code: text, msg: text, data: {} };
}

function refusal(ctx: CallContext, key: string, params: Record<string, string> = {}, field?: string): AjaxResult {
  const text = ctx.t(key, params);
  const fields = field ? { fields: { [field]: text } } : {};
  return { success: false, qk: 4, code: text, msg: text, err: field ? 'E_ARGS' : 'E_STATE', data: null, ...fields };
}
