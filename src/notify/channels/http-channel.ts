import { translate, type OutboundRequest } from '../../common/index.js';
import type { HttpResponse, NoticeMessage } from '../../sdk/index.js';

import { ChannelError } from './channel-error.js';
import type { ChannelField, ChannelSettings, NotificationChannel } from './notification-channel.js';

/** A field of a built-in channel; its texts are `notify.channel_field.<name>`. */
export interface HttpChannelField {
  readonly name: string;
  /** Write-only. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** Default value. */
  readonly standard?: string;
  /** Whether it is the address of an HTTP service. */
  readonly address?: boolean;
}

/** A channel that sends one HTTP request per message. */
export interface HttpChannel {
  /** Such as `telegram`; its texts are `notify.channel.<type>` and `notify.channel_help.<type>`. */
  readonly type: string;
  readonly fields: readonly HttpChannelField[];
  /** Builds the request for a message. @param now time for signatures */
  request(settings: ChannelSettings, message: NoticeMessage, now: Date): OutboundRequest;
  /** Returns the problem in a response; null for success. Called for responses with status 2xx and 4xx. */
  problem(answer: HttpResponse): string | null;
}

/** Timeout of a call in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Creates a kind of channel from its HTTP description. */
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
        timeoutMs: TIMEOUT_MS,
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

/** Returns title, text and link on separate lines, truncated to a number of bytes. */
export function plainText({ title, text, link, site }: NoticeMessage, mostBytes: number): string {
  const whole = [`[${site}] ${title}`, text, link].filter((part) => part !== '').join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  return `${Buffer.from(whole)
    .subarray(0, mostBytes - 6)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}

/** Parses a JSON body; an empty object if it is not JSON. */
export function jsonOf({ body }: HttpResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the problem of a response from its status alone; null for success. */
export function statusProblem({ ok, code, error, body }: HttpResponse): string | null {
  return ok ? null : `${code > 0 ? `HTTP ${code}` : error} ${body.slice(0, 200)}`.trim();
}
