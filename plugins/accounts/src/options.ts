import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CustomerAccountsService, SVC_FACADE, type SvcFacade } from '@svc/sdk';

/** How visitors register. */
export type RegisterBy = 'name' | 'mail' | 'closed';
const WAYS: readonly RegisterBy[] = ['name', 'mail', 'closed'];

/** The reseller's options, under Settings → Customers; also registers the path of the pages. */
@Injectable()
export class Options implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
  ) {}

  onModuleInit(): void {
    this.accounts.serve('/account');
    this.svc.svc_register_settings_tab('admin', {
      id: 'accounts',
      title: 'settings_title',
      order: 60,
      fields: [
        {
          key: 'register',
          label: 'settings_register',
          hint: 'settings_register_hint',
          type: 'select',
          default: 'name',
          options: WAYS.map((value) => ({ value, label: `settings_register_${value}` })),
        },
      ],
    });
    this.svc.svc_add_action('home.blocks', (blocks, ctx) => {
      const html = `<p>${ctx.t('home_lead')}</p><a class="btn btn-primary" href="/account">${ctx.t('to_account')}</a>`;
      blocks.push({ id: 'account', title: ctx.t('account'), html, order: 20 });
    });
  }

  async registerBy(): Promise<RegisterBy> {
    const kept = String(await this.svc.svc_plugin_option_get(this.svc.slug, 'register', 'name'));
    return WAYS.find((way) => way === kept) ?? 'name';
  }
}
