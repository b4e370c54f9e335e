import type { CallContext, PluginRateClass } from './context.js';
import type { SettingsField } from './contributions.js';

/**
 * Takes back what the call that returned it had registered; calling it twice does nothing more.
 *
 * @example
 * ```ts
 * const undo: Undo = svc.svc_register_menu('admin', { title: 'Coupons', url: '/coupons' });
 * undo(); // the entry is gone; the plugin's end would have taken it back too
 * ```
 * @since 1.84.0
 */
export type Undo = () => void;

/**
 * Options of a listener.
 *
 * @example
 * ```ts
 * const options: ListenerOptions = { id: 'provision', deadlineSeconds: 300 };
 * svc.svc_add_action('order.paid', (order) => svc.log.info('paid', { order: order.ddh }), 10, options);
 * ```
 * @since 1.84.0
 */
export interface ListenerOptions {
  /**
   * Stable name of a durable listener, `[a-z0-9_.-]{1,64}`; its ordinal among the plugin's listeners of that hook where nothing is
   * given.
   */
  id?: string;
  /**
   * Seconds a listener of a durable hook, or of `cron`, may take: 60 to 3,600; 60 where nothing is given. An attempt that takes
   * longer counts as failed. Other hooks do not wait longer for anybody.
   */
  deadlineSeconds?: number;
}

/**
 * Options of a generic route.
 *
 * @example
 * ```ts
 * const options: RouteOptions = { csrfExempt: true, rate: 'callback', audit: false };
 * svc.svc_register_route('POST', '/coupons/hook', () => 'ok', 10, null, options);
 * ```
 * @since 1.84.0
 */
export interface RouteOptions {
  /** Let other sites send state-changing requests here (callbacks of outside services). Off where nothing is given. */
  csrfExempt?: boolean;
  /** `public` where nothing is given. */
  rate?: PluginRateClass;
  /**
   * What it does, for the operation log, as of {@link AjaxOptions.audit}; `false` where it changes nothing or that is written elsewhere.
   * Where nothing is given, every request but GET and HEAD of somebody signed in leaves a line with plugin, method and path.
   */
  audit?: string | false;
  /**
   * Whose request it is, for the operation log, where the plugin signs people in itself: the line names him with the plugin's slug before
   * his name, `resource_pool:alice`. Asked before the request is served; null for nobody's, which leaves no line. Not asked for GET and
   * HEAD.
   *
   * @since 1.84.0
   */
  actor?: (ctx: CallContext) => string | null | Promise<string | null>;
}

/**
 * How an option of a plugin is kept.
 *
 * @example
 * ```ts
 * const options: OptionOptions = { secret: true };
 * await svc.svc_plugin_option_set('coupons', 'api_key', 'a-long-key', options);
 * ```
 * @since 1.84.0
 */
export interface OptionOptions {
  /** Encrypted in the database, such as a key of somebody's API; `svc_plugin_option_get` reads it like any other. */
  secret?: boolean;
}

/**
 * A field of the form of an AJAX operation, see {@link AjaxOptions.fields}. What does nothing for its type is refused at registration.
 *
 * @example
 * ```ts
 * const code: AjaxField = { key: 'code', type: 'text', required: true, maxLength: 40 };
 * const percent: AjaxField = { key: 'percent', type: 'number', whole: true, min: 1, max: 100 };
 * const kind: AjaxField = { key: 'kind', type: 'select', options: [{ value: 'fixed', label: 'kind_fixed' }] };
 * const fields = [code, percent, kind];
 * svc.svc_register_ajax('admin', 'p_coupons_check', (_ctx, input) => ({ success: true, code: String(input.code) }), 'admin', { fields });
 * ```
 * @since 1.84.0
 */
export interface AjaxField {
  /** Its name in the form: a letter, then at most 63 of `A-Z a-z 0-9 _ . -`; not `gn`. */
  readonly key: string;
  /**
   * What it holds, and how `{% field %}` draws it. Blanks around `text` and `textarea` do not count; `number` has at most 15 digits and six
   * decimals; `switch` is `true`, `1`, `on`, `yes` or `false`, `0`, `off`, `no`; `select` is one of `options`, in any case.
   */
  readonly type: SettingsField['type'];
  /** It has to be sent, and a text must not be empty. */
  readonly required?: boolean;
  /** Of `text`, `textarea` and `password`: the most characters. */
  readonly maxLength?: number;
  /** Of `number`: only a whole one. */
  readonly whole?: boolean;
  /** Of `number`: the least. */
  readonly min?: number;
  /** Of `number`: the most. */
  readonly max?: number;
  /** Of `select`: what can be chosen; labels are words, or keys of the plugin's `lang` files. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/**
 * What an operation is called with for its {@link AjaxOptions.fields}: a number for `number`, true or false for `switch`, a text for
 * anything else. A field that was not sent, and an empty one that is no text, is not there.
 *
 * @example
 * ```ts
 * const percent = { key: 'percent', type: 'number', required: true } as const;
 * const half = (input: AjaxInput<[typeof percent]>): number => input.percent / 2;
 * svc.svc_register_ajax('admin', 'p_coupons_half', (_ctx, input) => ({ half: half(input) }), 'admin', { fields: [percent] });
 * ```
 * @since 1.84.0
 */
export type AjaxInput<Fields extends readonly AjaxField[]> = {
  readonly [Field in Fields[number] as Field['key']]:
    | { text: string; textarea: string; password: string; select: string; number: number; switch: boolean }[Field['type']]
    | (Field extends { readonly required: true } ? never : undefined);
};

/**
 * Options of an AJAX operation.
 *
 * @example
 * ```ts
 * const options: AjaxOptions = { audit: 'Saved a coupon', rate: 'write' };
 * svc.svc_register_ajax('admin', 'p_coupons_save', () => ({ code: 'ok' }), 'admin', options);
 * ```
 * @since 1.84.0
 */
export interface AjaxOptions<Fields extends readonly AjaxField[] = readonly AjaxField[]> {
  /**
   * What it does, for the operation log: a text such as `Saved a plan`, or the key of one in the plugin's `lang` files, which every reader
   * of the log has in his own language. Without it no line is written. Name one where it changes something.
   */
  audit?: string;
  /** Where nothing is given, `write` for an operation that needs an administrator or user, `public` for any other. */
  rate?: PluginRateClass;
  /**
   * Who has a second factor must have shown a code in his session within the last ten minutes: for what a session left open must not be
   * enough for, such as money that leaves or something that is deleted. Needs an operation that says `admin` or `user`, its own side.
   */
  secondProof?: boolean;
  /**
   * An operation of the panel's admin side, such as `ddbz`, that the administrator's role has to allow as well: for what does the same as
   * that one. Needs an operation of the admin side that says `admin`.
   */
  needs?: string;
  /**
   * The fields of its form, 1 to 100. What is wrong with one is refused before the operation runs, as the panel's own forms are: `err`
   * `E_ARGS`, with what is wrong in `fields`. The callback gets their values as its second argument; other fields are in `body` as ever,
   * and are not looked at. `{% field 'code', of: 'p_coupons_save' %}` draws them by this, and the OpenAPI document has them.
   */
  fields?: Fields;
}
