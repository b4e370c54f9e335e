import type { CallContext } from './context.js';
import type { Undo } from './registration.js';
import type { HostRecord } from './hosts.js';
import type { OrderSummary } from './orders.js';

/**
 * A customer: a person who buys, signs in at `/account`, and may own several hosts. Never contains secrets.
 *
 * @example
 * ```ts
 * const customer: CustomerRecord | null = await svc.customers.get(7);
 * if (customer?.emailVerified) svc.log.info('reached by mail', { customer: customer.id });
 * ```
 * @since 1.84.0
 */
export interface CustomerRecord {
  id: number;
  username: string;
  /** Empty if none was given. */
  email: string;
  /** Whether the customer has confirmed the email address. */
  emailVerified: boolean;
  /** QQ number; empty if none was given. */
  qq: string;
  /** `locked` if the reseller has locked the customer out; `svc.customers.current` never returns a locked one. */
  status: 'active' | 'locked';
  createdAt: string;
}

/**
 * Customers and the hosts they own. Needs `customers` in the `permissions` of plugin.json. The class is also the injection token for Nest
 * modules.
 *
 * @example
 * ```ts
 * svc.svc_register_route('GET', '/coupons/mine', async (_params, ctx) => {
 *   const customer = await svc.customers.current(ctx);
 *   if (!customer) return { status: 302, headers: { Location: '/account/login?next=/coupons/mine' }, body: '' };
 *   const hosts = await svc.customers.hostsOf(customer.id);
 *   return { customer: customer.username, hosts: hosts.map((host) => host.user) };
 * });
 * ```
 * @since 1.84.0
 */
export abstract class CustomersService {
  /**
   * Returns the signed-in customer, by the cookie of the request; null if nobody is signed in.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/mine', async (_params, ctx) => {
   *   const customer = await svc.customers.current(ctx);
   *   if (!customer) return { status: 302, headers: { Location: '/account/login?next=/p/coupons/mine' }, body: '' };
   *   return { codes: await svc.db.query('SELECT code FROM {coupon} WHERE customer_id = ?', [customer.id]) };
   * });
   * ```
   * @since 1.84.0
   */
  abstract current(ctx: Pick<CallContext, 'cookies'>): Promise<CustomerRecord | null>;
  /**
   * Returns a customer by id, including locked ones; null if not found.
   *
   * @example
   * ```ts
   * const customer = await svc.customers.get(7);
   * if (customer?.status === 'active' && customer.emailVerified)
   *   await svc.mail.send({ to: customer.email, subject: 'Your coupon', text: 'SPRING' });
   * ```
   * @since 1.84.0
   */
  abstract get(id: number): Promise<CustomerRecord | null>;
  /**
   * Returns the owner of a host; null if it has none.
   *
   * @example
   * ```ts
   * svc.svc_add_action('host.created', async (_user, id) => {
   *   const customer = await svc.customers.ownerOf(id);
   *   if (customer) await svc.db.run('INSERT INTO {coupon} (code, customer_id) VALUES (?, ?)', [`HOST${id}`, customer.id]);
   * }, 10, { id: 'gift' });
   * ```
   * @since 1.84.0
   */
  abstract ownerOf(hostId: number): Promise<CustomerRecord | null>;
  /**
   * Returns the hosts of a customer, oldest first, at most 1,000; hosts being deleted are omitted.
   *
   * @example
   * ```ts
   * const hosts = await svc.customers.hostsOf(7);
   * svc.log.debug('has', { hosts: hosts.map(({ user }) => user) });
   * ```
   * @since 1.84.0
   */
  abstract hostsOf(customerId: number): Promise<HostRecord[]>;
  /**
   * Sets the owner of a host; null removes the owner. The login of the host does not change.
   *
   * @throws Error with `code` `CUSTOMER_MISSING` if the customer does not exist, or another one such as `ACCOUNT_NOT_FOUND`
   * @example
   * ```ts
   * const host = await svc.hosts.get('alice01');
   * if (host) await svc.customers.assignHost(host.id, 7);
   * ```
   * @since 1.84.0
   */
  abstract assignHost(hostId: number, customerId: number | null): Promise<HostRecord>;
}

