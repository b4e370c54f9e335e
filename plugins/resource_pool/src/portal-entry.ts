import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { captchaField, nextOf, onwards, toSignIn } from '@svc/page-kit';
import { html, PasswordsService, SVC_FACADE, type CallContext, type HttpReply, type SvcFacade } from '@svc/sdk';

import { isPassword } from './form-fields.js';
import { Layout, LOGIN, type Shown } from './layout.js';
import { Pools, type Pool } from './pools.js';
import { Sessions } from './sessions.js';

/** Default path after signing in. */
const HOME = '/pool';

/** Codes of the panel's own errors, whose messages are shown: wrong captcha, or too many attempts. */
const REFUSALS: readonly unknown[] = ['CAPTCHA_WRONG', 'TOO_MANY_TRIES'];

/** Sign-in, sign-out and password change of sub-resellers. */
@Injectable()
export class PortalEntry implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(PasswordsService) private readonly passwords: PasswordsService,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Layout) private readonly layout: Layout,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    const post = (path: string, audit: string, serve: (ctx: CallContext) => Promise<HttpReply>, actor = this.actor): void =>
      void svc.svc_register_route('POST', path, (_params, ctx) => serve(ctx), 10, null, { audit, actor, rate: 'public' });
    svc.svc_register_route('GET', LOGIN, async (_params, ctx) =>
      (await this.sessions.current(ctx)) ? onwards(nextOf(ctx.query.next, HOME)) : this.login(ctx, ''),
    );
    // Rejected attempts are not logged: the entered name proves nothing.
    post(
      LOGIN,
      'audit.signed_in',
      (ctx) => this.signIn(ctx),
      async ({ body }) => (await this.pools.byUsername((body.username ?? '').slice(0, 64)))?.pool.username ?? null,
    );
    post('/pool/logout', 'audit.signed_out', async (ctx) => onwards(LOGIN, [await this.sessions.close(ctx)]));
    svc.svc_register_route('GET', '/pool/password', (_params, ctx) => this.signedIn(ctx, async (pool) => this.passwordPage(ctx, { pool })));
    post('/pool/password', 'audit.password', (ctx) => this.signedIn(ctx, (pool) => this.changePassword(ctx, pool)));
  }

  /** Actor for the operation log. */
  readonly actor = async (ctx: CallContext): Promise<string | null> => (await this.sessions.current(ctx))?.username ?? null;

  /** Serves a signed-in sub-reseller; redirects others to the sign-in form and back afterwards. */
  async signedIn(ctx: CallContext, serve: (pool: Pool) => Promise<HttpReply>): Promise<HttpReply> {
    const pool = await this.sessions.current(ctx);
    return pool ? serve(pool) : toSignIn(ctx, LOGIN, HOME);
  }

  private login(ctx: CallContext, username: string, shown: Shown = {}): HttpReply {
    const content = html`<p class="lead">${ctx.t('portal_lead')}</p><form method="post" action="${LOGIN}" class="narrow">
      <input type="hidden" name="next" value="${ctx.body.next ?? ctx.query.next ?? ''}">
      <label>${ctx.t('username')}<input name="username" value="${username.slice(0, 64)}" required maxlength="64" autocomplete="username"
        autocapitalize="none" spellcheck="false"></label>
      <label>${ctx.t('password')}<input name="password" type="password" required maxlength="64" autocomplete="current-password"></label>
      ${this.passwords.captchaWanted() ? captchaField(ctx) : ''}
      <button class="button">${ctx.t('sign_in')}</button><small>${ctx.t('portal_forgot')}</small></form>`;
    return this.layout.page(ctx, ctx.t('portal'), content, shown);
  }

  private async signIn(ctx: CallContext): Promise<HttpReply> {
    const { username = '', password = '', captcha = '' } = ctx.body;
    const found = username.length > 64 ? null : await this.pools.byUsername(username);
    const problem = await this.problemOf(ctx, async () => {
      await this.passwords.checkCaptcha(ctx, captcha);
      return this.passwords.check(ctx, { name: username, hash: found?.hash ?? null }, password);
    });
    if (problem !== '') return this.login(ctx, username, { problem, status: 422 });
    // Only disclosed to a caller who knows the password.
    if (!found!.pool.enabled) return this.login(ctx, username, { problem: ctx.t('portal_off'), status: 403 });
    this.svc.log.info('a sub-reseller signed in', { pool: found!.pool.id, ip: ctx.ip });
    return onwards(nextOf(ctx.body.next, HOME), [await this.sessions.open(found!.pool)]);
  }

  /** Returns why a password was rejected; empty if it was accepted. */
  private async problemOf(ctx: CallContext, check: () => Promise<boolean>): Promise<string> {
    try {
      return (await check()) ? '' : ctx.t('portal_wrong');
    } catch (error) {
      if (error instanceof Error && 'code' in error && REFUSALS.includes(error.code)) return error.message;
      throw error;
    }
  }

  private passwordPage(ctx: CallContext, shown: Shown): HttpReply {
    const field = (name: string, label: string, autocomplete: string, hint = '') => html`<label>${ctx.t(label)}<input name="${name}"
      type="password" required maxlength="64" autocomplete="${autocomplete}">${hint ? html`<small>${ctx.t(hint)}</small>` : ''}</label>`;
    const content = html`<form method="post" action="/pool/password" class="narrow">
      <input type="hidden" name="username" autocomplete="username" value="${shown.pool?.username ?? ''}">
      ${field('old_password', 'old_password', 'current-password')}${field('new_password', 'new_password', 'new-password', 'password_hint')}
      ${field('new_password2', 'new_password2', 'new-password')}<button class="button">${ctx.t('change_password')}</button></form>`;
    return this.layout.page(ctx, ctx.t('change_password'), content, shown);
  }

  private async changePassword(ctx: CallContext, pool: Pool): Promise<HttpReply> {
    const { old_password = '', new_password = '', new_password2 = '' } = ctx.body;
    const again = (field: string, problem: string): HttpReply =>
      this.passwordPage(ctx, { pool, problem, wrong: { [field]: problem }, status: 422 });
    const found = await this.pools.byUsername(pool.username);
    const account = { name: pool.username, hash: found?.hash ?? null };
    const problem = await this.problemOf(ctx, () => this.passwords.check(ctx, account, old_password));
    if (problem !== '') return again('old_password', problem === ctx.t('portal_wrong') ? ctx.t('old_password_wrong') : problem);
    if (!isPassword(new_password)) return again('new_password', ctx.t('field_password'));
    if (new_password !== new_password2) return again('new_password2', ctx.t('passwords_differ'));
    await this.pools.setPassword(pool.id, await this.passwords.hash(new_password));
    await this.sessions.endAll(pool.id);
    return onwards('/pool?done=password', [await this.sessions.open(pool)]);
  }
}
