import type { CallContext, PluginRateClass } from './context.js';
import type { SettingsField } from './contributions.js';

/**
 * Undoes the registration made by the call that returned it; further calls do nothing.
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
   * Stable name of a durable listener, `[a-z0-9_.-]{1,64}`; by default its ordinal among the plugin's listeners of that hook.
   */
  id?: string;
  /**
   * Time limit in seconds for a listener of a durable hook or of `cron`: 60 to 3,600; 60 by default. An attempt that exceeds it counts as
   * failed. Other hooks have a fixed limit.
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
  /** Accepts state-changing requests from other sites (callbacks of outside services). Off by default. */
  csrfExempt?: boolean;
  /** Rate limit class; `public` by default. */
  rate?: PluginRateClass;
  /**
   * Description for the operation log, as in {@link AjaxOptions.audit}; `false` if the route changes nothing or is logged elsewhere. By
   * default every request of a signed-in user except GET and HEAD writes an entry with plugin, method and path.
   */
  audit?: string | false;
  /**
   * The sender of the request, for the operation log, if the plugin handles sign-ins itself: the entry names the sender after the plugin's
   * slug, `resource_pool:alice`. Called before the request is handled; null means no sender, and no entry. Not called for GET and HEAD.
   *
   * @since 1.84.0
   */
  actor?: (ctx: CallContext) => string | null | Promise<string | null>;
}

/**
 * How an option of a plugin is stored.
 *
 * @example
 * ```ts
 * const options: OptionOptions = { secret: true };
 * await svc.svc_plugin_option_set('coupons', 'api_key', 'a-long-key', options);
 * ```
 * @since 1.84.0
 */
export interface OptionOptions {
  /** Encrypted in the database, such as an API key; `svc_plugin_option_get` reads it like any other option. */
  secret?: boolean;
}

/**
 * A field of the form of an AJAX operation, see {@link AjaxOptions.fields}. Settings that have no effect for its type are refused at
 * registration.
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
  /** Field name in the form: a letter, then at most 63 of `A-Z a-z 0-9 _ . -`; not `gn`. */
  readonly key: string;
  /**
   * Value type, and how `{% field %}` renders it. `text` and `textarea` are trimmed; `number` has at most 15 digits and six decimals;
   * `switch` is `true`, `1`, `on`, `yes` or `false`, `0`, `off`, `no`; `select` is one of `options`, ignoring case.
   */
  readonly type: SettingsField['type'];
  /** The field must be sent, and a text must not be empty. */
  readonly required?: boolean;
  /** For `text`, `textarea` and `password`: maximum number of characters. */
  readonly maxLength?: number;
  /** For `number`: only integers. */
  readonly whole?: boolean;
  /** For `number`: minimum. */
  readonly min?: number;
  /** For `number`: maximum. */
  readonly max?: number;
  /** For `select`: the choices; labels are plain text, or keys of the plugin's `lang` files. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/**
 * The values of an operation's {@link AjaxOptions.fields}: a number for `number`, a boolean for `switch`, a string for any other type. A
 * field that was not sent is absent, and so is an empty field that is not a text.
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
   * Description for the operation log: a text such as `Saved a plan`, or a key of the plugin's `lang` files, which every reader of the log
   * sees in their own language. Without it no entry is written. Set it for operations that change something.
   */
  audit?: string;
  /** Rate limit class; by default `write` for an operation that requires an administrator or user, otherwise `public`. */
  rate?: PluginRateClass;
  /**
   * Users with a second factor must have entered a code in their session within the last ten minutes: for actions that an unattended
   * session must not allow, such as paying out money or deleting something. Requires `admin` or `user`, the operation's own side, as
   * policy.
   */
  secondProof?: boolean;
  /**
   * An operation of the panel's admin side, such as `ddbz`, that the administrator's role must also allow: for operations that do the same
   * as that one. Requires an operation of the admin side with the policy `admin`.
   */
  needs?: string;
  /**
   * The fields of its form, 1 to 100. Invalid values are rejected before the operation runs, as in the panel's own forms: `err` `E_ARGS`,
   * with the errors in `fields`. The callback receives the values as its second argument; other fields remain in `body` and are not
   * validated. `{% field 'code', of: 'p_coupons_save' %}` renders a field from this declaration, and the OpenAPI document contains them.
   */
  fields?: Fields;
}
