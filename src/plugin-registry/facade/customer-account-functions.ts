import { Injectable } from '@nestjs/common';

import {
  AskedCaptcha,
  CustomerAccounts,
  CustomerError,
  CustomerFactor,
  CustomerRecovery,
  CustomerRegistration,
  CustomerSelf,
  CustomerSessions,
  CustomerSignIn,
  HostOwners,
  checkContact,
  customerForm,
} from '../../customers/index.js';
import { localeOf } from '../../common/index.js';
import { LoginLinks } from '../../hosting/index.js';
import { HostNotices } from '../../notify/index.js';
import { CustomerOrders, Orders } from '../../payment/index.js';
import type { CallContext, CustomerAccountsService, CustomerRecord } from '../../sdk/index.js';
import { SiteBrand } from '../../web/index.js';

import { answered } from './account-answers.js';
import { checkGivenVersion } from './version-functions.js';

const PAGE = 20;
const MAX_PAGES = 1_000;

type Forms = Pick<
  CustomerAccountsService,
  | 'captchaWanted'
  | 'register'
  | 'askToRegister'
  | 'signIn'
  | 'showCode'
  | 'askReset'
  | 'reset'
  | 'resetOf'
  | 'enter'
  | 'enterOf'
  | 'registrationOf'
  | 'confirm'
>;
type Own = Omit<CustomerAccountsService, keyof Forms | 'serve' | 'signOut'>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Sign-in and registration of visitors: forms with a captcha, and links. */
@Injectable()
export class CustomerForms {
  constructor(
    private readonly captchas: AskedCaptcha,
    private readonly signIn: CustomerSignIn,
    private readonly registration: CustomerRegistration,
    private readonly recovery: CustomerRecovery,
  ) {}

  functions(): Forms {
    const { captchas, signIn, registration, recovery } = this;
    return {
      captchaWanted: () => captchas.wanted,
      register: (ctx, { username, password, password2, email, qq, captcha, token }) =>
        answered(ctx, async () => {
          if (token === undefined) await captchas.check(ctx, text(captcha));
          const form = { username: text(username), password: text(password), password2: text(password2), email: text(email), qq: text(qq) };
          const { cookies } = await registration.register(form, ctx, token);
          return { text: 'customers.registered', cookies, extra: {} };
        }),
      askToRegister: (ctx, { email, captcha }) =>
        answered(ctx, async () => {
          await captchas.check(ctx, text(captcha));
          await registration.askByMail(text(email), ctx);
          return { text: 'customers.register_asked', extra: {} };
        }),
      registrationOf: async (token) => {
        const email = registration.addressOf(token);
        return email === null ? null : { email };
      },
      signIn: (ctx, { username, password, captcha }) =>
        answered<{ step: string | null }>(ctx, async () => {
          const login = { username: text(username), password: text(password) };
          signIn.check(login);
          await captchas.check(ctx, text(captcha));
          const entered = await signIn.login(login, ctx);
          if ('step' in entered) return { text: 'customers.code_needed', extra: { step: entered.step } };
          return { text: 'customers.signed_in', cookies: entered.cookies, extra: { step: null } };
        }),
      showCode: (ctx, { step, code }) =>
        answered(ctx, async () => {
          const { cookies } = await signIn.finish(text(step), text(code), ctx);
          return { text: 'customers.signed_in', cookies, extra: {} };
        }),
      askReset: (ctx, { username, email, captcha }) =>
        answered(ctx, async () => {
          await captchas.check(ctx, text(captcha));
          await recovery.askReset(text(username), text(email), ctx);
          return { text: 'customers.reset_asked', extra: {} };
        }),
      resetOf: async (token) => named(await recovery.nameOfReset(token)),
      reset: (ctx, { token, password, password2 }) =>
        answered(ctx, async () => {
          await recovery.reset(text(token), text(password), text(password2), ctx);
          return { text: 'customers.reset_done', extra: {} };
        }),
      enterOf: async (token) => named(await recovery.nameOfEnter(token)),
      enter: (ctx, token) =>
        answered(ctx, async () => ({ text: 'customers.signed_in', cookies: await recovery.enter(text(token), ctx), extra: {} })),
      confirm: (ctx, token) =>
        answered(ctx, async () => {
          await recovery.confirm(text(token));
          return { text: 'customers.mail_confirmed', extra: {} };
        }),
    };
  }
}

/** Returns the signed-in customer. @throws CustomerError NOT_SIGNED_IN */
async function signedIn(sessions: CustomerSessions, ctx: CallContext): Promise<CustomerRecord> {
  const customer = await sessions.current(ctx);
  if (!customer) throw new CustomerError('NOT_SIGNED_IN');
  return customer;
}

const named = (username: string | null): { username: string } | null => (username === null ? null : { username });

/** Host pages that a link may open directly. */
const HOST_PAGES: readonly string[] = ['renew', 'package', 'notices'];

/** Hosts, orders, notices and sessions of the signed-in customer. */
@Injectable()
export class CustomerBelongings {
  constructor(
    private readonly sessions: CustomerSessions,
    private readonly owners: HostOwners,
    private readonly links: LoginLinks,
    private readonly customerOrders: CustomerOrders,
    private readonly orders: Orders,
    private readonly notices: HostNotices,
  ) {}

