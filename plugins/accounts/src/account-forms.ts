import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { onwards } from '@svc/page-kit';
import {
  CustomerAccountsService,
  CustomersService,
  SVC_FACADE,
  html,
  type CallContext,
  type CustomerRecord,
  type HttpReply,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

import { AccountHome } from './account-home.js';
import { Layout, afterSignIn, refusedBy, type Shown } from './layout.js';
import { Options } from './options.js';

const NO_AUDIT = { audit: false } as const;

/** Filter for the URL at which customers sign in; see docs/plugin-api.md "Customers". */
const SIGN_IN = 'accounts.sign_in';

/** Signing in and out, registering, profile and password. */
@Injectable()
export class AccountForms implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
    @Inject(Layout) private readonly layout: Layout,
    @Inject(Options) private readonly options: Options,
    @Inject(AccountHome) private readonly home: AccountHome,
  ) {}

  onModuleInit(): void {
    const { svc, home } = this;
    const post = (path: string, serve: (ctx: CallContext) => Promise<HttpReply>): void =>
      void svc.svc_register_route('POST', path, (_params, ctx) => serve(ctx), 10, null, NO_AUDIT);
    const get = (path: string, serve: (ctx: CallContext) => Promise<HttpReply>): void =>
      void svc.svc_register_route('GET', path, (_params, ctx) => serve(ctx));
    svc.svc_add_filter(
      SIGN_IN,
      (_address: unknown, _ctx: CallContext, back: string) => `/account/login?${new URLSearchParams({ next: back }).toString()}`,
    );
    get('/account/login', async (ctx) => ((await this.customers.current(ctx)) ? afterSignIn(ctx) : this.login(ctx, ctx.query.user ?? '')));
    post('/account/login', (ctx) => this.signIn(ctx));
    get('/account/register', async (ctx) => ((await this.customers.current(ctx)) ? afterSignIn(ctx) : this.register(ctx)));
    post('/account/register', (ctx) => this.takeRegistration(ctx));
    get('/account/logout', (ctx) =>
      home.signedIn(ctx, (customer) =>
        this.layout.page(ctx, ctx.t('sign_out'), html`<form method="post"><button class="button">${ctx.t('sign_out')}</button></form>`, {
          customer,
        }),
      ),
    );
    post('/account/logout', async (ctx) => {
      const answer = await this.accounts.signOut(ctx);
      return onwards('/account/login', answer.ok ? answer.cookies : []);
    });
    get('/account/profile', (ctx) => home.signedIn(ctx, (customer) => this.profile(ctx, customer)));
    post('/account/profile', (ctx) => home.signedIn(ctx, (customer) => this.saveProfile(ctx, customer)));
    get('/account/password', (ctx) => home.signedIn(ctx, (customer) => this.password(ctx, { customer })));
    post('/account/password', (ctx) => home.signedIn(ctx, (customer) => this.changePassword(ctx, customer)));
  }

  private async login(ctx: CallContext, username: string, shown: Shown = {}): Promise<HttpReply> {
    const way = await this.options.registerBy();
    const next = nextIn(ctx);
    const onward = next && `?${new URLSearchParams({ next }).toString()}`;
    const content = html`<form method="post" action="/account/login" class="narrow">
      <input type="hidden" name="next" value="${next}">
      <label>${ctx.t('username_or_mail')}<input name="username" value="${username.slice(0, 128)}" required maxlength="128"
        autocomplete="username" autocapitalize="none" spellcheck="false"></label>
      <label>${ctx.t('password')}<input name="password" type="password" required maxlength="64" autocomplete="current-password"></label>
      ${this.layout.captcha(ctx, this.accounts.captchaWanted())}
      <button class="button">${ctx.t('sign_in')}</button>
      <p class="links"><a href="/account/forgot">${ctx.t('forgot')}</a>${
        way === 'closed' ? '' : html`<a href="/account/register${onward}">${ctx.t('register')}</a>`
      }<a href="/user/login${next.startsWith('/account') ? '' : onward}">${ctx.t('host_sign_in')}</a></p>
    </form>`;
    return this.layout.page(ctx, ctx.t('sign_in'), content, shown);
  }

  private async signIn(ctx: CallContext): Promise<HttpReply> {
    const { username = '', password = '', captcha = '', step = '', code = '' } = ctx.body;
    if (step !== '') {
      const answer = await this.accounts.showCode(ctx, { step, code });
      if (answer.ok) return afterSignIn(ctx, answer.cookies);
      const again = refusedBy(answer);
      return answer.code === 'CODE_WRONG' ? this.askCode(ctx, step, again) : this.login(ctx, '', again);
    }
    const answer = await this.accounts.signIn(ctx, { username, password, captcha });
    if (!answer.ok) return this.login(ctx, username, refusedBy(answer));
    return answer.step === null ? afterSignIn(ctx, answer.cookies) : this.askCode(ctx, answer.step);
  }

  private askCode(ctx: CallContext, step: string, shown: Shown = {}): HttpReply {
    const content = html`<form method="post" action="/account/login" class="narrow">
      <input type="hidden" name="next" value="${nextIn(ctx)}"><input type="hidden" name="step" value="${step}">
      <label>${ctx.t('code')}<input name="code" required maxlength="16" autocomplete="one-time-code" autocapitalize="none"
        spellcheck="false" autofocus>
        <small>${ctx.t('code_hint')}</small></label>
      <button class="button">${ctx.t('sign_in')}</button></form>`;
    return this.layout.page(ctx, ctx.t('second_factor'), content, shown);
  }

  private async register(
    ctx: CallContext,
    given: Readonly<Record<string, string | undefined>> = {},
    shown: Shown = {},
  ): Promise<HttpReply> {
    const way = await this.options.registerBy();
    const token = given.token ?? ctx.query.t;
    const proven = token && way !== 'closed' ? await this.accounts.registrationOf(token) : null;
    const title = ctx.t('register');
    const toLogin = { href: '/account/login', label: ctx.t('sign_in') };
    if (way === 'closed') return this.layout.notice(ctx, title, ctx.t('register_closed'), toLogin, { status: 403 });
    if (token && !proven) {
      return this.layout.notice(ctx, title, ctx.t('link_over'), { href: '/account/register', label: title }, { status: 410 });
    }
    const content =
      way === 'mail' && !proven ? this.mailForm(ctx, given) : this.registerForm(ctx, given, token ?? '', proven?.email ?? null);
    return this.layout.page(ctx, title, content, shown);
  }

  private mailForm(ctx: CallContext, { email }: Readonly<Record<string, string | undefined>>): SafeHtml {
    return html`<form method="post" action="/account/register" class="narrow">
      <input type="hidden" name="next" value="${nextIn(ctx)}">
      <label>${ctx.t('email')}<input name="email" type="email" value="${email ?? ''}" required maxlength="128" autocomplete="email">
        <small>${ctx.t('register_mail_hint')}</small></label>
      ${this.layout.captcha(ctx, this.accounts.captchaWanted())}
      <button class="button">${ctx.t('send_link')}</button>
      <p class="links"><a href="/account/login">${ctx.t('have_account')}</a></p></form>`;
  }

  private registerForm(
    ctx: CallContext,
    given: Readonly<Record<string, string | undefined>>,
    token: string,
    mail: string | null,
  ): SafeHtml {
    const email =
      mail === null
        ? html`<input name="email" type="email" value="${given.email ?? ''}" maxlength="128" autocomplete="email">`
        : html`<input type="email" value="${mail}" readonly>`;
    return html`<form method="post" action="/account/register" class="narrow">
      <input type="hidden" name="next" value="${nextIn(ctx)}">
      ${token ? html`<input type="hidden" name="token" value="${token}">` : ''}
      <label>${ctx.t('username')}<input name="username" value="${given.username ?? ''}" required minlength="3" maxlength="32"
        pattern="[A-Za-z0-9_]+" autocomplete="username" autocapitalize="none" spellcheck="false">
        <small>${ctx.t('username_hint')}</small></label>
      <label>${ctx.t('password')}<input name="password" type="password" required minlength="6" maxlength="64"
        autocomplete="new-password"><small>${ctx.t('password_hint')}</small></label>
      <label>${ctx.t('password_again')}<input name="password2" type="password" required minlength="6" maxlength="64"
        autocomplete="new-password"></label>
      <label>${ctx.t(mail === null ? 'email_optional' : 'email')}${email}</label>
      <label>${ctx.t('qq_optional')}<input name="qq" value="${given.qq ?? ''}" inputmode="numeric" maxlength="12"></label>
      ${token ? '' : this.layout.captcha(ctx, this.accounts.captchaWanted())}
      <button class="button">${ctx.t('register')}</button>
      <p class="links"><a href="/account/login">${ctx.t('have_account')}</a></p></form>`;
  }

  private async takeRegistration(ctx: CallContext): Promise<HttpReply> {
    const { username = '', password = '', password2 = '', email = '', qq = '', captcha = '', token } = ctx.body;
    const way = await this.options.registerBy();
    if (way === 'closed') return this.register(ctx);
    if (way === 'mail' && !token) {
      const asked = await this.accounts.askToRegister(ctx, { email, captcha });
      if (!asked.ok) return this.register(ctx, ctx.body, { ...refusedBy(asked), status: 422 });
      return this.layout.notice(ctx, ctx.t('register'), asked.message, { href: '/account/login', label: ctx.t('sign_in') });
    }
    const answer = await this.accounts.register(ctx, { username, password, password2, email, qq, captcha, ...(token && { token }) });
    return answer.ok ? afterSignIn(ctx, answer.cookies) : this.register(ctx, ctx.body, { ...refusedBy(answer), status: 422 });
  }

  private profile(
    ctx: CallContext,
    customer: CustomerRecord,
    given: { email: string; qq: string } = customer,
    shown: Shown = {},
  ): HttpReply {
    const version = this.svc.svc_row_version({ email: customer.email, qq: customer.qq });
    const unconfirmed = customer.email !== '' && !customer.emailVerified;
    const content = html`<form method="post" class="narrow"><input type="hidden" name="row_version" value="${version}">
      <label>${ctx.t('username')}<input value="${customer.username}" readonly></label>
      <label>${ctx.t('email')}<input name="email" type="email" value="${given.email}" maxlength="128" autocomplete="email">
        <small>${ctx.t(customer.emailVerified ? 'email_confirmed' : 'email_hint')}</small></label>
      <label>QQ<input name="qq" value="${given.qq}" inputmode="numeric" maxlength="12"></label>
      <button class="button">${ctx.t('save')}</button></form>
      ${
        unconfirmed
          ? html`<form method="post" action="/account/confirm/send" class="narrow">
            <p>${ctx.t('confirm_lead', { email: customer.email })}</p><button class="button">${ctx.t('confirm_send')}</button></form>`
          : ''
      }`;
    return this.layout.page(ctx, ctx.t('tab_profile'), html`${this.saved(ctx)}${content}`, { customer, ...shown });
  }

  private async saveProfile(ctx: CallContext, customer: CustomerRecord): Promise<HttpReply> {
    const { email = '', qq = '', row_version = '' } = ctx.body;
    const answer = await this.accounts.saveProfile(ctx, { email, qq, row_version });
    if (answer.ok) return onwards('/account/profile?saved=1');
    // A resubmitted form is compared with the current values.
    const present = (await this.customers.get(customer.id)) ?? customer;
    return this.profile(ctx, present, { email, qq }, { ...refusedBy(answer), status: 422 });
  }

  private async password(ctx: CallContext, shown: Shown): Promise<HttpReply> {
    const field = (name: string, complete: string): SafeHtml =>
      html`<label>${ctx.t(name)}<input name="${name}" type="password" required maxlength="64" autocomplete="${complete}"></label>`;
    const content = html`${this.saved(ctx)}<form method="post" class="narrow">
      ${field('old_password', 'current-password')}${field('new_password', 'new-password')}${field('new_password2', 'new-password')}
      <p class="hint">${ctx.t('password_ends')}</p><button class="button">${ctx.t('save')}</button></form>`;
    return this.layout.page(ctx, ctx.t('tab_password'), content, shown);
  }

  private async changePassword(ctx: CallContext, customer: CustomerRecord): Promise<HttpReply> {
    const { old_password: oldPassword = '', new_password: newPassword = '', new_password2: newPassword2 = '' } = ctx.body;
    const answer = await this.accounts.changePassword(ctx, { oldPassword, newPassword, newPassword2 });
    if (answer.ok) return onwards('/account/password?saved=1', answer.cookies);
    return this.password(ctx, { customer, ...refusedBy(answer) });
  }

  private saved(ctx: CallContext): SafeHtml | '' {
    return ctx.query.saved === '1' && ctx.method === 'GET' ? html`<p class="success" role="status">${ctx.t('saved')}</p>` : '';
  }
}

/** Target after signing in, carried by the form. */
const nextIn = ({ body, query }: CallContext): string => body.next ?? query.next ?? '';
