import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

/** What an administrator can say; each is an option of the plugin, and its text keys are `{name}` and `{name}_hint`. */
const NAMES = ['icp', 'police', 'licence'] as const;

/** The numbers as they were typed; empty for one there is not. */
export type Filings = Readonly<Record<(typeof NAMES)[number], string>>;

/** The settings tab, and what was saved there. */
@Injectable()
export class FilingSettings implements OnModuleInit {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  onModuleInit(): void {
    this.svc.svc_register_settings_tab('admin', {
      id: 'filing',
      title: 'tab',
      fields: NAMES.map((name) => ({ key: name, label: name, hint: `${name}_hint`, type: 'text' })),
    });
  }

  async read(): Promise<Filings> {
    const { svc } = this;
    const texts = NAMES.map(async (name) => [name, String(await svc.svc_plugin_option_get(svc.slug, name, '')).trim()] as const);
    return Object.fromEntries(await Promise.all(texts)) as Filings;
  }
}