  functions(): Pick<Own, 'openHost' | 'orders' | 'notices' | 'readNotices' | 'sessions' | 'endSession'> {
    const { owners, links, sessions, notices } = this;
    return {
      openHost: (ctx, hostId, page) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          if (!Number.isSafeInteger(hostId) || (await owners.ownerOf(hostId)) !== id) throw new CustomerError('HOST_NOT_YOURS');
          const { url } = await links.issue(hostId);
          return { text: 'customers.host_opened', extra: { url: HOST_PAGES.includes(page ?? '') ? `${url}&next=/user/${page}` : url } };
        }),
      orders: (ctx, page = 1) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          const at = Math.min(Math.max(Math.trunc(page) || 1, 1), MAX_PAGES);
          const found = await this.customerOrders.of(id, (at - 1) * PAGE, PAGE + 1);
          const orders = found.slice(0, PAGE).map((order) => this.orders.toOrderSummary(order));
          return { text: 'customers.listed', extra: { orders, more: found.length > PAGE } };
        }),
      notices: (ctx, page = 1) =>
        answered(ctx, async () => {
          const reader = await this.reader(ctx);
          const at = Math.min(Math.max(Math.trunc(page) || 1, 1), MAX_PAGES);
          const query = { offset: (at - 1) * PAGE, limit: PAGE + 1, locale: localeOf(ctx.locale) };
          const [found, unread] = await Promise.all([notices.of(reader, query), notices.unread(reader)]);
          const shown = found.slice(0, PAGE).map(({ createdAt, ...notice }) => ({ ...notice, createdAt: createdAt.toISOString() }));
          return { text: 'customers.listed', extra: { notices: shown, unread, more: found.length > PAGE } };
        }),
      readNotices: (ctx) =>
        answered(ctx, async () => {
          await notices.markRead(await this.reader(ctx));
          return { text: 'customers.notices_read', extra: {} };
        }),
      sessions: (ctx) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          return { text: 'customers.listed', extra: { sessions: await sessions.list(id, ctx) } };
        }),
      endSession: (ctx, session) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          await sessions.end(id, session === 'all' ? 'all' : Number(session) || 0, ctx);
          return { text: 'customers.session_ended', extra: {} };
        }),
    };
  }

  /** @throws CustomerError NOT_SIGNED_IN */
  private async reader(ctx: CallContext): Promise<{ customerId: number; hostIds: number[] }> {
    const { id } = await signedIn(this.sessions, ctx);
    return { customerId: id, hostIds: await this.owners.hostsOf(id) };
  }
}

/** Changes to the signed-in customer's own account. */
@Injectable()
export class CustomerOwnAccount {
  constructor(
    private readonly sessions: CustomerSessions,
    private readonly accounts: CustomerAccounts,
    private readonly self: CustomerSelf,
    private readonly factors: CustomerFactor,
    private readonly recovery: CustomerRecovery,
    private readonly brand: SiteBrand,
  ) {}

  functions(): Omit<Own, 'openHost' | 'orders' | 'notices' | 'readNotices' | 'sessions' | 'endSession'> {
    const { self, factors, accounts, recovery } = this;
    return {
      saveProfile: (ctx, { email, qq, row_version }) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          const contact = checkContact({ email: text(email), qq: text(qq) });
          await accounts.setContactOf(id, contact, (present) =>
            checkGivenVersion(row_version, customerForm(present), localeOf(ctx.locale)),
          );
          return { text: 'customers.saved', extra: {} };
        }),
      changePassword: (ctx, { oldPassword, newPassword, newPassword2 }) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          const form = { oldPassword: text(oldPassword), newPassword: text(newPassword), newPassword2: text(newPassword2) };
          return { text: 'customers.changed', cookies: await self.changePassword(id, form, ctx), extra: {} };
        }),
      factor: (ctx) =>
        answered(ctx, async () => {
          const { enabled, codes } = await factors.state((await signedIn(this.sessions, ctx)).id);
          return { text: 'customers.listed', extra: { enabled, codes } };
        }),
      beginFactor: (ctx) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          const { secret, uri } = await factors.begin(id, this.brand.name, ctx);
          // Loaded on first use.
          const { default: QRCode } = await import('qrcode');
          const svg = await QRCode.toString(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
          const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
          return { text: 'customers.factor_started', extra: { secret, uri, image } };
        }),
      confirmFactor: (ctx, code) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          return { text: 'customers.factor_now_on', extra: { codes: await factors.confirm(id, text(code), ctx) } };
        }),
      removeFactor: (ctx, { password, code }) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          await factors.remove(id, text(password), text(code), ctx);
          return { text: 'customers.factor_now_off', extra: {} };
        }),
      renewCodes: (ctx, { password, code }) =>
        answered(ctx, async () => {
          const { id } = await signedIn(this.sessions, ctx);
          return { text: 'customers.codes_renewed', extra: { codes: await factors.renewCodes(id, text(password), text(code)) } };
        }),
      askConfirmation: (ctx) =>
        answered(ctx, async () => {
          await recovery.askConfirmation(await signedIn(this.sessions, ctx), ctx);
          return { text: 'customers.confirm_asked', extra: {} };
        }),
    };
  }
}
