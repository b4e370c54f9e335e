import type { SettingsField } from './contributions.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * A field of a notice channel. A `password` field is a secret: stored encrypted, never shown again, and kept if submitted empty.
 *
 * @example
 * ```ts
 * const server: NoticeChannelField = { key: 'server', label: 'Server', type: 'text', required: true };
 * const token: NoticeChannelField = { key: 'token', label: 'Token', type: 'password', required: true };
 * const loud: NoticeChannelField = { key: 'loud', label: 'Loud', type: 'switch', target: false };
 * const send: NoticeChannelRecord['send'] = async () => {};
 * svc.svc_register_notice_channel('pager', { title: 'Pager', fields: [server, token, loud], send });
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelField extends SettingsField {
  /** While the field is empty, nothing is sent and the channel cannot be saved. */
  required?: boolean;
  /**
   * Whether the field determines where messages, and the secrets they are sent with, go; true by default. To change such a field of an
   * existing channel, its other secrets must be entered again, because the editor may not be allowed to know them. Set it to false for
   * fields that do not affect the destination.
   */
  target?: boolean;
}

/**
 * A notice to be delivered, or several combined into one.
 *
 * @example
 * ```ts
 * const line = ({ site, title, text, link }: NoticeMessage): string => `[${site}] ${title}: ${text} ${link}`;
 * ```
 * @since 1.84.0
 */
export interface NoticeMessage {
  /** The same in every attempt; use it to detect duplicates. */
  readonly id: string;
  /** Topic of the notice. */
  readonly kind: 'monitor' | 'expire' | 'traffic' | 'scan' | 'payment' | 'backup' | 'certificate' | 'report' | 'system';
  readonly level: 'info' | 'success' | 'warning' | 'danger';
  /** In the recipient's language, like `text`. */
  readonly title: string;
  /** Lines of plain text; at most 20,000 characters in total. */
  readonly text: string;
  /** Link to more details; empty if there is none. */
  readonly link: string;
  /** Name of the installation. */
  readonly site: string;
  readonly at: Date;
}

/**
 * The context of a notice channel call, besides the message and the settings.
 *
 * @example
 * ```ts
 * const soon = (ctx: NoticeChannelContext): Promise<Response> => fetch('https://pager.example.com', { signal: ctx.signal });
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelContext {
  /** Aborted when the result is no longer needed: after 15 seconds, and when the plugin is disabled. */
  readonly signal: AbortSignal;
  /** `zh-CN` or `en`: the language of the person who reads error messages. */
  readonly locale: string;
}

/**
 * A kind of notice channel that a plugin adds. `title`, `help`, and the labels and hints of fields may be keys of the plugin's `lang`
 * files. Source: docs/plugin-api.md "Notice channels".
 *
 * @example
 * ```ts
 * const pager: NoticeChannelRecord = {
 *   title: 'Pager',
 *   fields: [{ key: 'token', label: 'Token', type: 'password', required: true }],
 *   send: async ({ title }, { token }) => {
 *     const answer = await svc.svc_http_post('https://pager.example.com/send', { text: title }, { Authorization: `Bearer ${token}` });
 *     if (!answer.ok) throw new Error(answer.error);
 *   },
 * };
 * svc.svc_register_notice_channel('pager', pager);
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelRecord {
  /** Name shown when choosing a channel. */
  title: string;
  /** How to set one up; shown above the form. */
  help?: string;
  /** Fields of the channel form; at most 12, of at most 1,000 characters each. */
  fields: NoticeChannelField[];
  /**
   * Sends a message: returns nothing once the message was accepted; otherwise throws an error with a readable message. The message is then
   * retried for more than a day.
   */
  send: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
  /** What **Test** runs, with a message that says it is a test; `send` by default. */
  test?: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
}

/**
 * A notice that a plugin sends. `title` and `text` are keys of its `lang` files, with `params` filled into their placeholders, in the
 * language of each recipient.
 *
 * @example
 * ```ts
 * const told = { title: 'used', text: 'used_text', params: { code: 'A1' }, link: '/admin/orders' };
 * const notice: NoticeRequest = { to: 'administrators', key: 'coupon:12:used', ...told };
 * await svc.notices.tell(notice);
 * ```
 * @since 1.84.0
 */
export interface NoticeRequest {
  /** Recipients: all administrators, the owner of a hosting account, or a customer. */
  to: 'administrators' | { readonly account: number } | { readonly customer: number };
  /** Deduplication key, at most 80 characters: a recipient is notified once per key. Use one per event, such as `coupon:12:used`. */
  key: string;
  title: string;
  text: string;
  params?: Readonly<Record<string, string | number>>;
  /** `info` by default, which goes to the bell and the channels; the other levels are also sent by mail. */
  level?: 'info' | 'success' | 'warning' | 'danger';
  /** Topic, by which recipients filter their notices; `system` by default. */
  kind?: 'payment' | 'system';
  /** A path of the panel with more details. */
  link?: string;
}

/**
 * Notices of the panel: shown in the bell, and sent by mail and channels as each recipient has chosen.
 *
 * @example
 * ```ts
 * await svc.notices.tell({ to: { account: 7 }, key: 'coupon:12:gone', title: 'gone', text: 'gone_text', level: 'warning' });
 * ```
 * @since 1.84.0
 */
export abstract class NoticesService {
  /**
   * Notifies each recipient once per key, however often it is called. Inside `svc.db.transaction` it is part of the transaction: after a
   * rollback nothing is sent.
   *
   * @returns how many people this call notified; 0 if all were notified before, or if the account or customer does not exist
   * @throws Error for an invalid request, such as a link that leads outside the panel
   * @example
   * ```ts
   * svc.svc_add_action('order.paid', async ({ id, scene, money }) => {
   *   if (scene !== 'coupon') return;
   *   // lang/en.json: { "sold": "A coupon was sold", "sold_text": "It cost {money}." }
   *   const told = { title: 'sold', text: 'sold_text', params: { money }, kind: 'payment', link: '/admin/orders' } as const;
   *   await svc.notices.tell({ to: 'administrators', key: `order:${id}:sold`, ...told });
   * }, 10, { id: 'sold' });
   * ```
   * @since 1.84.0
   */
  abstract tell(notice: NoticeRequest): Promise<number>;
}
