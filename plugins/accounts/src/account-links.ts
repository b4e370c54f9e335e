import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { onwards } from '@svc/page-kit';
import { CustomerAccountsService, SVC_FACADE, html, type CallContext, type HttpReply, type SvcFacade } from '@svc/sdk';

import { AccountHome } from './account-home.js';
import { Layout, refusedBy, type Shown } from './layout.js';

const NO_AUDIT = { audit: false } as const;

/** Password recovery and other links in mails. Opening a link has no effect, because mail scanners open links as well. */
@Injectable()
export class AccountLinks implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
    @Inject(Layout) private readonly layout: Layout,
    @Inject(AccountHome) private readonly home: AccountHome,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    const route = (method: 'GET' | 'POST', path: string, serve: (ctx: CallContext) => Promise<HttpReply>): void =>
      void svc.svc_register_route(method, `/account/${path}`, (_params, ctx) => serve(ctx), 10, null, NO_AUDIT);
    route('GET', 'forgot', (ctx) => Promise.resolve(this.forgot(ctx)));
    route('POST', 'forgot', (ctx) => this.askReset(ctx));
    route('GET', 'reset', (ctx) => this.reset(ctx, ctx.query.t ?? ''));
    route('POST', 'reset', (ctx) => this.setPassword(ctx));
    route('GET', 'enter', (ctx) => this.enter(ctx));
    route('POST', 'enter', async (ctx) => {
      const answer = await this.accounts.enter(ctx, ctx.body.t ?? '');
      return answer.ok ? onwards('/account', answer.cookies) : this.over(ctx);
    });
    route('GET', 'confirm', (ctx) => Promise.resolve(this.confirm(ctx)));
    route('POST', 'confirm', async (ctx) => {
      const answer = await this.accounts.confirm(ctx, ctx.body.t ?? '');
      const shown = answer.ok ? {} : { status: 410 };
      return this.layout.notice(ctx, ctx.t('confirm_title'), answer.message, { href: '/account', label: ctx.t('to_account') }, shown);
    });
    route('POST', 'confirm/send', (ctx) =>
      this.home.signedIn(ctx, async (customer) => {
        const answer = await this.accounts.askConfirmation(ctx);
        const status = answer.ok ? 200 : answer.status === 429 ? 429 : 422;
        return this.layout.notice(
          ctx,
          ctx.t('confirm_title'),
          answer.message,
          { href: '/account/profile', label: ctx.t('back') },
          { customer, status },
        );
      }),
    );
  }

  private forgot(ctx: CallContext, shown: Shown = {}): HttpReply {
    const { username = '', email = '' } = ctx.body;
    const content = html`<form method="post" class="narrow"><p>${ctx.t('forgot_lead')}</p>
      <label>${ctx.t('username')}<input name="username" value="${username}" required maxlength="64" autocomplete="username"
        autocapitalize="none" spellcheck="false"></label>
      <label>${ctx.t('email')}<input name="email" type="email" value="${email}" required maxlength="128" autocomplete="email"></label>
      ${this.layout.captcha(ctx, this.accounts.captchaWanted())}
      <button class="button">${ctx.t('send_link')}</button>
      <p class="links"><a href="/account/login">${ctx.t('sign_in')}</a></p></form>`;
    return this.layout.page(ctx, ctx.t('forgot'), content, shown);
  }

  private async askReset(ctx: CallContext): Promise<HttpReply> {
    const { username = '', email = '', captcha = '' } = ctx.body;
    const answer = await this.accounts.askReset(ctx, { username, email, captcha });
    if (!answer.ok) return this.forgot(ctx, refusedBy(answer));
    return this.layout.notice(ctx, ctx.t('forgot'), answer.message, { href: '/account/login', label: ctx.t('sign_in') });
  }

  private async reset(ctx: CallContext, token: string, shown: Shown = {}): Promise<HttpReply> {
    const account = await this.accounts.resetOf(token);
    if (!account) return this.over(ctx);
    const content = html`<form method="post" action="/account/reset" class="narrow">
      <input type="hidden" name="t" value="${token}">
      <label>${ctx.t('username')}<input value="${account.username}" readonly autocomplete="username"></label>
      <label>${ctx.t('new_password')}<input name="password" type="password" required minlength="6" maxlength="64"
        autocomplete="new-password"><small>${ctx.t('password_hint')}</small></label>
      <label>${ctx.t('new_password2')}<input name="password2" type="password" required minlength="6" maxlength="64"
        autocomplete="new-password"></label>
      <button class="button">${ctx.t('save')}</button></form>`;
    return this.layout.page(ctx, ctx.t('reset_title'), content, shown);
  }

  private async setPassword(ctx: CallContext): Promise<HttpReply> {
    const { t: token = '', password = '', password2 = '' } = ctx.body;
    const answer = await this.accounts.reset(ctx, { token, password, password2 });
    if (!answer.ok) return this.reset(ctx, token, { ...refusedBy(answer), status: 422 });
    return this.layout.notice(ctx, ctx.t('reset_title'), answer.message, { href: '/account/login', label: ctx.t('sign_in') });
  }

  private async enter(ctx: CallContext): Promise<HttpReply> {
    const token = ctx.query.t ?? '';
    const account = await this.accounts.enterOf(token);
    if (!account) return this.over(ctx);
    const content = html`<form method="post" action="/account/enter" class="narrow"><input type="hidden" name="t" value="${token}">
      <p>${ctx.t('enter_lead', { username: account.username })}</p><button class="button">${ctx.t('sign_in')}</button></form>`;
    return this.layout.page(ctx, ctx.t('sign_in'), content);
  }

  private confirm(ctx: CallContext): HttpReply {
    const content = html`<form method="post" action="/account/confirm" class="narrow"><input type="hidden" name="t"
      value="${ctx.query.t ?? ''}">
      <p>${ctx.t('confirm_text')}</p><button class="button">${ctx.t('confirm_now')}</button></form>`;
    return this.layout.page(ctx, ctx.t('confirm_title'), content);
  }

  private over(ctx: CallContext): HttpReply {
    return this.layout.notice(
      ctx,
      ctx.t('link_over_title'),
      ctx.t('link_over'),
      { href: '/account/login', label: ctx.t('sign_in') },
      { status: 410 },
    );
  }
}
