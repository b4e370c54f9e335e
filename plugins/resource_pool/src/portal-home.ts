import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { empty } from '@svc/page-kit';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { RESOURCES } from './amounts.js';
import { idOf } from './form-fields.js';
import { Layout } from './layout.js';
import { Members, useOf, type PresentMember } from './members.js';
import { Pools, type Pool } from './pools.js';
import { PortalEntry } from './portal-entry.js';
import { stateBadge } from './portal-parts.js';
import { usePart } from './use-part.js';
import { limitText } from './words.js';

/** Hosts per page. */
const SIZE = 20;

/** A sub-reseller's overview: usage of the pool, and its hosts. */
@Injectable()
export class PortalHome implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Members) private readonly members: Members,
    @Inject(PortalEntry) private readonly entry: PortalEntry,
    @Inject(Layout) private readonly layout: Layout,
  ) {}

  onModuleInit(): void {
    this.svc.svc_register_route('GET', '/pool', (_params, ctx) => this.entry.signedIn(ctx, (pool) => this.home(ctx, pool)));
  }

  private async home(ctx: CallContext, pool: Pool): Promise<HttpReply> {
    const all = await this.members.of([pool.id]);
    const q = (ctx.query.q ?? '').trim().slice(0, 64);
    const found = all.filter((member) => (member.host?.user ?? member.user).toLowerCase().includes(q.toLowerCase())).reverse();
    const page = Math.min(Math.max(idOf(ctx.query.page) || 1, 1), Math.max(1, Math.ceil(found.length / SIZE)));
    const shown = found.slice((page - 1) * SIZE, page * SIZE);
    const closed = this.pools.closed(pool);
    const open = closed ? '' : html`<a class="button" href="/pool/open">${ctx.t('open_host')}</a>`;
    const content = html`<p class="lead">${ctx.t(pool.expiresOn === '' ? 'pool_endless' : 'pool_until', { day: pool.expiresOn })}</p>
      ${closed ? html`<p class="alert" role="alert">${ctx.t('portal_over')}</p>` : ''}
      <section class="card">${usePart(ctx, pool, useOf(pool, all))}</section>
      ${
        all.length === 0
          ? empty(ctx.t('portal_none'), open)
          : html`<div class="actions">${open}
          <form method="get" action="/pool" class="inline" role="search"><input name="q" value="${q}" maxlength="64" type="search"
            aria-label="${ctx.t('host_name')}" placeholder="${ctx.t('search_hosts')}"></form></div>
          ${found.length === 0 ? empty(ctx.t('search_none')) : ''}
          <ul class="rows">${shown.map((member) => this.line(ctx, member))}</ul>`
      }
      ${found.length > SIZE ? pagesPart(ctx, q, page, Math.ceil(found.length / SIZE)) : ''}`;
    const success =
      ctx.query.done === 'password' ? ctx.t('password_changed') : ctx.query.done === 'deleted' ? ctx.t('done_deleted_short') : '';
    return this.layout.page(ctx, pool.name, content, { pool, success });
  }

  private line(ctx: CallContext, { host, user, booked, hostId }: PresentMember): SafeHtml {
    const limits = host ?? booked;
    const words = RESOURCES.map((resource) => `${ctx.t(resource)} ${limitText(ctx, limits[resource], resource)}`).join(' · ');
    const name = host && hostId !== null ? html`<a href="/pool/host/${hostId}">${host.user}</a>` : user;
    return html`<li><div><strong>${name}</strong><span class="soft">${words}</span></div>
      <div>${stateBadge(ctx, host, hostId)} <span class="soft">${host?.expiresOn ?? (host ? ctx.t('never') : '')}</span></div></li>`;
  }
}

/** Links to the other pages of the list. */
function pagesPart(ctx: CallContext, q: string, page: number, pages: number): SafeHtml {
  const link = (to: number, text: string, rel: string): SafeHtml =>
    html`<a href="/pool?${new URLSearchParams({ ...(q && { q }), page: String(to) }).toString()}" rel="${rel}">${ctx.t(text)}</a>`;
  return html`<nav class="pages" aria-label="${ctx.t('pages')}"><span>${page > 1 ? link(page - 1, 'page_before', 'prev') : ''}</span>
    <span>${ctx.t('page_of', { page, pages })}</span><span>${page < pages ? link(page + 1, 'page_after', 'next') : ''}</span></nav>`;
}
