import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type AjaxResult, type CallContext, type SvcFacade } from '@svc/sdk';

import { EffectiveLimits } from './effective-limits.js';
import { Extras } from './extras.js';
import { isProblems, readExtra, readPlan, type Problems } from './plan-input.js';
import { planData, planRow, PLANS } from './plan-pages.js';
import type { Plan } from './plan-terms.js';
import { Plans } from './plans.js';

/** Pages and operations for plans and their options. */
@Injectable()
export class PlanAdmin implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_page('admin', 'plans', 'pages/plans.liquid', 'menu_plans', { lists: [PLANS] });
    svc.svc_register_page('admin', 'plan', 'pages/plan.liquid', 'menu_plans', { data: (ctx) => this.page(ctx) });
    svc.svc_register_ajax('admin', 'p_hosting_shop_plans', (ctx) => this.list(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_hosting_shop_plan_save', (ctx) => this.savePlan(ctx), 'admin', { audit: 'audit.plan_saved' });
    svc.svc_register_ajax('admin', 'p_hosting_shop_extra_save', (ctx) => this.saveExtra(ctx), 'admin', { audit: 'audit.extra_saved' });
  }

  private async list(ctx: CallContext): Promise<AjaxResult> {
    const [plans, servers] = await Promise.all([this.plans.all(), this.limits.servers()]);
    return { total: plans.length, rows: plans.map((plan) => planRow(ctx, plan, servers)) };
  }

  /** Data of the plan form: without an `id` that of a new plan; null if the plan does not exist. */
  private async page(ctx: CallContext): Promise<object | null> {
    const plans = await this.plans.all();
    const editing = plans.find((plan) => String(plan.id) === ctx.query.id) ?? null;
    if (ctx.query.id !== undefined && editing === null) return null;
    return planData(ctx, this.svc, {
      categories: [...new Set(plans.map(({ category }) => category).filter(Boolean))],
      servers: await this.limits.servers(),
      editing,
      extras: editing ? await this.extras.of(editing.id) : [],
    });
  }

  private async savePlan(ctx: CallContext): Promise<AjaxResult> {
    const id = idOf(ctx.body.id);
    const plan = readPlan(ctx, await this.limits.servers(), id ? await this.plans.find(id) : null);
    if (isProblems(plan)) return refused(ctx, plan);
    const saved = await this.plans.save(id, plan, ctx.body.row_version);
    const text = ctx.t(saved ? 'plan_saved' : 'no_plan');
    return { success: Boolean(saved), qk: saved ? 1 : 4, code: text, msg: text, data: saved ? { id: saved } : null };
  }

  private async saveExtra(ctx: CallContext): Promise<AjaxResult> {
    const plan: Plan | null = await this.plans.find(idOf(ctx.body.plan_id));
    const extra = readExtra(ctx, plan, await this.limits.servers());
    if (isProblems(extra)) return refused(ctx, extra);
    const saved = await this.extras.save(extra, ctx.body.row_version);
    const text = ctx.t(saved ? 'plan_saved' : 'no_plan');
    return { success: saved, qk: saved ? 1 : 4, code: text, msg: text, data: null };
  }
}

function refused(ctx: CallContext, fields: Problems): AjaxResult {
  return { success: false, qk: 4, code: ctx.t('plan_refused'), msg: ctx.t('plan_refused'), err: 'E_ARGS', data: null, fields };
}

function idOf(text: string | undefined): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
}
