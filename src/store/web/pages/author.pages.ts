import { Controller } from '@nestjs/common';

import { CoAuthorForm, CoAuthorsController, InviteForm, ItemDownloadsController, OwnItems } from '../../items/index.js';
import { WebhookForm, Webhooks, WebhooksController } from '../../webhooks/index.js';

import { downloadsChart } from '../downloads-chart.js';
import { FormRedirect, FormPage } from '../form-results.js';
import { allOf, badgePiece, CO_AUTHORS, INVITATIONS, showList, textPiece, WEBHOOKS } from '../lists/index.js';
import { formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

const DAYS = 90;
const PATH = '/store/account/webhooks';

/** Pages for authors: download statistics, co-authors and webhooks. */
@Controller()
export class AuthorPages {
  constructor(
    private readonly downloads: ItemDownloadsController,
    private readonly items: OwnItems,
    private readonly hooks: Webhooks,
    private readonly webhooks: WebhooksController,
    private readonly coAuthors: CoAuthorsController,
  ) {}

  @StorePage({ path: 'developer/items/:id/downloads', view: 'own-downloads', title: 'own.downloads', needs: ['developer'] })
  async numbers(request: PageRequest): Promise<object> {
    const { caller, locale } = request.call;
    const id = idOf(request);
    const item = await this.items.require(caller!, id);
    const { days, versions } = await this.downloads.downloads(caller!, id, { days: DAYS });
    return {
      item_id: id,
      item_name: item.name,
      days: DAYS,
      chart: downloadsChart(locale, 'own.downloads_days', days, DAYS),
      versions,
      most: Math.max(0, ...versions.map(({ downloads }) => downloads)),
    };
  }

  @StorePage({ path: 'developer/items/:id/authors', view: 'own-authors', title: 'authors.title', needs: ['developer'] })
  async authors(request: PageRequest): Promise<object> {
    const { caller: reader, locale } = request.call;
    const caller = reader!;
    const item = await this.items.require(caller, idOf(request));
    const isOwner = item.authorId === caller.id;
    const rows = (await this.coAuthors.list(caller, item.id)).map((one) => ({
      ...one,
      id: one.user_id,
      user: one.username,
      item: item.name,
      item_id: item.id,
      is_owner: isOwner,
      who: [
        textPiece(one.username),
        ...(one.accepted ? [] : [badgePiece(locale, 'yellow', 'authors.asked')]),
        ...(one.offered ? [badgePiece(locale, 'azure', 'authors.offered')] : []),
      ],
    }));
    return {
      item_id: item.id,
      item_name: item.name,
      author_name: item.authorName,
      is_owner: isOwner,
      list: rows.length > 0 ? await showList(CO_AUTHORS, `/store/developer/items/${item.id}/authors`, request, allOf(rows)) : null,
      typed: request.refused?.values ?? {},
    };
  }

  @StoreForm({ path: 'developer/items/:id/authors', page: 'authors' }, CoAuthorsController, 'invite')
  async invite(request: FormRequest): Promise<FormRedirect> {
    return toAuthors(request, await this.coAuthors.invite(request.call.caller!, idOf(request), formOf(InviteForm, request)));
  }

  @StoreForm({ path: 'developer/items/:id/authors/remove', page: 'authors' }, CoAuthorsController, 'remove')
  async removeAuthor(request: FormRequest): Promise<FormRedirect> {
    return toAuthors(request, await this.coAuthors.remove(request.call.caller!, idOf(request), selectedCoAuthor(request)));
  }

  @StoreForm({ path: 'developer/items/:id/transfer', page: 'authors' }, CoAuthorsController, 'offer')
  async offer(request: FormRequest): Promise<FormRedirect> {
    return toAuthors(request, await this.coAuthors.offer(request.call.caller!, idOf(request), selectedCoAuthor(request)));
  }

  @StorePage({ path: 'developer/invitations', view: 'invitations', title: 'invitations.title', needs: ['developer'] })
  async invitations(request: PageRequest): Promise<object> {
    const rows = (await this.coAuthors.invitations(request.call.caller!)).map((one) => ({
      id: one.item_id,
      kind: one.kind,
      author: one.author_name,
      item: one.item_name,
    }));
    return { list: await showList(INVITATIONS, '/store/developer/invitations', request, allOf(rows)) };
  }

  @StoreForm({ path: 'developer/invitations/:id/accept', page: 'invitations' }, CoAuthorsController, 'accept')
  async accept(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    return FormRedirect.after(await this.coAuthors.accept(request.call.caller!, id), `/store/developer/items/${id}`);
  }

  @StoreForm({ path: 'developer/invitations/:id/decline', page: 'invitations' }, CoAuthorsController, 'leave')
  async leave(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.coAuthors.leave(request.call.caller!, idOf(request)), '/store/developer/');
  }

  @StorePage({
    path: 'account/webhooks',
    view: 'webhooks',
    title: 'webhooks.title',
    needs: ['developer'],
    menu: { title: 'webhooks.title', order: 40 },
  })
  async webhooksPage(request: PageRequest): Promise<object> {
    const rows = (await this.hooks.list(request.call.caller!.id)).map((hook) => ({ ...hook }));
    return { list: await showList(WEBHOOKS, PATH, request, allOf(rows)), typed: request.refused?.values ?? {} };
  }

  @StoreForm({ path: 'account/webhooks', page: 'webhooksPage' }, WebhooksController, 'add')
  async addWebhook(request: FormRequest): Promise<FormPage> {
    const { text, data } = await this.webhooks.add(request.call.caller!, formOf(WebhookForm, request));
    return new FormPage({ secret: (data as { secret: string }).secret }, text);
  }

  @StoreForm({ path: 'account/webhooks/:id/test', page: 'webhooksPage' }, WebhooksController, 'test')
  async testWebhook(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.webhooks.test(request.call.caller!, idOf(request)), PATH);
  }

  @StoreForm({ path: 'account/webhooks/:id/remove', page: 'webhooksPage' }, WebhooksController, 'remove')
  async removeWebhook(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.webhooks.remove(request.call.caller!, idOf(request)), PATH);
  }
}

const toAuthors = (request: FormRequest, answer: Parameters<typeof FormRedirect.after>[0]): FormRedirect =>
  FormRedirect.after(answer, `/store/developer/items/${idOf(request)}/authors`);

/** The co-author selected by the button. */
const selectedCoAuthor = (request: FormRequest): CoAuthorForm =>
  formOf(CoAuthorForm, request, { user_id: Number(request.fields.get('user_id')) });
