import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

/** Settings of the webhook. */
export interface Webhook {
  readonly enabled: boolean;
  /** Empty if not set. */
  readonly url: string;
  /** Signing secret; empty: deliveries are not signed. */
  readonly secret: string;
  /** Names of events to send; empty: all. */
  readonly events: readonly string[];
}

/** The settings tab and its saved values. */
@Injectable()
export class WebhookSettings implements OnModuleInit {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  onModuleInit(): void {
    this.svc.svc_register_settings_tab('admin', {
      id: 'webhook',
      title: 'tab',
      order: 60,
      fields: [
        { key: 'enabled', label: 'enabled', type: 'switch', default: false },
        { key: 'url', label: 'url', hint: 'url_hint', type: 'text', placeholder: 'https://example.com/hook' },
        { key: 'secret', label: 'secret', hint: 'secret_hint', type: 'password' },
        { key: 'events', label: 'events', hint: 'events_hint', type: 'text', placeholder: 'host.created, order.paid' },
      ],
    });
  }

  async read(): Promise<Webhook> {
    const [enabled, url, secret, events] = await Promise.all(['enabled', 'url', 'secret', 'events'].map((key) => this.text(key)));
    const names = events!.split(/[\s,]+/).filter((name) => name !== '');
    return { enabled: enabled === 'true', url: url!, secret: secret!, events: names };
  }

  /** Reads a saved value: texts, and `true` or `false` for the switch. */
  private async text(key: string): Promise<string> {
    return String(await this.svc.svc_plugin_option_get(this.svc.slug, key, ''));
  }
}
