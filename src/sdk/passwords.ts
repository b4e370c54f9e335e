import type { CallContext } from './context.js';

/**
 * An account managed by the plugin itself, for a sign-in attempt.
 *
 * @example
 * ```ts
 * const nobody: PluginAccount = { name: 'alice', hash: null }; // there is no such account: it takes as long, and is never right
 * await svc.passwords.check({ ip: '203.0.113.7' }, nobody, 'a long password');
 * ```
 * @since 1.84.0
 */
export interface PluginAccount {
  /** Account name as typed; attempts are counted per name, ignoring case. */
  readonly name: string;
  /** The result of {@link PasswordsService.hash}; null if the account does not exist. */
  readonly hash: string | null;
}

/**
 * Passwords of accounts that the plugin manages itself, with the panel's hash and the same sign-in limits as everywhere in the panel
 * (docs/operating.md "Sign-ins"). The plugin handles sessions itself. The class is also the injection token for Nest modules.
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
   * Returns whether forms must ask for a captcha, as the sign-in of the user side does: the image is `/user/code.php`.
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
   * Consumes the browser's captcha, whether the answer is right or wrong; does nothing if no captcha is required. Call it before
   * {@link check}, so that an attempt without a valid captcha is not counted.
   *
   * @throws Error with `code` `CAPTCHA_WRONG`, and a message in the language of the request
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
   * Returns the hash to store, 60 characters.
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
   * Checks whether a password is correct for an account. Each attempt is counted before it is verified, by account and network; a correct
   * one is subtracted again.
   *
   * @throws Error with `code` `TOO_MANY_TRIES`, and a message in the language of the request that says when to try again
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
