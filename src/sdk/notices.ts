import type { SettingsField } from './contributions.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * A field of a notice channel; a `password` is a secret: kept sealed, never shown again, and left as it is where it is left empty.
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
  /** Nothing is sent, and nobody can save the channel, while it is empty. */
  required?: boolean;
  /**
   * Whether another value may lead messages, and the secrets they are sent with, to somebody else; true where nothing is given. Who
   * changes such a field of a channel that is there types its other secrets again: he may be somebody who is not shown them. False for
   * what has no say in where it goes.
   */
  target?: boolean;
}

/**
 * A notice on its way out, or several in one.
 *
 * @example
 * ```ts
 * const line = ({ site, title, text, link }: NoticeMessage): string => `[${site}] ${title}: ${text} ${link}`;
 * ```
 * @since 1.84.0
 */
export interface NoticeMessage {
  /** The same in every attempt: what came twice is told by it. */
  readonly id: string;
  /** What it is about. */
  readonly kind: 'monitor' | 'expire' | 'traffic' | 'scan' | 'payment' | 'backup' | 'certificate' | 'report' | 'system';
  readonly level: 'info' | 'success' | 'warning' | 'danger';
  /** In the language of whoever gets it, as `text` is. */
  readonly title: string;
  /** Lines of plain text; at most 20,000 characters. */
  readonly text: string;
  /** Where more is to be seen; empty where there is nothing. */
  readonly link: string;
  /** Name of the installation. */
  readonly site: string;
  readonly at: Date;
}

/**
 * What a notice channel is called with besides the message and its settings.
 *
 * @example
 * ```ts
 * const soon = (ctx: NoticeChannelContext): Promise<Response> => fetch('https://pager.example.com', { signal: ctx.signal });
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelContext {
  /** Aborted when nobody waits for the answer any more: after 15 seconds, and when the plugin is switched off. */
  readonly signal: AbortSignal;
  /** `zh-CN` or `en`: what an error says is read by somebody with this language. */
  readonly locale: string;
}

/**
 * A kind of notice channel a plugin brings. `title`, `help`, and labels and hints of the fields may be keys of the plugin's `lang` files.
 * Source: docs/plugin-api.md "Notice channels".
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
  /** What people choose it by. */
  title: string;
  /** What somebody does to have one, above the form. */
  help?: string;
  /** What has to be known of a channel; at most 12, of at most 1,000 characters each. */
  fields: NoticeChannelField[];
  /**
   * Sends a message: answers nothing once it was taken, and throws an error in words for people where it was not. The message is tried
   * again then, for more than a day.
   */
  send: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
  /** What **Test** does, with a message that says so; `send` where nothing is given. */
  test?: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
}

/**
 * Something a plugin tells people. `title` and `text` are keys of its `lang` files, with `params` in their places, told in
 * the language of each who gets it.
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
  /** Who is told: everybody who runs the panel, the owner of a hosting account, or a customer. */
  to: 'administrators' | { readonly account: number } | { readonly customer: number };
  /** What it tells of, at most 80 characters: the same receiver is told once of the same key. One per event, such as `coupon:12:used`. */
  key: string;
  title: string;
  text: string;
  params?: Readonly<Record<string, string | number>>;
  /** `info` where nothing is given, which goes to the bell and the channels; the others go out by mail, too. */
  level?: 'info' | 'success' | 'warning' | 'danger';
  /** What it is about, by which people choose what they are told of; `system` where nothing is given. */
  kind?: 'payment' | 'system';
  /** A path of the panel where more is to be seen. */
  link?: string;
}

/**
 * Notices of the panel: the bell, and by mail and channels what people want so.
 *
 * @example
 * ```ts
 * await svc.notices.tell({ to: { account: 7 }, key: 'coupon:12:gone', title: 'gone', text: 'gone_text', level: 'warning' });
 * ```
 * @since 1.84.0
 */
export abstract class NoticesService {
  /**
   * Tells each receiver once of a key, however often it is called. In `svc.db.transaction` it is part of it:
   * what did not happen is not told.
   *
   * @returns how many people are told by this very call; 0 where all were told before, and where there is no such account or customer
   * @throws Error for a request that cannot work, such as a link that leads away from the panel
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
