import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  html,
  HostsService,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type PluginDatabase,
  type SafeHtml,
  type SetupStepRecord,
  type SvcFacade,
  type WidgetRecord,
} from '@svc/sdk';

import { periodOf } from './periods.js';
import { type Plan, Plans } from './plans.js';
import { SHOP_DATABASE } from './shop-database.js';
import { type Purchase, ShopOrders } from './shop-orders.js';

/** Option: whether an administrator has opened the shop from the guide. */
const SEEN = 'seen';

type Nodes = Awaited<ReturnType<HostsService['nodes']>>;

/** The admin side: plans, what was sold, and a card on the dashboard. */
@Injectable()
export class ShopAdmin implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_menu('admin', {
      title: 'menu_shop',
      icon: 'mdi-storefront-outline',
      order: 60,
      children: [
        { title: 'menu_plans', page: 'plans' },
        { title: 'menu_sales', page: 'sales' },
      ],
    });

    svc.svc_register_page(
      'admin',
      'plans',
      async (ctx) => plansPage(ctx, await this.plans.all(), await this.hosts.nodes(), ctx.query.edit),
      'menu_plans',
    );
    svc.svc_register_page('admin', 'sales', async (ctx) => salesPage(ctx, await this.orders.latest()), 'menu_sales');
    svc.svc_register_ajax('admin', 'p_hosting_shop_plan_save', (ctx) => this.savePlan(ctx), 'admin', { audit: '保存套餐' });
    svc.svc_register_widget('admin', 'main', (ctx) => this.widget(ctx));
    svc.svc_add_action('dashboard.admin.steps', async (steps, ctx) => {
      steps.push(...(await this.steps(ctx)));
    });
    svc.svc_register_ajax('admin', 'p_hosting_shop_seen', (ctx) => this.noteSeen(ctx), 'admin', { audit: '查看商城' });
  }

  private async widget(ctx: CallContext): Promise<WidgetRecord> {
    const [counts] = await this.db.query<{ opened: number | null; failed: number | null }>(
      "SELECT SUM(CASE WHEN state = 'opened' THEN 1 ELSE 0 END) AS opened, SUM(CASE WHEN state IN ('failed', 'name_taken', 'renamed') THEN 1 ELSE 0 END) AS failed FROM {purchase}",
    );
    const failed = Number(counts?.failed ?? 0);
    return {
      title: ctx.t('widget_title'),
      width: 4,
      html: String(html`<p class="h1 mb-1">${Number(counts?.opened ?? 0)}</p>
        <p class="${failed ? 'text-danger' : 'text-secondary'} mb-0">${failed ? ctx.t('widget_failed', { count: failed }) : ctx.t('widget_fine')}</p>
        <p class="mt-2 mb-0"><a href="/admin/plugin.php?p=hosting_shop&page=sales">${ctx.t('menu_sales')}</a></p>`),
    };
  }

  /** In the guide for new installations, in the place of the panel's own step. */
  private async steps(ctx: CallContext): Promise<SetupStepRecord[]> {
    const [onSale, seen] = await Promise.all([this.plans.onSale(), this.svc.svc_plugin_option_get(this.svc.slug, SEEN, false)]);
    const step = (id: string, name: string, order: number, url: string, done: boolean): SetupStepRecord => ({
      id,
      title: ctx.t(`guide_${name}`),
      text: ctx.t(`guide_${name}_text`),
      label: ctx.t(`guide_${name}_go`),
      url,
      done,
      order,
    });
    return [
      step('shop', 'plan', 40, '/admin/plugin.php?p=hosting_shop&page=plans', onSale.length > 0),
      { ...step('shop_seen', 'seen', 50, '/shop', String(seen) === 'true'), operation: 'p_hosting_shop_seen' },
    ];
  }

  private async noteSeen(ctx: CallContext): Promise<AjaxResult> {
    await this.svc.svc_plugin_option_set(this.svc.slug, SEEN, true);
    const text = ctx.t('guide_opened');
    return { success: true, qk: 1, code: text, msg: text, data: null };
  }

  private async savePlan(ctx: CallContext): Promise<AjaxResult> {
    const fields: Record<string, string> = {};
    const { body } = ctx;
    const name = (body.name ?? '').trim();
    if (name === '' || name.length > 120) fields.name = ctx.t('plan_name_rule');
    const description = (body.description ?? '').trim();
    if (description.length > 255) fields.description = ctx.t('plan_description_rule');
    if (!(await this.hosts.nodes()).some((node) => node.code === body.node)) fields.node = ctx.t('plan_node_rule');
    const price = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec((body.price ?? '').trim());
    const priceMonth = price ? Number(price[1]) * 100 + Number((price[2] ?? '').padEnd(2, '0')) : 0;
    if (priceMonth < 1) fields.price = ctx.t('plan_price_rule');
    const numbers = { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 };
    for (const [field, key, min, max] of NUMBERS) {
      const value = /^\d{1,9}$/.test(body[field] ?? '') ? Number(body[field]) : -1;
      if (value < min || value > max) fields[field] = ctx.t('plan_number_rule', { max });
      numbers[key] = value;
    }
    const counts: { monitors: number | null; backups: number | null } = { monitors: null, backups: null };
    for (const [field, max] of Object.entries(MOST) as [keyof typeof MOST, number][]) {
      const value = (body[field] ?? '').trim();
      if (value === '') continue;
      if (!(/^\d{1,4}$/.test(value) && Number(value) <= max)) fields[field] = ctx.t('plan_monitors_rule', { max });
      counts[field] = Number(value);
    }
    if (Object.keys(fields).length > 0) {
      return { success: false, qk: 4, code: ctx.t('plan_refused'), msg: ctx.t('plan_refused'), err: 'E_ARGS', data: null, fields };
    }
    const id = /^\d{1,9}$/.test(body.id ?? '') ? Number(body.id) : 0;
    const saved = await this.plans.save(id, {
      name,
      description,
      node: body.node!,
      priceMonth,
      active: body.active !== 'false',
      ...numbers,
      ...counts,
    });
    const text = ctx.t(saved ? 'plan_saved' : 'no_plan');
    return { success: Boolean(saved), qk: saved ? 1 : 4, code: text, msg: text, data: saved ? { id: saved } : null };
  }
}

