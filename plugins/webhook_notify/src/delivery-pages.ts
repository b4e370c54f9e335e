import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { defineList, html, SVC_FACADE, type AjaxResult, type CallContext, type ListDeclaration, type SvcFacade } from '@svc/sdk';

import { Deliveries, type Delivery } from './deliveries.js';
import { Sender } from './sender.js';

const PAGE = '/admin/plugin.php?p=webhook_notify&page=deliveries';

const STATES: NonNullable<ListDeclaration['columns'][number]['badges']> = {
  waiting: ['yellow', 'state_waiting'],
  sent: ['green', 'state_sent'],
  failed: ['red', 'state_failed'],
};

const DELIVERIES = defineList({
  id: 'deliveries',
  operation: 'p_webhook_notify_list',
  empty: 'none',
  filters: [{ field: 'state', label: 'state', choices: Object.entries(STATES).map(([value, [, title]]) => [value, title] as const) }],
  columns: [
    { field: 'event', title: 'event', kind: 'named', notes: [{ text: (row) => String(row.error), tone: 'danger' }] },
    { field: 'state', title: 'state', kind: 'badge', badges: STATES },
    { field: 'status', title: 'status' },
    { field: 'attempts', title: 'attempts' },
    { field: 'created', title: 'created', kind: 'moment' },
    { field: 'next', title: 'next', kind: 'moment' },
  ],
  actions: [{ label: 'again', operation: 'p_webhook_notify_again', confirm: 'again_confirm', when: ({ state }) => state !== 'waiting' }],
});

/** Administrators' page and operations for deliveries. */
@Injectable()
export class DeliveryPages implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(Sender) private readonly sender: Sender,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_menu('admin', { title: 'menu', icon: 'mdi-webhook', order: 75, page: 'deliveries' });
    svc.svc_register_page('admin', 'deliveries', 'pages/deliveries.liquid', 'menu', { lists: [DELIVERIES] });
    svc.svc_register_widget('admin', 'main', (ctx) => this.widget(ctx));
    svc.svc_register_ajax('admin', 'p_webhook_notify_list', (ctx) => this.list(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_webhook_notify_again', (ctx) => this.again(ctx), 'admin', { audit: 'audit.sent_again' });
    svc.svc_register_ajax('admin', 'p_webhook_notify_test', (ctx) => this.test(ctx), 'admin', {
      audit: 'audit.test_sent',
      rate: 'expensive',
    });
  }

  private async widget(ctx: CallContext) {
    const { total } = await this.deliveries.page('failed', 0, 1);
    if (total === 0) return null;
    const text = html`<p>${ctx.t('failed_count', { count: total })} <a href="${PAGE}&state=failed">${ctx.t('menu')}</a></p>`;
    return { title: ctx.t('menu'), html: String(text), width: 4 };
  }

  private async list({ body }: CallContext): Promise<AjaxResult> {
    const state = Object.hasOwn(STATES, body.state ?? '') ? body.state! : '';
    const size = within(body.limit, 200, 20);
    const { total, rows } = await this.deliveries.page(state, (within(body.page, 100_000, 1) - 1) * size, size);
    return { total, rows: rows.map((row) => this.line(row)) };
  }

  private async again(ctx: CallContext): Promise<AjaxResult> {
    const id = Number(ctx.body.id);
    if (!Number.isSafeInteger(id) || !(await this.deliveries.again(id, Date.now()))) return { success: false, code: ctx.t('gone') };
    await this.sender.send(id);
    return { success: true, code: ctx.t('again_done') };
  }

  private async test(ctx: CallContext): Promise<AjaxResult> {
    const { ok, error } = await this.sender.test();
    return { success: ok, code: ok ? ctx.t('test_done') : ctx.t('test_failed', { error }) };
  }

  private line({ id, event, state, status, attempts, error, created_at, due_at }: Delivery): object {
    const time = (at: number): string => new Date(Number(at)).toLocaleString('sv-SE', { timeZone: this.svc.timezone });
    return {
      id,
      event,
      state,
      status: status || '–',
      attempts,
      error,
      created: time(created_at),
      next: state === 'waiting' ? time(due_at) : '',
    };
  }
}

const within = (value: string | undefined, max: number, otherwise: number): number =>
  /^[1-9]\d{0,5}$/.test(value ?? '') ? Math.min(Number(value), max) : otherwise;
