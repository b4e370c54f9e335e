import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { empty, onwards } from '@svc/page-kit';
import {
  html,
  NamesService,
  SVC_FACADE,
  type CallContext,
  type FormValues,
  type HttpReply,
  type NameRecord,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

import { Buyers, hasName, hostsAt, type Buyer } from './buyers.js';
import { nonePage, page, shownName, signInPage } from './layout.js';
import { Offers } from './offers.js';
import { refusedBy, type Refused } from './outcomes.js';

const PATH = '/domain/mine';

/** Names of the signed-in buyer: assign to another host, renew, release. */
@Injectable()
export class Mine implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Buyers) private readonly buyers: Buyers,
    @Inject(Offers) private readonly offers: Offers,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_filter('accounts.links', (links: unknown[], ctx: CallContext) => [
      ...links,
      { href: PATH, title: ctx.t('my_names') },
      { href: '/domain', title: ctx.t('to_shop') },
    ]);
    svc.svc_register_route('GET', PATH, (_params, ctx) => this.shown(ctx));
    const changes = { audit: 'audit.name_changed' };
    svc.svc_register_route('POST', `${PATH}/{id}`, ({ id = '' }, ctx) => this.change(ctx, id), 10, null, changes);
  }

  private async shown(ctx: CallContext, refused?: Refused, status = 200): Promise<HttpReply> {
    const buyer = await this.buyers.of(ctx);
    if (!buyer) return signInPage(this.svc, ctx, PATH);
    const names = await this.of(buyer);
    const nodes = new Map((await this.names.zones()).map(({ id, node }) => [id, node]));
    return page(
      this.svc,
      ctx,
      ctx.t('my_names'),
      html`${names.length === 0 ? empty(ctx.t('my_names_none')) : ''}
      <ul class="rows">${names.map((name) => this.row(ctx, name, buyer, nodes.get(name.zone) ?? ''))}</ul>
      ${(await this.offers.onSale()).length > 0 ? html`<p><a class="button" href="/domain">${ctx.t('to_shop')}</a></p>` : ''}`,
      { status, account: buyer.key, at: PATH, ...refused },
    );
  }

  private row(ctx: CallContext, name: NameRecord, buyer: Buyer, node: string): SafeHtml {
    const hosts = hostsAt(buyer, node);
    // A rejected form shows the submitted values.
    const given = ctx.path === `${PATH}/${name.id}` ? ctx.body : {};
    const chosen = given.host ?? String(name.host);
    const state = name.bound ? ctx.t('shown_by', { host: name.user }) : ctx.t('shown_by_none');
    return html`<li><div><strong>${shownName(name.name)}</strong><br>${state}${name.dns ? html` · ${ctx.t(`dns_${name.dns}`)}` : ''}</div>
      <div>${ctx.t('last_day')}: ${name.expiresOn ?? ctx.t('never')}${
        name.expiresOn === null ? '' : html`<br><a href="/domain/renew/${name.id}">${ctx.t('renew')}</a>`
      }</div>
      ${
        hosts.length > 0
          ? html`<form method="post" action="${PATH}/${name.id}"><input type="hidden" name="row_version"
            value="${this.svc.svc_row_version(shownForm(name))}"><select name="host" aria-label="${ctx.t('host')}">${hosts.map(
              (host) => html`<option value="${host.id}" ${String(host.id) === chosen ? html`selected` : ''}>${host.user}</option>`,
            )}</select>
        <input name="folder" value="${given.folder ?? name.folder}" maxlength="255" placeholder="/" aria-label="${ctx.t('folder')}"
          autocapitalize="none" spellcheck="false"><button class="button plain" name="deed"
          value="show">${ctx.t('show_there')}</button></form>`
          : ''
      }
      <details><summary>${ctx.t('give_up')}</summary><form method="post" action="${PATH}/${name.id}">
        <p>${ctx.t('give_up_text')}</p><button class="button" name="deed" value="release">${ctx.t('give_up')}</button></form></details>
        </li>`;
  }

  private async of({ customer, hosts }: Buyer): Promise<NameRecord[]> {
    const own = customer ? await this.names.of({ customer: customer.id }) : [];
    const ofHosts = await Promise.all(hosts.map(({ id }) => this.names.of({ host: id })));
    return [...new Map([...own, ...ofHosts.flat()].map((name) => [name.id, name])).values()];
  }

  private async change(ctx: CallContext, id: string): Promise<HttpReply> {
    const buyer = await this.buyers.of(ctx);
    if (!buyer) return signInPage(this.svc, ctx, PATH);
    const name = /^\d{1,9}$/.test(id) ? await this.names.get(Number(id)) : null;
    if (!name || !hasName(buyer, name)) return nonePage(this.svc, ctx, ctx.t('no_name'), ctx.t('no_name_text'));
    const { deed, host = '', folder = '' } = ctx.body;
    try {
      if (deed === 'release') await this.names.release(name.id);
      else {
        // Checked before the server is called, since no transaction can cover that call.
        this.svc.svc_check_row_version(ctx.body.row_version, shownForm(name));
        await this.names.show(
          name.id,
          buyer.hosts.find((own) => String(own.id) === host && own.status === 'active')?.id ?? null,
          folder.trim(),
        );
      }
    } catch (error) {
      return this.shown(ctx, refusedBy(error, ctx), 422);
    }
    return onwards(PATH);
  }
}

/** Target of a name, as shown in its form. */
const shownForm = ({ host, folder }: NameRecord): FormValues => ({ host, folder });
