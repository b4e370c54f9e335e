import type { OutboundRequest } from '../../common/index.js';
import type { HttpResponse } from '../../sdk/index.js';
import type { NoticeKind, NoticeLevel } from '../notice.js';

/** A notice, or several in one, as a channel sends it. */
export interface ChannelMessage {
  /** The same in every attempt. */
  readonly id: string;
  readonly kind: NoticeKind;
  readonly level: NoticeLevel;
  readonly title: string;
  readonly text: string;
  /** Where more is to be seen; empty where there is nothing. */
  readonly link: string;
  /** Name of the installation. */
  readonly site: string;
  readonly at: Date;
}

/** Something a channel has to be told once. */
export interface ChannelField {
  readonly name: string;
  /** Never shown again. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** What it is where nothing is given. */
  readonly standard?: string;
}

/** Values of the fields of a channel. */
export type ChannelSettings = Readonly<Record<string, string>>;

/** A way to tell people outside of the panel: what is posted where, and how a refusal looks. */
export interface NotificationChannel {
  /** Its name on the wire, such as `telegram`; its words are `notify.channel.<type>` and `notify.channel_field.<type>.<field>`. */
  readonly type: string;
  readonly fields: readonly ChannelField[];
  /** The call that sends a message. @param now time of signatures */
  request(settings: ChannelSettings, message: ChannelMessage, now: Date): OutboundRequest;
  /** What the answer says against it; null where it was taken. Asked for answers of the status 2xx and 4xx alike. */
  problem(answer: HttpResponse): string | null;
}

/** Title, text and link below each other. */
export function plainText({ title, text, link, site }: ChannelMessage, mostBytes: number): string {
  const whole = [`[${site}] ${title}`, text, link].filter((part) => part !== '').join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  return `${Buffer.from(whole)
    .subarray(0, mostBytes - 6)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** A body that is JSON; empty where it is none. */
export function jsonOf({ body }: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What is wrong with an answer that says so by its status alone. */
export function statusProblem({ ok, code, error, body }: HttpResponse): string | null {
  return ok ? null : `${code > 0 ? `HTTP ${code}` : error} ${body.slice(0, 200)}`.trim();
}
