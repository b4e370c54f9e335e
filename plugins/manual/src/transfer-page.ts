import { cardPage, siteLink, type CardFrame } from '@svc/page-kit';
import { html, moneyText, type CallContext, type OrderSummary, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { MAX_PROOF_BYTES } from './proof-file.js';
import { PROOF_TYPES } from './proof-kind.js';
import type { Proof } from './proofs.js';
import type { TransferConfig } from './transfer-config.js';

/** Data of a transfer's page. */
export interface TransferView {
  readonly order: OrderSummary;
  readonly config: TransferConfig;
  /** The latest proof of the order. */
  readonly proof: Proof | null;
  /** Path of this page, including its key. */
  readonly path: string;
  /** Why the submission was rejected, its field (empty for none), and the entered note. */
  readonly problem?: string;
  readonly field?: string;
  readonly note?: string;
}

/** Renders the bank details, amount and reference, and the form for the proof. */
export function transferPage(svc: SvcFacade, ctx: CallContext, view: TransferView): string {
  const { order, config, proof, path, problem, field = '' } = view;
  const waits = proof?.state === 'waiting';
  return page(
    svc,
    ctx,
    waits ? 'waiting' : 'title',
    html`
      ${problem ? html`<p class="warn" role="alert">${problem}</p>` : ''}
      ${stateOf(svc, ctx, view)}
      <p class="amount">${moneyText(order.amount)}</p>
      ${config.isReady ? details(ctx, order, config) : html`<p class="warn" role="status">${ctx.t('off')}</p>`}
      ${proofForm(ctx, view, waits)}
      ${order.status === 'unpaid' ? html`<p><a href="${order.pay_url}">${ctx.t('other_method')}</a></p>` : ''}`,
    // Anyone with the link may submit, signed in or not.
    { account: '', at: path, wrong: problem ? { [field]: problem } : {} },
  );
}

/** Renders a page with a single message. */
export function messagePage(svc: SvcFacade, ctx: CallContext, titleKey: string, textKey: string): string {
  return page(svc, ctx, titleKey, html`<p>${ctx.t(textKey)}</p>${siteLink(svc)}`);
}

function stateOf(svc: SvcFacade, ctx: CallContext, { order, proof }: TransferView): SafeHtml | string {
  if (proof?.state === 'waiting') {
    const times = { sent: svc.timeText(proof.sent_at), until: svc.timeText(proof.held_until) };
    return html`<p role="status">${ctx.t(order.status === 'closed' ? 'waiting_closed' : 'waiting_text', times)}</p>`;
  }
  const rejected =
    proof?.state === 'rejected'
      ? html`<p class="warn" role="alert">${ctx.t('rejected_text', { reason: proof.reason })}</p>`
      : html`<p>${ctx.t('lead')}</p>`;
  return order.status === 'closed' ? html`${rejected}<p class="warn" role="status">${ctx.t('closed_text')}</p>` : rejected;
}

function details(ctx: CallContext, order: OrderSummary, { holder, bank, account, text }: TransferConfig): SafeHtml {
  const lines = [
    ['holder', holder],
    ['bank', bank],
    ['account', account],
    ['reference', order.ddh],
    ['item', order.name],
  ] as const;
  return html`<dl class="details">${lines.map(([key, value]) => html`<dt>${ctx.t(key)}</dt><dd>${value}</dd>`)}</dl>
    <p class="hint">${ctx.t('reference_hint')}</p>${text ? html`<p class="text">${text}</p>` : ''}`;
}

function proofForm(ctx: CallContext, { path, note = '' }: TransferView, waits: boolean): SafeHtml {
  const most = Math.floor(MAX_PROOF_BYTES / 1024 / 1024);
  return html`<h2>${ctx.t(waits ? 'send_other' : 'send_title')}</h2>
    <form method="post" action="${path}" enctype="multipart/form-data">
      <label for="proof">${ctx.t('proof')}</label><input id="proof" type="file" name="proof"
        accept="${Object.values(PROOF_TYPES).join(',')}" aria-describedby="proof-hint">
      <p class="hint" id="proof-hint">${ctx.t('proof_hint', { most })}</p>
      <label for="note">${ctx.t('note')}</label><textarea id="note" name="note" rows="3" maxlength="500"
        aria-describedby="note-hint">${note}</textarea>
      <p class="hint" id="note-hint">${ctx.t('note_hint')}</p>
      <button>${ctx.t('send')}</button>
    </form>`;
}

function page(svc: SvcFacade, ctx: CallContext, titleKey: string, content: SafeHtml, around: Partial<CardFrame> = {}): string {
  return cardPage(ctx, { titleKey, svc, style: 'manual.css', ...around }, content);
}
