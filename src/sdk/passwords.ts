import type { CallContext } from './context.js';

/**
 * An account of a plugin's own, as somebody wants to sign in to it.
 *
 * @example
 * ```ts
 * const nobody: PluginAccount = { name: 'alice', hash: null }; // there is no such account: it takes as long, and is never right
 * await svc.passwords.check({ ip: '203.0.113.7' }, nobody, 'a long password');
 * ```
 * @since 1.84.0
 */
export interface PluginAccount {
  /** What the account is called, as it was typed; tries are counted by it, ignoring case. */
  readonly name: string;
  /** What {@link PasswordsService.hash} answered; null where there is no such account. */
  readonly hash: string | null;
}

/**
 * Passwords of accounts that are the plugin's own, with the panel's hash and the limits everybody's sign-in has
 * (docs/operating.md "Sign-ins"). Sessions are the plugin's business. The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * svc.svc_register_route('POST', '/coupons/sign-in', async (_params, ctx) => {
 *   const { name = '', password = '', captcha = '' } = ctx.body;
 *   await svc.passwords.checkCaptcha(ctx, captcha);
 *   const [row] = await svc.db.query<{ hash: string }>('SELECT hash FROM {seller} WHERE name = ?', [name.toLowerCase()]);
 *   const isRight = await svc.passwords.check(ctx, { name, hash: row?.hash ?? null }, password);
 *   return { code: isRight ? 'ok' : 'name or password are wrong' };
 * });
 * ```
 * @since 1.84.0
 */
export abstract class PasswordsService {
  /**
   * Whether forms ask for a captcha, as that of the user side does: the picture is `/user/code.php`.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/p/coupons/sign-in', () => {
   *   const captcha = svc.passwords.captchaWanted() ? html`<img src="/user/code.php" alt=""><input name="captcha">` : '';
   *   return String(html`<!doctype html><form method="post"><input name="name"><input name="password" type="password">${captcha}</form>`);
   * });
   * ```
   * @since 1.84.0
   */
  abstract captchaWanted(): boolean;
  /**
   * Uses the captcha of the browser up, right or wrong; does nothing where none is asked for. Before {@link check}, so that a try
   * without it counts for nothing.
   *
   * @throws Error with the `code` `CAPTCHA_WRONG`, and a message in the language of the request
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/coupons/join', async (_params, ctx) => {
   *   await svc.passwords.checkCaptcha(ctx, ctx.body.captcha ?? '');
   *   const hash = await svc.passwords.hash(ctx.body.password ?? '');
   *   await svc.db.run('INSERT INTO {seller} (name, hash) VALUES (?, ?)', [(ctx.body.name ?? '').toLowerCase(), hash]);
   *   return { code: 'ok' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract checkCaptcha(ctx: Pick<CallContext, 'cookies'>, answer: string): Promise<void>;
  /**
   * The hash to keep, 60 characters.
   *
   * @example
   * ```ts
   * const hash = await svc.passwords.hash('a long password');
   * await svc.db.run('UPDATE {seller} SET hash = ? WHERE name = ?', [hash, 'alice']);
   * ```
   * @since 1.84.0
   */
  abstract hash(password: string): Promise<string>;
  /**
   * Whether a password is the one of an account. Each try is counted before it is looked at, by account and network; a right one is
   * uncounted.
   *
   * @throws Error with the `code` `TOO_MANY_TRIES`, and a message in the language of the request that says when to try again
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/coupons/sign-in', async (_params, ctx) => {
   *   const { name = '', password = '' } = ctx.body;
   *   const [row] = await svc.db.query<{ hash: string }>('SELECT hash FROM {seller} WHERE name = ?', [name.toLowerCase()]);
   *   const isRight = await svc.passwords.check(ctx, { name, hash: row?.hash ?? null }, password); // also where there is no such seller
   *   return { code: isRight ? 'ok' : ctx.t('wrong') };
   * });
   * ```
   * @since 1.84.0
   */
  abstract check(ctx: Pick<CallContext, 'ip'>, account: PluginAccount, password: string): Promise<boolean>;
}