/** Of one plan, as the panel takes them. */
const MOST = { monitors: 1_000, backups: 100 } as const;

/** Whole numbers of the form, in their ranges. */
const NUMBERS: readonly [field: string, key: 'webMb' | 'databaseMb' | 'trafficGb' | 'domains', min: number, max: number][] = [
  ['web_mb', 'webMb', 0, 10_000_000],
  ['database_mb', 'databaseMb', 0, 10_000_000],
  ['traffic_gb', 'trafficGb', 0, 1_000_000],
  ['domains', 'domains', 0, 10_000],
];

function plansPage(ctx: CallContext, plans: Plan[], nodes: Nodes, editId: string | undefined): string {
  const editing = plans.find((plan) => String(plan.id) === editId);
  const field = (name: string, label: string, value: string | number, hint = ''): SafeHtml => html`
    <div class="col-md-6"><label class="form-label" for="plan-${name}">${label}</label>
      <input class="form-control" id="plan-${name}" name="${name}" value="${value}">
      ${hint ? html`<small class="form-hint">${hint}</small>` : ''}</div>`;
  /** What a limit means, and on which nodes it is kept without effect. */
  const hintOf = (limit: 'databaseMb' | 'trafficGb' | 'domains' | 'backups', meaning = ctx.t('zero_unlimited')): string => {
    const without = nodes.filter((node) => node.unenforced.includes(limit)).map(({ name }) => name);
    return without.length === 0 ? meaning : `${meaning} ${ctx.t('limit_unenforced', { nodes: without.join(', ') })}`;
  };
  return String(html`
    <div class="card mb-3">
      <div class="card-header"><h2 class="card-title">${ctx.t('plan_list')}</h2><div class="card-actions"><a href="/shop" target="_blank" rel="noopener">${ctx.t('open_shop')}</a></div></div>
      <div class="table-responsive"><table class="table card-table table-vcenter table-mobile-md">
      <thead><tr><th>${ctx.t('plan_name')}</th><th>${ctx.t('plan_price')}</th><th>${ctx.t('plan_node')}</th><th>${ctx.t('plan_state')}</th><th></th></tr></thead>
      <tbody>
        ${plans.length === 0 ? html`<tr><td colspan="5" class="text-secondary">${ctx.t('plan_none')}</td></tr>` : ''}
        ${plans.map(
          (
            plan,
          ) => html`<tr><td data-label="${ctx.t('plan_name')}">${plan.name}</td><td data-label="${ctx.t('plan_price')}">¥${(plan.priceMonth / 100).toFixed(2)}</td><td data-label="${ctx.t('plan_node')}">${plan.node}</td>
          <td data-label="${ctx.t('plan_state')}"><span class="badge ${plan.active ? 'bg-green-lt' : 'bg-secondary-lt'}">${ctx.t(plan.active ? 'plan_on_sale' : 'plan_hidden')}</span></td>
          <td class="text-end"><a href="/admin/plugin.php?p=hosting_shop&page=plans&edit=${plan.id}">${ctx.t('plan_edit')}</a></td></tr>`,
        )}
      </tbody></table></div></div>
    <form class="card" data-ajax="p_hosting_shop_plan_save" data-done="/admin/plugin.php?p=hosting_shop&amp;page=plans">
      <div class="card-header"><h2 class="card-title">${ctx.t(editing ? 'plan_edit_title' : 'plan_add_title')}</h2></div>
      <div class="card-body"><div class="row g-3">
        <input type="hidden" name="id" value="${editing?.id ?? ''}">
        ${field('name', ctx.t('plan_name'), editing?.name ?? '')}
        ${field('price', ctx.t('plan_price'), editing ? (editing.priceMonth / 100).toFixed(2) : '')}
        <div class="col-md-6"><label class="form-label" for="plan-node">${ctx.t('plan_node')}</label>
          <select class="form-select" id="plan-node" name="node">${nodes.map((node) => html`<option value="${node.code}" ${editing?.node === node.code ? html`selected` : ''}>${node.name}</option>`)}</select></div>
        <div class="col-md-6"><label class="form-label" for="plan-active">${ctx.t('plan_state')}</label>
          <select class="form-select" id="plan-active" name="active"><option value="true">${ctx.t('plan_on_sale')}</option>
          <option value="false" ${editing && !editing.active ? html`selected` : ''}>${ctx.t('plan_hidden')}</option></select></div>
        ${field('web_mb', `${ctx.t('web_space')} (MB)`, editing?.webMb ?? 1024, ctx.t('zero_unlimited'))}
        ${field('database_mb', `${ctx.t('database')} (MB)`, editing?.databaseMb ?? 256, hintOf('databaseMb'))}
        ${field('traffic_gb', `${ctx.t('traffic')} (GB)`, editing?.trafficGb ?? 0, hintOf('trafficGb'))}
        ${field('domains', ctx.t('domains'), editing?.domains ?? 5, hintOf('domains'))}
        ${field('monitors', ctx.t('monitors'), editing?.monitors ?? '', ctx.t('monitors_hint'))}
        ${field('backups', ctx.t('backups'), editing?.backups ?? '', hintOf('backups', ctx.t('backups_hint')))}
        <div class="col-12"><label class="form-label" for="plan-description">${ctx.t('plan_description')}</label>
          <input class="form-control" id="plan-description" name="description" maxlength="255" value="${editing?.description ?? ''}"></div>
      </div></div>
      <div class="card-footer text-end">${editing ? html`<a class="btn me-2" href="/admin/plugin.php?p=hosting_shop&page=plans">${ctx.t('plan_cancel')}</a>` : ''}<button class="btn btn-primary">${ctx.t('plan_save')}</button></div>
    </form>`);
}