/**
 * The result of an action of a customer; `message` is in the language of the request.
 *
 * @example
 * ```ts
 * svc.svc_register_route('POST', '/members/login', async (_params, ctx) => {
 *   const { username = '', password = '', captcha = '' } = ctx.body;
 *   const answer: AccountAnswer<{ step: string | null }> = await svc.customerAccounts.signIn(ctx, { username, password, captcha });
 *   if (!answer.ok) return { code: answer.message };
 *   return { status: 303, headers: { Location: '/members', 'Set-Cookie': answer.cookies }, body: '' };
 * });
 * ```
 * @since 1.84.0
 */
export type AccountAnswer<Extra extends object = object> =
  ({ ok: true; message: string; /** `Set-Cookie` lines; send them along. */ cookies: string[] } & Extra) | AccountRefusal;

/**
 * The result of an action that was refused.
 *
 * @example
 * ```ts
 * const refusal = (code: string): AccountRefusal => ({ ok: false, code, field: 'coupon', message: 'No such coupon.', status: 200 });
 * ```
 * @since 1.84.0
 */
export interface AccountRefusal {
  ok: false;
  /** Error code, such as `CREDENTIALS_WRONG`, `USERNAME_TAKEN`, `NOT_SIGNED_IN`, `TOO_MANY_TRIES`. */
  code: string;
  /** The form field the error is about; empty if it concerns no single field. */
  field: string;
  message: string;
  /** For each field what is wrong with it, or its current value, as text for people; omitted if {@link message} says everything. */
  fields?: Readonly<Record<string, string>>;
  /** HTTP status of the response: 200, or 429 after too many attempts. */
  status: number;
}

/**
 * A notice sent to a customer, personally or as the owner of a host.
 *
 * @example
 * ```ts
 * const urgent = (notices: CustomerNotice[]): CustomerNotice[] => notices.filter(({ unread, level }) => unread && level === 'danger');
 * ```
 * @since 1.84.0
 */
export interface CustomerNotice {
  id: number;
  /** Null for a personal notice, such as about a refund. */
  hostId: number | null;
  /** Name of the host; empty for a personal notice. */
  host: string;
  /** For a personal notice, a path with more details; empty for a notice about a host, which is read on the host's side. */
  link: string;
  level: 'info' | 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  unread: boolean;
  /** ISO 8601. */
  createdAt: string;
}

/**
 * A session of a customer.
 *
 * @example
 * ```ts
 * const others = (sessions: CustomerSession[]): number => sessions.filter((session) => !session.current).length;
 * ```
 * @since 1.84.0
 */
export interface CustomerSession {
  id: number;
  ip: string;
  userAgent: string;
  createdAt: string;
  seenAt: string;
  /** Whether it is the session of this request. */
  current: boolean;
}

/**
 * The building blocks of pages where customers sign in and manage their accounts. Every method acts for the customer signed in by the
 * request's cookie `account_token`, or for nobody. The panel applies rate limits, captcha and logging. Needs `customers` in the
 * `permissions` of plugin.json. The class is also the injection token for Nest modules.
 *
 * @example
 * ```ts
 * svc.customerAccounts.serve('/members'); // where links in mails lead: /members/reset, /enter, /confirm, /register, /login
 * svc.svc_register_route('POST', '/members/logout', async (_params, ctx) => {
 *   const answer = await svc.customerAccounts.signOut(ctx);
 *   return { status: 303, headers: { Location: '/members/login', 'Set-Cookie': answer.ok ? answer.cookies : [] }, body: '' };
 * });
 * ```
 * @since 1.84.0
 */
