import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { empty, onwards } from '@svc/page-kit';
import {
  CustomerAccountsService,
  CustomersService,
  SVC_FACADE,
  currency,
  html,
  type CallContext,
  type CustomerNotice,
  type CustomerRecord,
  type HostRecord,
  type HttpReply,
  type OrderSummary,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

import { Layout, leadToSignIn } from './layout.js';

/** Filter for links of other plugins; see docs/plugin-api.md "Customers". */
const LINKS = 'accounts.links';
const MAX_LINKS = 10;
const LONGEST_TITLE = 60;

/** The customer's overview: hosts opened with one click, and orders. */
@Injectable()
export class AccountHome implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
    @Inject(Layout) private readonly layout: Layout,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_route('GET', '/account', (_params, ctx) => this.signedIn(ctx, (customer) => this.overview(ctx, customer)));
    svc.svc_register_route('GET', '/account/orders', (_params, ctx) => this.signedIn(ctx, (customer) => this.orders(ctx, customer)));
    svc.svc_register_route('GET', '/account/notices', (_params, ctx) => this.signedIn(ctx, (customer) => this.notices(ctx, customer)));
    svc.svc_register_route(
      'POST',
      '/account/notices/read',
      (_params, ctx) =>
        this.signedIn(ctx, async () => {
          await this.accounts.readNotices(ctx);
          return onwards('/account/notices');
        }),
      10,
      null,
      { audit: false },
    );
    svc.svc_register_route(
      'POST',
      '/account/hosts/{id}/open',
      (params, ctx) =>
        this.signedIn(ctx, async (customer) => {
          const { page } = ctx.body;
          const answer = await this.accounts.openHost(
            ctx,
            Number(params.id),
            page === 'renew' || page === 'package' || page === 'notices' ? page : undefined,
          );
          if (!answer.ok) return this.overview(ctx, customer, answer.message);
          const { pathname, search } = new URL(answer.url);
          return onwards(`${pathname}${search}`);
        }),
      10,
      null,
      { audit: false },
    );
  }

  /** Serves a signed-in customer; redirects others to the sign-in form and back afterwards. */
  async signedIn(ctx: CallContext, work: (customer: CustomerRecord) => HttpReply | Promise<HttpReply>): Promise<HttpReply> {
    const customer = await this.customers.current(ctx);
    return customer ? work(customer) : leadToSignIn(ctx);
  }

  private async overview(ctx: CallContext, customer: CustomerRecord, problem = ''): Promise<HttpReply> {
    const hosts = await this.customers.hostsOf(customer.id);
    const answer = await this.accounts.orders(ctx);
    const orders = answer.ok ? answer.orders.slice(0, 5) : [];
    const links = await this.links(ctx, customer);
    const notices = await this.accounts.notices(ctx);
    const unread = notices.ok ? notices.unread : 0;
    const content = html`
      ${
        customer.email !== '' && !customer.emailVerified
          ? html`<p class="note">${ctx.t('mail_unconfirmed')} <a href="/account/profile">${ctx.t('confirm_now')}</a></p>`
          : ''
      }
      ${
        links.length === 0
          ? ''
          : html`<p class="links">${links.map(({ href, title }) => html`<a class="button plain" href="${href}">${title}</a> `)}</p>`
      }
      ${unread === 0 ? '' : html`<p class="note"><a href="/account/notices">${ctx.t('notices_unread', { n: unread })}</a></p>`}
      <h2>${ctx.t('hosts')}</h2>
      ${hosts.length === 0 ? empty(ctx.t('no_hosts')) : html`<ul class="cards">${hosts.map((host) => this.host(ctx, host))}</ul>`}
      <h2>${ctx.t('latest_orders')}</h2>
      ${this.orderTable(ctx, orders)}
      ${answer.ok && answer.orders.length > 5 ? html`<p><a href="/account/orders">${ctx.t('all_orders')}</a></p>` : ''}`;
    return this.layout.page(ctx, ctx.t('welcome', { username: customer.username }), content, {
      customer,
      problem,
      status: problem ? 422 : 200,
    });
  }

  /** Returns links of other plugins, such as credit or purchased hosts. Invalid links are dropped. */
  private async links(ctx: CallContext, customer: CustomerRecord): Promise<{ href: string; title: string }[]> {
    const found = await this.svc.svc_apply_filters<unknown>(LINKS, [], ctx, customer);
    if (!Array.isArray(found)) return [];
    return found
      .slice(0, MAX_LINKS)
      .map((link) => ({ ...(link as { href?: unknown; title?: unknown } | null) }))
      .filter((link): link is { href: string; title: string } => isPath(link.href) && typeof link.title === 'string' && link.title !== '')
      .map(({ href, title }) => ({ href, title: title.slice(0, LONGEST_TITLE) }));
  }

  private host(ctx: CallContext, host: HostRecord): SafeHtml {
    const isPaused = host.status === 'paused';
    // For an expired host renewal is the main action.
    const hasEnded =
      isPaused && host.expiresOn !== null && host.expiresOn < new Intl.DateTimeFormat('sv-SE', { timeZone: this.svc.timezone }).format();
    const state = isPaused ? 'host_paused' : host.status === 'active' ? 'host_active' : 'host_preparing';
    return html`<li>
      <h3>${host.user}</h3>
      <p><span class="state ${isPaused ? 'bad' : 'good'}">${ctx.t(state)}</span></p>
      <dl class="small"><dt>${ctx.t('site_address')}</dt><dd><a href="${host.url}">${host.url.replace(/^https?:\/\//, '')}</a></dd>
        <dt>${ctx.t('expires')}</dt><dd>${host.expiresOn ?? ctx.t('never')}</dd></dl>
      <form method="post"
        action="/account/hosts/${host.id}/open"><button class="button${hasEnded ? ' plain' : ''}">${ctx.t('open_host')}</button>
        <button class="button${hasEnded ? '' : ' plain'}" name="page" value="renew">${ctx.t('renew_host')}</button>
        <button class="button plain" name="page" value="package">${ctx.t('change_host')}</button></form>
    </li>`;
  }

  private async orders(ctx: CallContext, customer: CustomerRecord): Promise<HttpReply> {
    const page = pageOf(ctx);
    const answer = await this.accounts.orders(ctx, page);
    const found = answer.ok ? answer : { orders: [], more: false };
    const content = html`${this.orderTable(ctx, found.orders)}
      ${this.pager(ctx, page, found.more)}`;
    return this.layout.page(ctx, ctx.t('tab_orders'), content, { customer });
  }

  private async notices(ctx: CallContext, customer: CustomerRecord): Promise<HttpReply> {
    const page = pageOf(ctx);
    const answer = await this.accounts.notices(ctx, page);
    const { notices, unread, more } = answer.ok ? answer : { notices: [], unread: 0, more: false };
    const content = html`
      ${
        unread === 0
          ? ''
          : html`<form method="post" action="/account/notices/read" class="above">
              <button class="button plain">${ctx.t('notices_read')}</button></form>`
      }
      ${notices.length === 0 ? empty(ctx.t('no_notices')) : ''}
      <ul class="cards">${notices.map(
        (notice) => html`<li>
        <h3>${notice.title}${
          notice.unread
            ? html`
              <span class="state ${notice.level === 'danger' || notice.level === 'warning' ? 'bad' : 'good'}">${ctx.t('notice_new')}</span>`
            : ''
        }</h3>
        <p class="small">${notice.host === '' ? '' : `${notice.host} · `}${this.svc.timeText(notice.createdAt)}</p>
        <p class="told">${notice.text}</p>
        ${this.more(ctx, notice)}</li>`,
      )}</ul>
      ${this.pager(ctx, page, more)}`;
    return this.layout.page(ctx, ctx.t('tab_notices'), content, { customer });
  }

  /** Link to the details of a notice. */
  private more(ctx: CallContext, { hostId, link }: CustomerNotice): SafeHtml | string {
    if (hostId === null) return link === '' ? '' : html`<p><a class="button plain" href="${link}">${ctx.t('notice_more')}</a></p>`;
    return html`<form method="post" action="/account/hosts/${hostId}/open"><button class="button plain" name="page"
      value="notices">${ctx.t('open_host')}</button></form>`;
  }

  private pager(ctx: CallContext, page: number, more: boolean): SafeHtml {
    return html`<nav class="pages" aria-label="${ctx.t('pages')}">
        ${
          page > 1 ? html`<a href="?page=${page - 1}">${ctx.t('newer')}</a>` : ''
        }${more ? html`<a href="?page=${page + 1}">${ctx.t('older')}</a>` : ''}
      </nav>`;
  }

  private orderTable(ctx: CallContext, orders: readonly OrderSummary[]): SafeHtml {
    if (orders.length === 0) return empty(ctx.t('no_orders'));
    return html`<div class="scroll"><table class="stack">
      <thead><tr><th>${ctx.t('order')}</th><th>${ctx.t('item')}</th><th class="number">${ctx.t('amount')}</th><th>${ctx.t('state')}</th>
        <th>${ctx.t('date')}</th></tr></thead>
      <tbody>${orders.map(
        (order) => html`<tr><td>${order.ddh}</td><td>${order.name}</td><td class="number">${currency().sign}${order.money}</td>
        <td>${html`<a href="${order.pay_url}">${ctx.t(order.status === 'unpaid' ? 'pay_now' : `order_${order.status}`)}</a>`}</td>
        <td>${this.svc.timeText(order.createdAt)}</td></tr>`,
      )}</tbody></table></div>`;
  }
}

/** Page number from the query. */
const pageOf = (ctx: CallContext): number => (/^[1-9]\d{0,3}$/.test(ctx.query.page ?? '') ? Number(ctx.query.page) : 1);

/** Whether it is a path of this site: no other site, and no script. */
const isPath = (href: unknown): boolean => typeof href === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(href);
