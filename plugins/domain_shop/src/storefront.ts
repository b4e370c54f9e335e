import { randomUUID } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { empty } from '@svc/page-kit';
import { html, NamesService, SVC_FACADE, type CallContext, type HttpReply, type NameZone, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { Buyers, hostsAt, ownerFor, type Buyer } from './buyers.js';
import { Checkout } from './checkout.js';
import { nonePage, page, priceText, shownName, signInPage } from './layout.js';
import { Offers } from './offers.js';
import { orderForm, type GivenFields } from './order-form.js';
import { isRefusal, messageOf } from './refusals.js';
import { outcomeOf, refusedAt, refusedBy, type Refused } from './outcomes.js';
import { Showing } from './showing.js';

/** Maximum number of zones searched for a prefix. */
const MAX_LOOKUPS = 20;

/** The public pages: available names, and the order form. */
@Injectable()
export class Storefront implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Offers) private readonly offers: Offers,
    @Inject(Buyers) private readonly buyers: Buyers,
    @Inject(Checkout) private readonly checkout: Checkout,
    @Inject(Showing) private readonly showing: Showing,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.names.serve('/domain');
    svc.svc_add_action('home.blocks', async (blocks, ctx) => {
      if ((await this.offers.onSale()).length === 0) return;
      const link = html`<p>${ctx.t('shop_lead')}</p><a class="btn btn-primary" href="/domain">${ctx.t('to_shop')}</a>`;
      blocks.push({ id: 'domains', title: ctx.t('shop_title'), html: String(link), order: 12 });
    });
    svc.svc_register_route('GET', '/domain', (_params, ctx) => this.list(ctx));
    svc.svc_register_route('GET', '/domain/buy', (_params, ctx) => this.form(ctx, fieldsOf(ctx.query)));
    const options = { rate: 'order', audit: false } as const;
    svc.svc_register_route('POST', '/domain/buy', (_params, ctx) => this.buy(ctx), 10, null, options);
  }

  private async list(ctx: CallContext): Promise<HttpReply> {
    const zones = await this.offers.onSale();
    const prefix = (ctx.query.prefix ?? '').trim().slice(0, 100);
    const standings = await this.standings(zones, prefix);
    return page(
      this.svc,
      ctx,
      ctx.t('shop_title'),
      html`<p class="lead">${ctx.t('shop_lead')}</p>
      ${
        zones.length === 0
          ? empty(ctx.t('no_zones'))
          : html`<form method="get" action="/domain" class="look"><label>${ctx.t('prefix')}
        <input name="prefix" value="${prefix}" maxlength="100" required autocapitalize="none" autocomplete="off" spellcheck="false">
        <small>${ctx.t('prefix_hint')}</small></label><button class="button">${ctx.t('look')}</button></form>`
      }
      <ul class="plans">${zones.map((zone) => this.card(ctx, zone, prefix, standings.get(zone.id) ?? ''))}</ul>`,
    );
  }

  /** Returns the availability of a prefix in each zone, or an error message. */
  private async standings(zones: readonly NameZone[], prefix: string): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    if (prefix === '') return found;
    for (const { id } of zones.slice(0, MAX_LOOKUPS)) {
      try {
        found.set(id, (await this.names.look(id, prefix)).standing);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        found.set(id, messageOf(error));
      }
    }
    return found;
  }

  private card(ctx: CallContext, zone: NameZone, prefix: string, standing: string): SafeHtml {
    const isKnown = ['free', 'taken', 'resting', 'reserved'].includes(standing);
    const href = `/domain/buy?${new URLSearchParams({ zone: String(zone.id), ...(prefix ? { prefix } : {}) }).toString()}`;
    return html`<li><h3>.${shownName(zone.domain)}</h3><p class="price">${priceText(ctx, zone)}</p>
      ${zone.description ? html`<p>${zone.description}</p>` : ''}
      ${
        standing
          ? html`<p class="${standing === 'free' ? 'success' : 'alert'}"
            role="status">${isKnown ? ctx.t(`standing_${standing}`) : standing}</p>`
          : ''
      }
      ${
        standing === '' || standing === 'free'
          ? html`<a class="button" href="${href}">${ctx.t(zone.price === 0 ? 'get_it' : 'order_now')}</a>`
          : ''
      }</li>`;
  }

  private async form(ctx: CallContext, given: GivenFields, refused?: Refused, status = 200): Promise<HttpReply> {
    const zone = await this.offers.zone(given.zone);
    if (!zone) return nonePage(this.svc, ctx, ctx.t('no_zone'), ctx.t('no_zone_text'));
    const buyer = await this.buyers.of(ctx);
    const back = `/domain/buy?${new URLSearchParams({ zone: String(zone.id), prefix: given.prefix }).toString()}`;
    if (!buyer) return signInPage(this.svc, ctx, back);
    const hosts = hostsAt(buyer, zone.node);
    if (hosts.length === 0) return nonePage(this.svc, ctx, ctx.t('no_host'), ctx.t('no_host_text', { zone: zone.domain }));
    const host = hosts.find(({ id }) => String(id) === given.host) ?? hosts[0]!;
    const offer = await this.offers.of(zone, given.n, given.yhq, ownerFor(buyer, host), ctx);
    const shown = { offer, hosts, times: this.offers.times(zone), given: { ...given, request: given.request || randomUUID() } };
    return page(this.svc, ctx, ctx.t('buy_title', { zone: shownName(zone.domain) }), orderForm(ctx, shown), {
      status,
      account: buyer.key,
      at: `/domain/buy?zone=${zone.id}`,
      ...(refused ?? refusedAt('yhq', offer.refused)),
    });
  }

  private async buy(ctx: CallContext): Promise<HttpReply> {
    const given = fieldsOf(ctx.body);
    if (ctx.body.show !== undefined) return this.form(ctx, given);
    const buyer = await this.buyers.of(ctx);
    const zone = await this.offers.zone(given.zone);
    if (!buyer || !zone) return this.form(ctx, given);
    try {
      const placed = await this.place(ctx, given, buyer, zone);
      if (placed === null) return await this.form(ctx, given, undefined, 422);
      if (placed.isFree) await this.showing.showOrder(placed.orderNo);
      return outcomeOf(placed);
    } catch (error) {
      return this.form(ctx, given, refusedBy(error, ctx), 422);
    }
  }

  /** Returns null if the form itself shows the error. @throws errors of the checkout */
  private async place(ctx: CallContext, given: GivenFields, buyer: Buyer, zone: NameZone) {
    const hosts = hostsAt(buyer, zone.node);
    const host = given.host === '' && hosts.length === 1 ? hosts[0] : hosts.find(({ id }) => String(id) === given.host);
    // Validates the name even if no host, or a foreign one, was chosen.
    const { name, prefix, standing } = await this.names.look(zone.id, given.prefix, host?.id ?? null);
    if (!host) throw Object.assign(new Error(ctx.t('choose_host')), { code: 'NO_HOST', field: 'host' });
    const owner = ownerFor(buyer, host);
    const offer = await this.offers.of(zone, given.n, given.yhq, owner, ctx);
    const ordered = { kind: 'buy', name, prefix, host, folder: given.folder } as const;
    const asked = { buyer, owner, offer, seen: given.seen_total, type: given.type, request: given.request };
    const made = await this.checkout.repeated(ordered, asked);
    if (made || offer.refused) return made;
    if (standing === 'own') throw Object.assign(new Error(ctx.t('standing_own')), { code: 'OWN', field: 'prefix' });
    return this.checkout.place(ordered, asked, ctx);
  }
}

/** Reads the form, including the field names of older programs: `urla` and `urlb` are prefix and domain, `urlzml` the folder. */
function fieldsOf(fields: Readonly<Record<string, string>>): GivenFields {
  const text = (name: string, older = ''): string => (fields[name] ?? fields[older] ?? '').trim().slice(0, 255);
  return {
    zone: text('zone', 'urlb'),
    prefix: text('prefix', 'urla'),
    host: text('host'),
    folder: text('folder', 'urlzml'),
    n: text('n'),
    yhq: text('yhq'),
    type: text('type'),
    seen_total: text('seen_total'),
    request: text('request').slice(0, 64),
  };
}
