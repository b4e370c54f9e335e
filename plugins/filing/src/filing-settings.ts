import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

/** Settings; each is an option of the plugin with the text keys `{name}` and `{name}_hint`. */
const NAMES = ['icp', 'police', 'licence'] as const;

/** The numbers as entered; empty if missing. */
export type Filings = Readonly<Record<(typeof NAMES)[number], string>>;

/** The settings tab and its saved values. */
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
