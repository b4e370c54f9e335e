import type { SettingsField } from './contributions.js';

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Something that has to be known of an account at a DNS provider, such as a token.
 *
 * @example
 * ```ts
 * const server: DnsDriverField = { key: 'server', label: 'Server', type: 'text', required: true };
 * const token: DnsDriverField = { key: 'token', label: 'Token', type: 'password', required: true };
 * svc.log.info('asks for', { fields: [server.key, token.key].join() });
 * ```
 * @since 1.84.0
 */
export interface DnsDriverField extends SettingsField {
  /** It cannot be empty. */
  required?: boolean;
}

/**
 * A zone at a DNS provider.
 *
 * @example
 * ```ts
 * const zone: DnsZone = { id: '023e105f', name: 'example.com' };
 * ```
 * @since 1.84.0
 */
export interface DnsZone {
  /** What the provider calls it. */
  readonly id: string;
  /** In lower case and punycode, without a dot at its end. */
  readonly name: string;
}

/**
 * A record as a DNS provider has it.
 *
 * @example
 * ```ts
 * const record: DnsRecord = { id: '372e6795', type: 'A', name: 'shop.example.com', value: '192.0.2.1', mark: 'svc-panel 5f1c' };
 * ```
 * @since 1.84.0
 */
export interface DnsRecord {
  /** What the provider calls it. */
  readonly id: string;
  /** `A`, `CNAME` and so on. */
  readonly type: string;
  /** The whole name, without a dot at its end. */
  readonly name: string;
  /** As {@link WantedDnsRecord.value} says it. */
  readonly value: string;
  /**
   * The note beside it, empty where it has none; left out where the provider keeps no notes: then a record is known by its id and value.
   */
  readonly mark?: string;
}

/**
 * A record that is to be there.
 *
 * @example
 * ```ts
 * const wanted: WantedDnsRecord = { id: null, type: 'A', name: 'shop.example.com', value: '192.0.2.1', ttl: 600, mark: 'svc-panel 5f1c' };
 * ```
 * @since 1.84.0
 */
export interface WantedDnsRecord {
  /** The one that gets another value; null: it is a new one. */
  readonly id: string | null;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'MX' | 'SRV' | 'CAA';
  readonly name: string;
  /**
   * Of `TXT` the text itself, without quotes, up to 1,000 characters; of `MX` priority and host, `10 mail.example.com`; of `SRV`
   * priority, weight, port and host, `10 5 5060 sip.example.com`; of `CAA` flags, tag and value, `0 issue "letsencrypt.org"`.
   */
  readonly value: string;
  /** Seconds. */
  readonly ttl: number;
  /** Kept as the note beside it, where the provider has such. */
  readonly mark: string;
}

/**
 * What else a call is told.
 *
 * @example
 * ```ts
 * const soon = (ctx: DnsDriverContext): Promise<Response> => fetch('https://dns.example.com/zones', { signal: ctx.signal });
 * ```
 * @since 1.84.0
 */
export interface DnsDriverContext {
  /** Aborted when nobody waits for the answer any more: after 15 seconds, and when the plugin is switched off. */
  readonly signal: AbortSignal;
}

/**
 * A kind of DNS provider a plugin brings. `title`, `help`, and labels and hints of the fields may be keys of the plugin's `lang` files.
 * What a function throws is shown to administrators, and the call is tried again later. Source: docs/plugin-api.md "DNS providers".
 *
 * @example
 * ```ts
 * const kept: DnsRecord[] = [];
 * const memory: DnsDriverRecord = {
 *   title: 'Memory',
 *   fields: [{ key: 'token', label: 'Token', type: 'password', required: true }],
 *   zones: (_settings, name) => [{ id: '1', name: 'example.com' }].filter((zone) => name === null || zone.name === name),
 *   records: (_settings, _zone, name) => kept.filter((record) => record.name === name),
 *   put(_settings, _zone, { id, type, name, value, mark }) {
 *     const next = { id: id ?? String(kept.length + 1), type, name, value, mark };
 *     kept.splice(0, kept.length, ...kept.filter((record) => record.id !== next.id), next);
 *     return next.id;
 *   },
 *   remove(_settings, _zone, { id }) {
 *     kept.splice(0, kept.length, ...kept.filter((record) => record.id !== id));
 *   },
 * };
 * svc.svc_register_dns_driver('memory', memory);
 * ```
 * @since 1.84.0
 */
export interface DnsDriverRecord {
  /** What people choose it by. */
  title: string;
  /** What somebody does to have an account there, above the form. */
  help?: string;
  /** What has to be known of an account; at most 12, of at most 1,000 characters each. */
  fields: DnsDriverField[];
  /** The zone of this name, if the account has it; where `name` is null, zones of the account, 50 at most. */
  zones: (settings: Readonly<Record<string, string>>, name: string | null, ctx: DnsDriverContext) => MaybePromise<DnsZone[]>;
  /** Every record of this very name, of any type. */
  records: (settings: Readonly<Record<string, string>>, zone: DnsZone, name: string, ctx: DnsDriverContext) => MaybePromise<DnsRecord[]>;
  /** Makes a record, or changes the value of the one with `id`. Answers its id. */
  put: (settings: Readonly<Record<string, string>>, zone: DnsZone, record: WantedDnsRecord, ctx: DnsDriverContext) => MaybePromise<string>;
  /** Removes a record; one that is gone already is fine. */
  remove: (settings: Readonly<Record<string, string>>, zone: DnsZone, record: DnsRecord, ctx: DnsDriverContext) => MaybePromise<void>;
}
