import { randomUUID } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { html, NamesService, SVC_FACADE, type CallContext, type HttpReply, type NameRecord, type NameZone, type SvcFacade } from '@svc/sdk';

import { Buyers, hasName, ownerFor, type Buyer } from './buyers.js';
import { Checkout } from './checkout.js';
import { nonePage, page, shownName, signInPage } from './layout.js';
import { Offers, type Offer } from './offers.js';
import { couponField, summary, timesField } from './order-form.js';
import { outcomeOf, refusedAt, refusedBy, type Refused } from './outcomes.js';

type Fields = Readonly<Record<string, string>>;

/** A name and its buyer. */
interface Renewed {
  readonly buyer: Buyer;
  readonly name: NameRecord;
  readonly zone: NameZone;
}

/** Renewal of a name by its owner. */
@Injectable()
export class Renewals implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Offers) private readonly offers: Offers,
    @Inject(Buyers) private readonly buyers: Buyers,
    @Inject(Checkout) private readonly checkout: Checkout,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_route('GET', '/domain/renew/{id}', ({ id = '' }, ctx) => this.form(ctx, id, ctx.query));
    const options = { rate: 'order', audit: false } as const;
    svc.svc_register_route('POST', '/domain/renew/{id}', ({ id = '' }, ctx) => this.renew(ctx, id), 10, null, options);
  }

  private async form(ctx: CallContext, id: string, given: Fields, refused?: Refused, status = 200): Promise<HttpReply> {
    const found = await this.find(ctx, id);
    if (!('name' in found)) return found;
    const { name, zone } = found;
    const offer = await this.offerOf(found, given, ctx);
    const until = await this.until(name, offer);
    return page(
      this.svc,
      ctx,
      ctx.t('renew_title', { name: shownName(name.name) }),
      html`<form class="columns cart" method="post" action="/domain/renew/${name.id}">
        <input type="hidden" name="request" value="${given.request || randomUUID()}"><input type="hidden" name="seen_total"
          value="${offer.amount - offer.discount}">
        <div class="box"><dl><dt>${ctx.t('last_day')}</dt><dd>${name.expiresOn ?? ctx.t('never')}</dd><dt>${ctx.t('last_day_then')}</dt>
          <dd>${until.day || '–'}</dd></dl>
          ${timesField(ctx, offer, this.offers.times(zone), given.n ?? '')}${couponField(ctx, offer, given.yhq ?? '')}</div>
        ${summary(ctx, offer)}
      </form>`,
      {
        status,
        account: found.buyer.key,
        at: `/domain/renew/${name.id}`,
        ...(refused ?? (offer.refused ? refusedAt('yhq', offer.refused) : refusedAt('n', until.problem))),
      },
    );
  }

  private async renew(ctx: CallContext, id: string): Promise<HttpReply> {
    const given = ctx.body;
    if (given.show !== undefined) return this.form(ctx, id, given);
    const found = await this.find(ctx, id);
    if (!('name' in found)) return found;
    const { buyer, name } = found;
    try {
      const offer = await this.offerOf(found, given, ctx);
      const { seen_total: seen = '', type = '', request = '' } = given;
      const asked = { buyer, owner: this.ownerOf(found), offer, seen, type: type.trim(), request: request.trim().slice(0, 64) };
      const made = await this.checkout.repeated({ kind: 'renew', name }, asked);
      if (made) return outcomeOf(made);
      if (offer.refused) return await this.form(ctx, id, given, undefined, 422);
      await this.names.renewedEnd(name.id, offer.months);
      return outcomeOf(await this.checkout.place({ kind: 'renew', name }, asked, ctx));
    } catch (error) {
      return this.form(ctx, id, given, refusedBy(error, ctx), 422);
    }
  }

  /** Returns the name if it belongs to the visitor; otherwise a page with the reason. */
  private async find(ctx: CallContext, id: string): Promise<Renewed | HttpReply> {
    const buyer = await this.buyers.of(ctx);
    if (!buyer) return signInPage(this.svc, ctx, `/domain/renew/${/^\d{1,9}$/.test(id) ? id : '0'}`);
    const name = /^\d{1,9}$/.test(id) ? await this.names.get(Number(id)) : null;
    const zone = name && (await this.offers.zone(String(name.zone), true));
    if (!name || !zone || !hasName(buyer, name)) return nonePage(this.svc, ctx, ctx.t('no_name'), ctx.t('no_name_text'));
    if (name.expiresOn === null) return nonePage(this.svc, ctx, ctx.t('no_end'), ctx.t('no_end_text'));
    // In a zone without expiry, existing names are renewed by the year.
    return { buyer, name, zone: zone.months === 0 ? { ...zone, months: 12 } : zone };
  }

  private offerOf(found: Renewed, { n, yhq = '' }: Fields, ctx: CallContext): Promise<Offer> {
    return this.offers.of(found.zone, n, yhq, this.ownerOf(found), ctx);
  }

  private ownerOf({ buyer, name }: Renewed) {
    return ownerFor(buyer, buyer.hosts.find(({ id }) => id === name.host) ?? null);
  }

  private async until(name: NameRecord, { months }: Offer): Promise<{ day: string; problem: string }> {
    try {
      return { day: await this.names.renewedEnd(name.id, months), problem: '' };
    } catch (error) {
      return { day: '', problem: error instanceof Error && 'field' in error ? error.message : String(error) };
    }
  }
}