const SALE_COLOURS: Readonly<Record<Purchase['state'], string>> = {
  pending: 'bg-yellow-lt',
  opened: 'bg-green-lt',
  failed: 'bg-red-lt',
  name_taken: 'bg-orange-lt',
  renamed: 'bg-yellow-lt',
};

function salesPage(ctx: CallContext, sales: Purchase[]): string {
  return String(html`
    <div class="card"><div class="table-responsive"><table class="table card-table table-vcenter table-mobile-md">
      <thead><tr><th>${ctx.t('order')}</th><th>${ctx.t('username')}</th><th>${ctx.t('period')}</th><th>${ctx.t('plan_state')}</th><th>${ctx.t('remark')}</th></tr></thead>
      <tbody>
        ${sales.length === 0 ? html`<tr><td colspan="5" class="text-secondary">${ctx.t('sales_none')}</td></tr>` : ''}
        ${sales.map((sale) => html`<tr><td data-label="${ctx.t('order')}"><code>${sale.order_no}</code></td><td data-label="${ctx.t('username')}">${sale.username}</td><td data-label="${ctx.t('period')}">${ctx.t(`period_${periodOf(sale.months)}`)}</td><td data-label="${ctx.t('plan_state')}"><span class="badge ${SALE_COLOURS[sale.state]}">${ctx.t(`sale_${sale.state}`)}</span></td><td data-label="${ctx.t('remark')}">${sale.remark || '–'}</td></tr>`)}
      </tbody></table></div></div>`);
}
