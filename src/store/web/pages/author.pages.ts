import { Controller } from '@nestjs/common';

import { ItemDownloadsController, OwnItems } from '../../items/index.js';
import { WebhookForm, Webhooks, WebhooksController } from '../../webhooks/index.js';

import { barsOf, sharesOf } from '../bars.js';
import { dayText } from '../formats.js';
import { GoOn, ShowOn } from '../go-on.js';
import { formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

const DAYS = 90;
const WEBHOOKS = '/store/account/webhooks';

/** What authors learn: downloads of their items, decisions by webhook. */
@Controller()
export class AuthorPages {
  constructor(
    private readonly downloads: ItemDownloadsController,
    private readonly items: OwnItems,
    private readonly hooks: Webhooks,
    private readonly webhooks: WebhooksController,
  ) {}

  @StorePage({ path: 'developer/items/:id/downloads', view: 'own-downloads', title: 'own.downloads', audience: 'developer' })
  async numbers(request: PageRequest): Promise<object> {
    const { caller, locale } = request.call;
    const id = idOf(request);
    const item = await this.items.require(caller!, id);
    const { days, versions } = await this.downloads.downloads(caller!, id, { days: DAYS });
    return {
      item_id: id,
      item_name: item.name,
      bars: barsOf(days, DAYS),
      days: [...days].reverse().map((row) => ({ ...row, day: dayText(locale, row.day) })),
      versions: sharesOf(versions),
    };
  }

  @StorePage({
    path: 'account/webhooks',
    view: 'webhooks',
    title: 'webhooks.title',
    audience: 'developer',
    section: 'account',
    tab: { text: 'webhooks.title', order: 40 },
  })
  async webhooksPage({ call, refused }: PageRequest): Promise<object> {
    return { hooks: await this.hooks.list(call.caller!.id), typed: refused?.values ?? {} };
  }

  @StoreForm({ path: 'account/webhooks', page: 'webhooksPage' }, WebhooksController, 'add')
  async addWebhook(request: FormRequest): Promise<ShowOn> {
    const { text, data } = await this.webhooks.add(request.call.caller!, formOf(WebhookForm, request));
    return new ShowOn({ secret: (data as { secret: string }).secret }, text);
  }

  @StoreForm({ path: 'account/webhooks/:id/test', page: 'webhooksPage' }, WebhooksController, 'test')
  async testWebhook(request: FormRequest): Promise<GoOn> {
    return GoOn.after(await this.webhooks.test(request.call.caller!, idOf(request)), WEBHOOKS);
  }

  @StoreForm({ path: 'account/webhooks/:id/remove', page: 'webhooksPage' }, WebhooksController, 'remove')
  async removeWebhook(request: FormRequest): Promise<GoOn> {
    return GoOn.after(await this.webhooks.remove(request.call.caller!, idOf(request)), WEBHOOKS);
  }
}
