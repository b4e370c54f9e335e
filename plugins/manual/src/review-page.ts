import { amountText, html, moneyText, type CallContext, type OrderSummary, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Proof } from './proofs.js';

const LIST = '/admin/plugin.php?p=manual&page=proofs';

/** Data of a proof's page. */
export interface ReviewView {
  readonly proof: Proof;
  /** Null if the order was deleted. */
  readonly order: OrderSummary | null;
}

/** Renders one proof with its file and the decision forms. */
export function reviewPage(svc: SvcFacade, ctx: CallContext, view: ReviewView): string {
  return String(html`<p><a href="${LIST}">${ctx.t('to_list')}</a></p>
    <div class="row row-cards">
      <div class="col-lg-7"><div class="card"><div class="card-header"><h2 class="card-title">${ctx.t('proof')}</h2></div>
        <div class="card-body">${filePart(ctx, view.proof)}</div></div></div>
      <div class="col-lg-5">${facts(svc, ctx, view)}${view.proof.state === 'waiting' ? forms(ctx, view) : ''}</div>
    </div>`);
}

function filePart(ctx: CallContext, { id, kind, bytes }: Proof): SafeHtml {
  if (kind === '') return html`<p class="text-secondary mb-0">${ctx.t('no_file')}</p>`;
  if (bytes === 0) return html`<p class="text-secondary mb-0">${ctx.t('file_deleted')}</p>`;
  const href = `/pay/manual/proof/${id}`;
  if (kind === 'pdf') return html`<a class="btn" href="${href}">${ctx.t('download', { kb: Math.ceil(bytes / 1024) })}</a>`;
  return html`<a href="${href}" target="_blank" rel="noopener"><img class="img-fluid rounded border" src="${href}"
    alt="${ctx.t('proof_alt')}"></a>`;
}

function facts(svc: SvcFacade, ctx: CallContext, { proof, order }: ReviewView): SafeHtml {
  const rows: [string, SafeHtml | string][] = [
    [
      'order',
      order ? html`<a href="/admin/order?ddh=${proof.order_no}">${proof.order_no}</a>` : `${proof.order_no} · ${ctx.t('order_gone')}`,
    ],
    ['item', proof.order_name],
    ['amount', moneyText(proof.amount)],
    ['sent', svc.timeText(proof.sent_at)],
    ...(proof.note ? [['note', proof.note] as [string, string]] : []),
    ['state', ctx.t(`state_${proof.state}`)],
    ...(proof.state === 'waiting' && order?.status === 'unpaid' ? [['held', svc.timeText(proof.held_until)] as [string, string]] : []),
    ...(proof.decided_at && proof.decided_by
      ? [['decided', `${proof.decided_by} · ${svc.timeText(proof.decided_at)}`] as [string, string]]
      : []),
    ...(proof.reason ? [['reason', proof.reason] as [string, string]] : []),
  ];
  return html`<div class="card mb-3"><div class="card-body"><dl class="row mb-0">${rows.map(
    ([key, value]) => html`<dt class="col-5">${ctx.t(key)}</dt><dd class="col-7 text-break">${value}</dd>`,
  )}</dl></div></div>`;
}

/** Warnings, and the two decision forms. */
function forms(ctx: CallContext, { proof, order }: ReviewView): SafeHtml {
  const warning = !order ? 'warn_gone' : order.status === 'closed' ? 'warn_closed' : order.status === 'unpaid' ? '' : 'warn_paid';
  const params = { number: proof.order_no, rmb: amountText(proof.amount) };
  return html`${warning ? html`<div class="alert alert-warning" role="status"><div class="alert-body">${ctx.t(warning)}</div></div>` : ''}
    ${
      order
        ? html`<form class="card mb-3" data-ajax="p_manual_confirm" data-done="${LIST}" data-confirm="${ctx.t('confirm_question', params)}"
          novalidate>
      <div class="card-body"><p>${ctx.t('confirm_text')}</p><div class="alert alert-danger mb-0" role="alert" data-form-error hidden></div>
        <input type="hidden" name="id" value="${proof.id}"></div>
      <div class="card-footer"><button type="submit" class="btn btn-primary w-100">${ctx.t('confirm', params)}</button></div></form>`
        : ''
    }
    <form class="card" data-ajax="p_manual_reject" data-done="${LIST}" novalidate>
      <div class="card-body"><div class="alert alert-danger" role="alert" data-form-error hidden></div><input type="hidden" name="id"
        value="${proof.id}">
        <label class="form-label" for="reject-reason">${ctx.t('reject_reason')}</label><textarea class="form-control" id="reject-reason"
          name="reason" rows="2" maxlength="200" required aria-describedby="reject-hint"></textarea>
        <div class="form-hint" id="reject-hint">${ctx.t('reject_hint')}</div></div>
      <div class="card-footer"><button type="submit" class="btn btn-outline-danger w-100">${ctx.t('reject')}</button></div></form>`;
}
