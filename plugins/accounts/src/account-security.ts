import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { onwards } from '@svc/page-kit';
import {
  CustomerAccountsService,
  SVC_FACADE,
  html,
  type CallContext,
  type CustomerRecord,
  type HttpReply,
  type SafeHtml,
  type SvcFacade,
  visitingProgram,
} from '@svc/sdk';

import { AccountHome } from './account-home.js';
import { Layout, refusedBy, type Shown } from './layout.js';

/** The second factor, and the customer's sessions. */
@Injectable()
export class AccountSecurity implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
    @Inject(Layout) private readonly layout: Layout,
    @Inject(AccountHome) private readonly home: AccountHome,
  ) {}

  onModuleInit(): void {
    const route = (method: 'GET' | 'POST', path: string, serve: (ctx: CallContext, customer: CustomerRecord) => Promise<HttpReply>): void =>
      void this.svc.svc_register_route(
        method,
        `/account/security${path}`,
        (_params, ctx) => this.home.signedIn(ctx, (customer) => serve(ctx, customer)),
        10,
        null,
        { audit: false },
      );
    route('GET', '', (ctx, customer) => this.show(ctx, customer));
    // Answers to its forms are shown at the forms' own URLs, which a reload requests with GET.
    for (const form of ['begin', 'confirm', 'remove', 'codes', 'end']) route('GET', `/${form}`, async () => onwards('/account/security'));
    route('POST', '/begin', (ctx, customer) => this.setUp(ctx, customer));
    route('POST', '/confirm', async (ctx, customer) => {
      const answer = await this.accounts.confirmFactor(ctx, ctx.body.code ?? '');
      return answer.ok ? this.codes(ctx, customer, answer.message, answer.codes) : this.setUp(ctx, customer, refusedBy(answer));
    });
    route('POST', '/remove', async (ctx, customer) => {
      const { password = '', code = '' } = ctx.body;
      const answer = await this.accounts.removeFactor(ctx, { password, code });
      return answer.ok ? onwards('/account/security') : this.show(ctx, customer, refusedBy(answer));
    });
    route('POST', '/codes', async (ctx, customer) => {
      const { password = '', code = '' } = ctx.body;
      const answer = await this.accounts.renewCodes(ctx, { password, code });
      return answer.ok ? this.codes(ctx, customer, answer.message, answer.codes) : this.show(ctx, customer, refusedBy(answer));
    });
    route('POST', '/end', async (ctx, customer) => {
      const { session = '' } = ctx.body;
      const answer = await this.accounts.endSession(ctx, session === 'all' ? 'all' : Number(session));
      return answer.ok ? onwards('/account/security') : this.show(ctx, customer, refusedBy(answer));
    });
  }

  private async show(ctx: CallContext, customer: CustomerRecord, shown: Shown = {}): Promise<HttpReply> {
    const [factor, listed] = [await this.accounts.factor(ctx), await this.accounts.sessions(ctx)];
    const content = html`<h2>${ctx.t('second_factor')}</h2>
      ${factor.ok && factor.enabled ? this.factorOn(ctx, factor.codes) : this.factorOff(ctx)}
      <h2>${ctx.t('sessions')}</h2>
      ${listed.ok ? this.sessions(ctx, listed.sessions) : ''}`;
    return this.layout.page(ctx, ctx.t('tab_security'), content, { customer, ...shown });
  }

  private factorOff(ctx: CallContext): SafeHtml {
    return html`<form method="post" action="/account/security/begin" class="narrow"><p>${ctx.t('factor_lead')}</p>
      <button class="button">${ctx.t('factor_begin')}</button></form>`;
  }

  private factorOn(ctx: CallContext, left: number): SafeHtml {
    const shown = (
      path: string,
      label: string,
      isDanger: boolean,
    ): SafeHtml => html`<details ${ctx.path.endsWith(`/${path}`) && 'open'}><summary>${ctx.t(label)}</summary>
      <form method="post" action="/account/security/${path}" class="narrow">
        <label>${ctx.t('password')}<input name="password" type="password" required maxlength="64" autocomplete="current-password"></label>
        <label>${ctx.t('code')}<input name="code" required maxlength="16" autocomplete="one-time-code"></label>
        <button class="button ${isDanger ? 'danger' : ''}">${ctx.t(label)}</button></form></details>`;
    return html`<p class="success">${ctx.t('factor_is_on', { codes: left })}</p>
      ${shown('codes', 'codes_renew', false)}${shown('remove', 'factor_remove', true)}`;
  }

  /** Shows the secret and the form for its first code: the same secret until it expires, however many codes were wrong. */
  private async setUp(ctx: CallContext, customer: CustomerRecord, shown: Shown = {}): Promise<HttpReply> {
    const answer = await this.accounts.beginFactor(ctx);
    if (!answer.ok) return this.show(ctx, customer, refusedBy(answer));
    const content = html`<form method="post" action="/account/security/confirm" class="narrow">
      <p>${answer.message}</p><img class="qr" src="${answer.image}" alt="${ctx.t('qr')}" width="220" height="220">
      <p><code class="secret">${answer.secret}</code></p><p><a href="${answer.uri}">${ctx.t('open_app')}</a></p>
      <label>${ctx.t('code')}<input name="code" required maxlength="16" autocomplete="one-time-code" inputmode="numeric" autofocus></label>
      <button class="button">${ctx.t('factor_confirm')}</button></form>`;
    return this.layout.page(ctx, ctx.t('second_factor'), content, { customer, ...shown });
  }

  private codes(ctx: CallContext, customer: CustomerRecord, text: string, codes: readonly string[]): HttpReply {
    const content = html`<p class="success" role="status">${text}</p>
      <ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      <p><a class="button" href="/account/security">${ctx.t('codes_kept')}</a></p>`;
    return this.layout.page(ctx, ctx.t('recovery_codes'), content, { customer });
  }

  private sessions(
    ctx: CallContext,
    sessions: readonly { id: number; ip: string; userAgent: string; seenAt: string; current: boolean }[],
  ): SafeHtml {
    const end = (session: number): SafeHtml => html`<form method="post" action="/account/security/end" class="inline">
      <button name="session" value="${session}">${ctx.t('end_session')}</button></form>`;
    return html`<div class="scroll"><table class="stack"><thead><tr><th>${ctx.t('address')}</th><th>${ctx.t('browser')}</th>
      <th>${ctx.t('seen')}</th><th></th></tr></thead>
      <tbody>${sessions.map(
        ({
          id,
          ip,
          userAgent,
          seenAt,
          current,
        }) => html`<tr><td>${ip}</td><td>${this.browser(ctx, userAgent)}</td><td>${this.svc.timeText(seenAt)}</td>
        <td>${current ? ctx.t('this_session') : end(id)}</td></tr>`,
      )}</tbody></table></div>
      ${
        sessions.length > 1
          ? html`<form method="post" action="/account/security/end" class="inline"><button class="button" name="session"
            value="all">${ctx.t('end_others')}</button></form>`
          : ''
      }`;
  }

  /** Readable name of the browser; the full user agent on request. */
  private browser(ctx: CallContext, userAgent: string): SafeHtml {
    const { name, system } = visitingProgram(userAgent);
    const words = name && system ? ctx.t('browser_on', { name, system }) : name || system || ctx.t('browser_unknown');
    return userAgent === '' ? html`${words}` : html`<details><summary>${words}</summary><small>${userAgent}</small></details>`;
  }
}
