import { translate, type OutboundRequest } from '../../common/index.js';
import type { HttpResponse, NoticeMessage } from '../../sdk/index.js';

import { ChannelError } from './channel-error.js';
import type { ChannelField, ChannelSettings, NotificationChannel } from './notification-channel.js';

/** A field of a channel of the panel's own; its words are `notify.channel_field.<name>`. */
export interface HttpChannelField {
  readonly name: string;
  /** Never shown again. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** What it is where nothing is given. */
  readonly standard?: string;
  /** It is the address of an HTTP service. */
  readonly address?: boolean;
}

/** A channel that is one call over HTTP: what is posted where, and how a refusal looks. */
export interface HttpChannel {
  /** Such as `telegram`; its words are `notify.channel.<type>` and `notify.channel_help.<type>`. */
  readonly type: string;
  readonly fields: readonly HttpChannelField[];
  /** The call that sends a message. @param now time of signatures */
  request(settings: ChannelSettings, message: NoticeMessage, now: Date): OutboundRequest;
  /** What the answer says against it; null where it was taken. Asked for answers of the status 2xx and 4xx alike. */
  problem(answer: HttpResponse): string | null;
}

/** Milliseconds for a whole call. */
const PATIENCE_MS = 15_000;

/** A channel of the panel's own. */
export function httpChannel({ type, fields, request, problem }: HttpChannel): NotificationChannel {
  return {
    type,
    plugin: '',
    kind: type,
    fields: fields.map(fieldOf),
    title: (locale) => translate(locale, `notify.channel.${type}`),
    help: (locale) => translate(locale, `notify.channel_help.${type}`),
    async send({ name, settings, message, http, now }) {
      const answer = await http.request({
        ...request(settings, message, now),
        timeoutMs: PATIENCE_MS,
        maxBytes: 64 * 1024,
        maxRedirects: 0,
      });
      if (answer.code === 0) throw new ChannelError(answer.failure === 'INTERNAL' ? 'INTERNAL_ADDRESS' : 'UNREACHABLE', { name });
      const reply = problem(answer);
      if (reply !== null) throw ChannelError.refused(name, reply);
    },
  };
}

function fieldOf({ name, secret = false, required = false, standard = '', address = false }: HttpChannelField): ChannelField {
  return {
    key: name,
    type: secret ? 'password' : 'text',
    required,
    standard,
    isAddress: address,
    isTarget: address && !secret,
    options: [],
    placeholder: standard,
    label: (locale) => translate(locale, `notify.channel_field.${name}`),
    hint: () => '',
  };
}

/** Title, text and link below each other. */
export function plainText({ title, text, link, site }: NoticeMessage, mostBytes: number): string {
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
