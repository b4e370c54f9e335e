import { between } from '@svc/gateway-kit';
import {
  amountText,
  defineList,
  html,
  type AjaxResult,
  type CallContext,
  type ListDeclaration,
  type RouteResult,
  type SvcFacade,
} from '@svc/sdk';

import { PROOF_TYPES } from './proof-kind.js';
import type { Proof, Proofs } from './proofs.js';
import { reviewPage } from './review-page.js';

const STATES: NonNullable<ListDeclaration['columns'][number]['badges']> = {
  waiting: ['yellow', 'state_waiting'],
  confirmed: ['green', 'state_confirmed'],
  rejected: ['red', 'state_rejected'],
  replaced: ['secondary', 'state_replaced'],
};

const PROOFS = defineList({
  id: 'proofs',
  operation: 'p_manual_proofs',
  empty: 'no_proofs',
  search: [['order_no', 'order']],
  filters: [{ field: 'state', label: 'state', choices: Object.entries(STATES).map(([value, [, title]]) => [value, title] as const) }],
  columns: [
    { field: 'order_no', title: 'order', kind: 'named', href: (row) => `/admin/plugin.php?p=manual&page=proof&id=${String(row.id)}` },
    { field: 'name', title: 'item' },
    { field: 'rmb', title: 'amount', kind: 'money' },
    { field: 'sent', title: 'sent', kind: 'moment' },
    { field: 'until', title: 'held', kind: 'moment' },
    { field: 'state', title: 'state', kind: 'badge', badges: STATES },
  ],
  actions: [{ label: 'look', tone: 'primary', href: (row) => `/admin/plugin.php?p=manual&page=proof&id=${String(row.id)}` }],
});

/** Administrators' view of proofs. */
export class Review {
  constructor(
    private readonly svc: SvcFacade,
    private readonly proofs: Proofs,
  ) {}

  register(): void {
    const { svc } = this;
    svc.svc_register_menu('admin', { title: 'menu', icon: 'mdi-bank-transfer-in', order: 62, page: 'proofs' });
    svc.svc_register_page('admin', 'proofs', 'pages/proofs.liquid', 'menu', { lists: [PROOFS] });
    svc.svc_register_page('admin', 'proof', (ctx) => this.page(ctx), 'proof_title');
    svc.svc_register_ajax('admin', 'p_manual_proofs', (ctx) => this.list(ctx), 'admin', { rate: 'read' });
    svc.svc_register_route('GET', `/pay/${svc.slug}/proof/{id}`, ({ id }) => this.file(id ?? ''), 10, 'admin', { rate: 'read' });
    svc.svc_register_widget('admin', 'top', (ctx) => this.widget(ctx));
  }

  private async widget(ctx: CallContext): Promise<string | null> {
    const n = await this.proofs.countWaiting();
    if (n === 0) return null;
    return String(
      html`<div class="alert alert-warning" role="status"><div class="alert-body">${ctx.t('waiting_count', { count: n })}
        <a class="alert-link" href="/admin/plugin.php?p=manual&page=proofs">${ctx.t('waiting_link')}</a></div></div>`,
    );
  }

  private async page(ctx: CallContext): Promise<string | null> {
    const proof = await this.find(ctx.query.id ?? '');
    return proof && reviewPage(this.svc, ctx, { proof, order: await this.svc.orders.get(proof.order_no) });
  }

  private async list({ body }: CallContext): Promise<AjaxResult> {
    const state = Object.hasOwn(STATES, body.state ?? '') ? body.state! : '';
    const size = between(body.limit, 1, 200, 20);
    const { total, rows } = await this.proofs.page(state, searchedOrder(body.where), (between(body.page, 1, 100_000, 1) - 1) * size, size);
    return { total, rows: rows.map((proof) => this.row(proof)) };
  }

  private row({ id, order_no, order_name, amount, state, sent_at, held_until }: Proof): object {
    const until = state === 'waiting' ? instant(held_until) : '';
    return { id, order_no, name: order_name, rmb: amountText(amount), sent: instant(sent_at), until, state };
  }

  /** Serves the file with its detected type only. */
  private async file(id: string): Promise<RouteResult> {
    const proof = await this.find(id);
    const content = proof && proof.kind !== '' ? await this.proofs.file(proof.id) : null;
    if (!proof || proof.kind === '' || !content)
      return { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: '404' };
    return {
      headers: {
        'Content-Type': PROOF_TYPES[proof.kind],
        'Content-Disposition': `${proof.kind === 'pdf' ? 'attachment' : 'inline'}; filename="proof-${proof.id}.${proof.kind}"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Cache-Control': 'private, no-store',
      },
      body: content,
    };
  }

  private find(id: string): Promise<Proof | null> {
    return /^\d{1,15}$/.test(id) ? this.proofs.get(Number(id)) : Promise.resolve(null);
  }
}

const instant = (at: number): string => new Date(at).toISOString();

function searchedOrder(where: string | undefined): string {
  try {
    const { name, value } = JSON.parse(where ?? '') as { name?: unknown; value?: unknown };
    return name === 'order_no' && typeof value === 'string' ? value.trim().slice(0, 40) : '';
  } catch {
    return '';
  }
}
