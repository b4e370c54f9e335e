import { Injectable } from '@nestjs/common';

import { translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { HookRegistry } from '../hooks/index.js';
import type { RequestContext } from '../operations/index.js';
import { PaymentMethods, PaymentRegistry } from '../payment/index.js';
import type { SetupStepRecord } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { toSetupSteps, type SetupStep } from './setup-steps.js';

/** The guide as shown on the dashboard; without steps if it is hidden. */
export interface GuideView {
  readonly open: boolean;
  readonly steps: readonly SetupStep[];
  readonly done: number;
}

/**
 * What a new installation still needs before it can sell: steps that are completed automatically by the current state, those of the
 * panel and those added by plugins through the hook `dashboard.admin.steps`.
 */
@Injectable()
export class SetupGuide {
  private readonly state;
  /** Set once all steps were complete in this process: later changes are no longer part of the setup, so nothing is checked. */
  private isOver = false;

  constructor(
    database: Database,
    private readonly methods: PaymentMethods,
    private readonly gateways: PaymentRegistry,
    private readonly settings: SiteSettings,
    private readonly config: AppConfig,
    private readonly hooks: HookRegistry,
  ) {
    this.state = database.statement<{ standard: number; others: number; embedded: number; sold: number }>(
      `SELECT EXISTS (SELECT 1 FROM {Administrator} WHERE {Administrator.hasDefaultPassword} = 1) AS standard,
        EXISTS (SELECT 1 FROM {HostingNode} WHERE {HostingNode.enabled} = 1 AND {HostingNode.driver} <> 'embedded') AS others,
        EXISTS (SELECT 1 FROM {HostingNode} WHERE {HostingNode.enabled} = 1 AND {HostingNode.driver} = 'embedded') AS embedded,
        EXISTS (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.openedBy} <> 'admin') AS sold`,
    );
  }

  /** Returns the guide; undefined if all steps are complete. */
  async view(call: RequestContext): Promise<GuideView | undefined> {
    if (this.isOver) return undefined;
    if (!this.settings.current.guideOpen) return { open: false, steps: [], done: 0 };
    const own = await this.own(call);
    const steps = toSetupSteps(await this.hooks.applyByReference('dashboard.admin.steps', own, call));
    const done = steps.filter((step) => step.done).length;
    this.isOver = done === steps.length;
    return this.isOver ? undefined : { open: true, steps, done };
  }

  private async own({ locale }: RequestContext): Promise<SetupStepRecord[]> {
    const [state, methods] = await Promise.all([this.state.get(), this.methods.available()]);
    const is = (name: 'standard' | 'others' | 'embedded' | 'sold'): boolean => Number(state?.[name] ?? 0) > 0;
    const step = (id: string, order: number, texts: readonly [string, string, string], url: string, done: boolean): SetupStepRecord => {
      const [title, text, label] = texts.map((key) => translate(locale, key));
      return { id, title: title!, text, label, url, done, order };
    };
    const hasServer = is('others') || (is('embedded') && this.config.sitesDomain !== 'localhost');
    const isPaid = methods.some(({ plugin }) => !this.gateways.get(plugin)?.record.demo);
    const payments = methods.length > 0 ? '/admin/settings?tab=payments' : '/admin/plugins';
    const hasMail = this.settings.current.mailHost !== '';
    return [
      step(
        'password',
        10,
        ['web.guide_password', 'web.guide_password_text', 'web.guide_password_go'],
        '/admin/settings?tab=account',
        !is('standard'),
      ),
      step('server', 20, ['web.guide_server', 'web.guide_server_text', 'web.guide_server_go'], '/admin/servers', hasServer),
      step('payment', 30, ['web.guide_payment', 'web.guide_payment_text', 'web.guide_payment_go'], payments, isPaid),
      step('shop', 40, ['web.guide_shop', 'web.guide_shop_text', 'web.guide_shop_go'], '/admin/plugins', is('sold')),
      step('mail', 60, ['web.guide_mail', 'web.guide_mail_text', 'web.guide_mail_go'], '/admin/settings?tab=mail', hasMail),
    ];
  }
}
