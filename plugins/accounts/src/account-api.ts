import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { nextOf } from '@svc/page-kit';
import {
  CustomerAccountsService,
  CustomersService,
  SVC_FACADE,
  type AccountRefusal,
  type CallContext,
  type HttpReply,
  type SvcFacade,
} from '@svc/sdk';

import { HOME } from './layout.js';
import { Options } from './options.js';

/** JSON API compatible with deployed front ends of user_info. Source: docs/panel-api.md "Customers". */
@Injectable()
export class AccountApi implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CustomerAccountsService) private readonly accounts: CustomerAccountsService,
    @Inject(Options) private readonly options: Options,
  ) {}

  onModuleInit(): void {
    const post = (name: string, serve: (ctx: CallContext) => Promise<HttpReply>): void =>
      void this.svc.svc_register_route('POST', `/account/api/${name}`, (_params, ctx) => serve(ctx), 10, null, { audit: false });
    this.svc.svc_register_route('GET', '/account/api/me', (_params, ctx) => this.me(ctx));
    post('login', (ctx) => this.login(ctx));
    post('register', (ctx) => this.register(ctx));
    post('logout', async (ctx) => this.done(await this.accounts.signOut(ctx), { redirect: '/account/login' }));
    post('update_profile', async (ctx) => {
      const { email = '', qq = '' } = ctx.body;
      return this.done(await this.accounts.saveProfile(ctx, { email, qq }));
    });
    post('change_password', async (ctx) => {
      const { old_password: oldPassword = '', new_password: newPassword = '', new_password2: newPassword2 = '' } = ctx.body;
      return this.done(await this.accounts.changePassword(ctx, { oldPassword, newPassword, newPassword2 }));
    });
  }

  private async me(ctx: CallContext): Promise<HttpReply> {
    const found = await this.customers.current(ctx);
    const { id, username, email, qq, createdAt } = found ?? {};
    const user = found ? { id, username, email, qq, status: 1, created_at: createdAt } : null;
    return { headers: { 'Cache-Control': 'no-store' }, body: { code: 'ok', logged_in: found !== null, user } };
  }

  private async login(ctx: CallContext): Promise<HttpReply> {
    const { username = '', password = '', captcha = '', step = '', totp = '', next } = ctx.body;
    if (step !== '') return this.done(await this.accounts.showCode(ctx, { step, code: totp }), { redirect: nextOf(next, HOME) });
    const answer = await this.accounts.signIn(ctx, { username, password, captcha });
    if (!answer.ok || answer.step === null) return this.done(answer, { redirect: nextOf(next, HOME) });
    return { body: { code: answer.message, need: 'totp', step: answer.step } };
  }

  private async register(ctx: CallContext): Promise<HttpReply> {
    const { username = '', password = '', password2 = '', email = '', qq = '', captcha = '', token } = ctx.body;
    const way = await this.options.registerBy();
    const closed: AccountRefusal = { ok: false, code: 'REGISTRATION_CLOSED', field: '', message: ctx.t('register_closed'), status: 200 };
    if (way === 'closed') return this.done(closed);
    if (way === 'mail' && !token) return this.done(await this.accounts.askToRegister(ctx, { email, captcha }));
    const form = { username, password, password2, email, qq, captcha, ...(token && { token }) };
    return this.done(await this.accounts.register(ctx, form), { redirect: HOME });
  }

  private done(answer: { ok: true; message: string; cookies: string[] } | AccountRefusal, more: object = {}): HttpReply {
    if (answer.ok) return { headers: { 'Set-Cookie': answer.cookies }, body: { code: 'ok', message: answer.message, ...more } };
    const { message, field, status } = answer;
    return { status, body: { code: message, ...(field !== '' && { fields: { [field]: message } }) } };
  }
}
