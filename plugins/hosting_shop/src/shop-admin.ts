import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  html,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type PluginDatabase,
  type SetupStepRecord,
  type SvcFacade,
  type WidgetRecord,
} from '@svc/sdk';

import { Plans } from './plans.js';
import { SHOP_DATABASE } from './shop-database.js';

/** Option: whether an administrator has opened the shop from the guide. */
const SEEN = 'seen';

/** The shop's admin side: menu, dashboard widget, and steps of the setup guide. */
@Injectable()
export class ShopAdmin implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(Plans) private readonly plans: Plans,
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
        { title: 'menu_assets', page: 'assets' },
      ],
    });

    svc.svc_register_widget('admin', 'main', (ctx) => this.widget(ctx));
    svc.svc_add_action('dashboard.admin.steps', async (steps, ctx) => {
      steps.push(...(await this.steps(ctx)));
    });
    svc.svc_register_ajax('admin', 'p_hosting_shop_seen', (ctx) => this.noteSeen(ctx), 'admin', { audit: 'audit.shop_seen' });
  }

  private async widget(ctx: CallContext): Promise<WidgetRecord> {
    const [counts] = await this.db.query<{ opened: number | null; failed: number | null }>(
      "SELECT SUM(CASE WHEN state = 'opened' THEN 1 ELSE 0 END) AS opened, SUM(CASE WHEN state IN ('failed', " +
        "'name_taken', 'renamed') THEN 1 ELSE 0 END) AS failed FROM {purchase}",
    );
    const failed = Number(counts?.failed ?? 0);
    return {
      title: ctx.t('widget_title'),
      width: 4,
      html: String(html`<p class="h1 mb-1">${Number(counts?.opened ?? 0)}</p>
        <p class="${failed ? 'text-danger' : 'text-secondary'} mb-0">
        ${failed ? ctx.t('widget_failed', { count: failed }) : ctx.t('widget_fine')}</p>
        <p class="mt-2 mb-0"><a href="/admin/plugin.php?p=hosting_shop&page=sales">${ctx.t('menu_sales')}</a></p>`),
    };
  }

  /** Steps in the setup guide of a new installation, replacing the panel's own. */
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
}