export abstract class CustomerAccountsService {
  /**
   * Sets where the plugin's account pages are, such as `/account`: links lead to `/reset`, `/enter`, `/confirm` and `/register` below it,
   * each with `?t=`, and to `/login`. Until a plugin calls this, nothing that needs a link works.
   *
   * @throws Error for an invalid path
   * @example
   * ```ts
   * svc.customerAccounts.serve('/members');
   * svc.svc_register_route('GET', '/members/login', () => String(html`<!doctype html><title>${svc.site.name()}</title>`));
   * ```
   * @since 1.84.0
   */
  abstract serve(path: string): Undo;
  /**
   * Returns whether forms must ask for a captcha: the image is `/user/code.php`.
   *
   * @example
   * ```ts
   * const captcha = svc.customerAccounts.captchaWanted() ? html`<img src="/user/code.php" alt=""><input name="captcha">` : '';
   * const form = html`<form method="post"><input name="username"><input name="password" type="password">${captcha}</form>`;
   * ```
   * @since 1.84.0
   */
  abstract captchaWanted(): boolean;
  /**
   * Creates an account and signs in. With the `token` of a mailed link, the account gets that link's email address as confirmed; without a
   * token, the captcha is required.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/register', async (_params, ctx) => {
   *   const { username = '', password = '', password2 = '', captcha = '', token } = ctx.body;
   *   const answer = await svc.customerAccounts.register(ctx, { username, password, password2, captcha, ...(token && { token }) });
   *   if (!answer.ok) return { code: answer.message, field: answer.field };
   *   return { status: 303, headers: { Location: '/members', 'Set-Cookie': answer.cookies }, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract register(
    ctx: CallContext,
    form: { username: string; password: string; password2: string; email?: string; qq?: string; captcha?: string; token?: string },
  ): Promise<AccountAnswer>;
  /**
   * Mails a link to the registration form, also to addresses that already have an account: the response is the same.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/ask', async (_params, ctx) => {
   *   const { email = '', captcha = '' } = ctx.body;
   *   return { code: (await svc.customerAccounts.askToRegister(ctx, { email, captcha })).message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract askToRegister(ctx: CallContext, form: { email: string; captcha?: string }): Promise<AccountAnswer>;
  /**
   * Returns the email address that a registration link was mailed to; null for an expired link.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/register', async (_params, ctx) => {
   *   const { t = '' } = ctx.query;
   *   const proven = await svc.customerAccounts.registrationOf(t);
   *   if (!proven) return { status: 410, body: ctx.t('link_over') };
   *   return String(html`<!doctype html><form method="post">${proven.email}<input type="hidden" name="token" value="${t}"></form>`);
   * });
   * ```
   * @since 1.84.0
   */
  abstract registrationOf(token: string): Promise<{ email: string } | null>;
  /**
   * Signs in by name or confirmed email address; if `step` is not null, a code is required next.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/login', async (_params, ctx) => {
   *   const { username = '', password = '', captcha = '' } = ctx.body;
   *   const answer = await svc.customerAccounts.signIn(ctx, { username, password, captcha });
   *   if (!answer.ok) return { code: answer.message };
   *   if (answer.step !== null) return { code: answer.message, step: answer.step }; // next comes showCode
   *   return { status: 303, headers: { Location: '/members', 'Set-Cookie': answer.cookies }, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract signIn(
    ctx: CallContext,
    form: { username: string; password: string; captcha?: string },
  ): Promise<AccountAnswer<{ step: string | null }>>;
  /**
   * Completes the second step of a sign-in: a code of the app, or a recovery code.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/code', async (_params, ctx) => {
   *   const { step = '', code = '' } = ctx.body;
   *   const answer = await svc.customerAccounts.showCode(ctx, { step, code });
   *   if (!answer.ok) return { code: answer.message };
   *   return { status: 303, headers: { Location: '/members', 'Set-Cookie': answer.cookies }, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract showCode(ctx: CallContext, form: { step: string; code: string }): Promise<AccountAnswer>;
  /**
   * Ends the session of the request.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/logout', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.signOut(ctx);
   *   return { status: 303, headers: { Location: '/members/login', 'Set-Cookie': answer.ok ? answer.cookies : [] }, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract signOut(ctx: CallContext): Promise<AccountAnswer>;
  /**
   * Saves the profile. A changed email address must be confirmed again.
   *
   * @param form `row_version`: the version of `{ email, qq }` as the form showed them, from `svc_row_version`; if they have changed since,
   * the refusal is `STALE_FORM` with `fields`
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/profile', async (_params, ctx) => {
   *   const { email = '', qq = '', row_version } = ctx.body;
   *   const answer = await svc.customerAccounts.saveProfile(ctx, { email, qq, ...(row_version && { row_version }) });
   *   return { code: answer.message, fields: answer.ok ? {} : answer.fields };
   * });
   * ```
   * @since 1.84.0
   */
  abstract saveProfile(ctx: CallContext, form: { email: string; qq: string; row_version?: string }): Promise<AccountAnswer>;
  /**
   * Changes the password and ends every other session of the customer.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/password', async (_params, ctx) => {
   *   const { oldPassword = '', newPassword = '', newPassword2 = '' } = ctx.body;
   *   const answer = await svc.customerAccounts.changePassword(ctx, { oldPassword, newPassword, newPassword2 });
   *   return { headers: { 'Set-Cookie': answer.ok ? answer.cookies : [] }, body: { code: answer.message } };
   * });
   * ```
   * @since 1.84.0
   */
  abstract changePassword(
    ctx: CallContext,
    form: { oldPassword: string; newPassword: string; newPassword2: string },
  ): Promise<AccountAnswer>;
  /**
   * Creates a link into a host of the customer, or to one of its pages; it works once, for a minute.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/hosts/{id}/renew', async ({ id }, ctx) => {
   *   const answer = await svc.customerAccounts.openHost(ctx, Number(id), 'renew');
   *   return answer.ok ? { status: 303, headers: { Location: answer.url }, body: '' } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract openHost(ctx: CallContext, hostId: number, page?: 'renew' | 'package' | 'notices'): Promise<AccountAnswer<{ url: string }>>;
  /**
   * Returns orders of the customer and of their hosts, newest first, 20 per page starting at 1; `more`: whether another page follows.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/orders', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.orders(ctx, Number(ctx.query.page) || 1);
   *   if (!answer.ok) return { code: answer.message };
   *   return { orders: answer.orders.map(({ ddh, name, money, status }) => ({ ddh, name, money, status })), more: answer.more };
   * });
   * ```
   * @since 1.84.0
   */
  abstract orders(ctx: CallContext, page?: number): Promise<AccountAnswer<{ orders: OrderSummary[]; more: boolean }>>;
  /**
   * Returns notices to the customer, personally and as the owner of hosts, newest first, 20 per page starting at 1; `unread`: the total
   * number of unread ones.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/notices', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.notices(ctx, Number(ctx.query.page) || 1);
   *   return answer.ok ? { notices: answer.notices, unread: answer.unread, more: answer.more } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract notices(ctx: CallContext, page?: number): Promise<AccountAnswer<{ notices: CustomerNotice[]; unread: number; more: boolean }>>;
  /**
   * Marks all notices as read.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/notices/read', async (_params, ctx) => {
   *   const { message } = await svc.customerAccounts.readNotices(ctx);
   *   return { code: message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract readNotices(ctx: CallContext): Promise<AccountAnswer>;
  /**
   * Returns the sessions of the customer.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/sessions', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.sessions(ctx);
   *   return answer.ok ? { sessions: answer.sessions } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract sessions(ctx: CallContext): Promise<AccountAnswer<{ sessions: CustomerSession[] }>>;
  /**
   * Ends one session, or all sessions except that of the request.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/sessions/end', async (_params, ctx) => {
   *   const { session = 'all' } = ctx.body;
   *   const { message } = await svc.customerAccounts.endSession(ctx, session === 'all' ? 'all' : Number(session));
   *   return { code: message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract endSession(ctx: CallContext, session: number | 'all'): Promise<AccountAnswer>;
  /**
   * Returns the state of the second factor: whether it is enabled, and how many recovery codes are left.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/factor', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.factor(ctx);
   *   return answer.ok ? { enabled: answer.enabled, codesLeft: answer.codes } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract factor(ctx: CallContext): Promise<AccountAnswer<{ enabled: boolean; codes: number }>>;
  /**
   * Starts the setup of a second factor: returns the secret for an app, the same as an `otpauth:` URI, and that as a QR code (`data:`). The
   * factor takes effect with its first code. Within an hour it returns the same secret again, for a page that shows it again after a wrong
   * code, or in another tab of the same session. In another session of the account it returns a new secret, which replaces the former one.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/factor', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.beginFactor(ctx);
   *   if (!answer.ok) return { code: answer.message };
   *   return String(html`<!doctype html><img src="${answer.image}" alt=""><a href="${answer.uri}">${answer.secret}</a>`);
   * });
   * ```
   * @since 1.84.0
   */
  abstract beginFactor(ctx: CallContext): Promise<AccountAnswer<{ secret: string; uri: string; image: string }>>;
  /**
   * Verifies the first code, enables the factor, and returns the recovery codes; they cannot be read again. Only the session that started
   * the setup may do so, within an hour and until another one starts its own: otherwise the answer is `FACTOR_OVER`.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/factor/confirm', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.confirmFactor(ctx, ctx.body.code ?? '');
   *   return answer.ok ? { code: answer.message, recoveryCodes: answer.codes } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract confirmFactor(ctx: CallContext, code: string): Promise<AccountAnswer<{ codes: string[] }>>;
  /**
   * Removes the second factor.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/factor/remove', async (_params, ctx) => {
   *   const { password = '', code = '' } = ctx.body;
   *   const { message } = await svc.customerAccounts.removeFactor(ctx, { password, code });
   *   return { code: message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract removeFactor(ctx: CallContext, form: { password: string; code: string }): Promise<AccountAnswer>;
  /**
   * Creates new recovery codes; the previous ones become invalid.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/factor/codes', async (_params, ctx) => {
   *   const { password = '', code = '' } = ctx.body;
   *   const answer = await svc.customerAccounts.renewCodes(ctx, { password, code });
   *   return answer.ok ? { code: answer.message, recoveryCodes: answer.codes } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract renewCodes(ctx: CallContext, form: { password: string; code: string }): Promise<AccountAnswer<{ codes: string[] }>>;
  /**
   * Mails a password reset link, if name and email address belong to a customer: the response is the same either way.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/forgot', async (_params, ctx) => {
   *   const { username = '', email = '', captcha = '' } = ctx.body;
   *   return { code: (await svc.customerAccounts.askReset(ctx, { username, email, captcha })).message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract askReset(ctx: CallContext, form: { username: string; email: string; captcha?: string }): Promise<AccountAnswer>;
  /**
   * Returns whose password a reset link changes; null for an expired link.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/reset', async (_params, ctx) => {
   *   const { t = '' } = ctx.query;
   *   const whose = await svc.customerAccounts.resetOf(t);
   *   if (!whose) return { status: 410, body: ctx.t('link_over') };
   *   return String(html`<!doctype html><form method="post">${whose.username}<input type="hidden" name="t" value="${t}"></form>`);
   * });
   * ```
   * @since 1.84.0
   */
  abstract resetOf(token: string): Promise<{ username: string } | null>;
  /**
   * Sets a new password with a reset link.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/reset', async (_params, ctx) => {
   *   const { t: token = '', password = '', password2 = '' } = ctx.body;
   *   const answer = await svc.customerAccounts.reset(ctx, { token, password, password2 });
   *   return answer.ok ? { status: 303, headers: { Location: '/members/login' }, body: '' } : { code: answer.message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract reset(ctx: CallContext, form: { token: string; password: string; password2: string }): Promise<AccountAnswer>;
  /**
   * Returns who signs in with a one-time link; null for an expired link.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/members/enter', async (_params, ctx) => {
   *   const { t = '' } = ctx.query;
   *   const whose = await svc.customerAccounts.enterOf(t);
   *   if (!whose) return { status: 410, body: ctx.t('link_over') };
   *   return String(html`<!doctype html><form method="post">${whose.username}<input type="hidden" name="t" value="${t}"></form>`);
   * });
   * ```
   * @since 1.84.0
   */
  abstract enterOf(token: string): Promise<{ username: string } | null>;
  /**
   * Signs in with a one-time link and consumes it.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/enter', async (_params, ctx) => {
   *   const answer = await svc.customerAccounts.enter(ctx, ctx.body.t ?? '');
   *   if (!answer.ok) return { code: answer.message };
   *   return { status: 303, headers: { Location: '/members', 'Set-Cookie': answer.cookies }, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract enter(ctx: CallContext, token: string): Promise<AccountAnswer>;
  /**
   * Mails a link that confirms the customer's email address.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/confirm/send', async (_params, ctx) => ({
   *   code: (await svc.customerAccounts.askConfirmation(ctx)).message,
   * }));
   * ```
   * @since 1.84.0
   */
  abstract askConfirmation(ctx: CallContext): Promise<AccountAnswer>;
  /**
   * Confirms an email address with a mailed link.
   *
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/members/confirm', async (_params, ctx) => {
   *   const { ok, message } = await svc.customerAccounts.confirm(ctx, ctx.body.t ?? '');
   *   return ok ? { status: 303, headers: { Location: '/members' }, body: '' } : { code: message };
   * });
   * ```
   * @since 1.84.0
   */
  abstract confirm(ctx: CallContext, token: string): Promise<AccountAnswer>;
}
