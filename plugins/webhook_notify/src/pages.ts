import { defineList, html, type AjaxResult, type CallContext, type ListDeclaration, type SvcFacade } from '@svc/sdk';

import type { Deliveries, Delivery } from './deliveries.js';
import type { Sender } from './sender.js';

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

/** What administrators see and do of deliveries. */
export function registerPages(svc: SvcFacade, deliveries: Deliveries, sender: Sender): void {
  svc.svc_register_menu('admin', { title: 'menu', icon: 'mdi-webhook', order: 75, page: 'deliveries' });
  svc.svc_register_page('admin', 'deliveries', 'pages/deliveries.liquid', 'menu', { lists: [DELIVERIES] });
  svc.svc_register_widget('admin', 'main', async (ctx) => {
    const { total } = await deliveries.page('failed', 0, 1);
    if (total === 0) return null;
    const text = html`<p>${ctx.t('failed_count', { count: total })} <a href="${PAGE}&state=failed">${ctx.t('menu')}</a></p>`;
    return { title: ctx.t('menu'), html: String(text), width: 4 };
  });
  svc.svc_register_ajax('admin', 'p_webhook_notify_list', (ctx) => list(svc, deliveries, ctx), 'admin', { rate: 'read' });
  svc.svc_register_ajax(
    'admin',
    'p_webhook_notify_again',
    async (ctx) => {
      const id = Number(ctx.body.id);
      if (!Number.isSafeInteger(id) || !(await deliveries.again(id, Date.now()))) return { success: false, code: ctx.t('gone') };
      await sender.send(id);
      return { success: true, code: ctx.t('again_done') };
    },
    'admin',
    { audit: 'Sent a webhook again' },
  );
  svc.svc_register_ajax(
    'admin',
    'p_webhook_notify_test',
    async (ctx) => {
      const { ok, error } = await sender.test();
      return { success: ok, code: ok ? ctx.t('test_done') : ctx.t('test_failed', { error }) };
    },
    'admin',
    { audit: 'Sent a test of the webhook', rate: 'expensive' },
  );
}

async function list(svc: SvcFacade, deliveries: Deliveries, { body }: CallContext): Promise<AjaxResult> {
  const state = Object.hasOwn(STATES, body.state ?? '') ? body.state! : '';
  const size = within(body.limit, 200, 20);
  const { total, rows } = await deliveries.page(state, (within(body.page, 100_000, 1) - 1) * size, size);
  return { total, rows: rows.map((row) => line(svc, row)) };
}

function line(svc: SvcFacade, { id, event, state, status, attempts, error, created_at, due_at }: Delivery): object {
  const time = (at: number): string => new Date(Number(at)).toLocaleString('sv-SE', { timeZone: svc.timezone });
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

const within = (value: string | undefined, most: number, otherwise: number): number =>
  /^[1-9]\d{0,5}$/.test(value ?? '') ? Math.min(Number(value), most) : otherwise;
