import type { SettingsField } from './contributions.js';

type MaybePromise<Value> = Value | Promise<Value>;

/**
 * A value the panel needs for an account at a DNS provider, such as a token.
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
  /** The field must not be empty. */
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
  /** The provider's id of the zone. */
  readonly id: string;
  /** In lower case and punycode, without a trailing dot. */
  readonly name: string;
}

/**
 * A record as the DNS provider returns it.
 *
 * @example
 * ```ts
 * const record: DnsRecord = { id: '372e6795', type: 'A', name: 'shop.example.com', value: '192.0.2.1', mark: 'svc-panel 5f1c' };
 * ```
 * @since 1.84.0
 */
export interface DnsRecord {
  /** The provider's id of the record. */
  readonly id: string;
  /** Record type: `A`, `CNAME` and so on. */
  readonly type: string;
  /** The full name, without a trailing dot. */
  readonly name: string;
  /** In the format of {@link WantedDnsRecord.value}. */
  readonly value: string;
  /**
   * The record's comment, empty if it has none. Omitted if the provider stores no comments; then a record is identified by its id and
   * value.
   */
  readonly mark?: string;
}

/**
 * A record that should exist.
 *
 * @example
 * ```ts
 * const wanted: WantedDnsRecord = { id: null, type: 'A', name: 'shop.example.com', value: '192.0.2.1', ttl: 600, mark: 'svc-panel 5f1c' };
 * ```
 * @since 1.84.0
 */
export interface WantedDnsRecord {
  /** Id of the record whose value changes; null creates a new record. */
  readonly id: string | null;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'MX' | 'SRV' | 'CAA';
  readonly name: string;
  /**
   * Format by type: `TXT`: the text itself, without quotes, up to 1,000 characters; `MX`: priority and host, `10 mail.example.com`; `SRV`:
   * priority, weight, port and host, `10 5 5060 sip.example.com`; `CAA`: flags, tag and value, `0 issue "letsencrypt.org"`.
   */
  readonly value: string;
  /** Time to live, in seconds. */
  readonly ttl: number;
  /** Stored as the record's comment, if the provider supports comments. */
  readonly mark: string;
}

/**
 * The context of a driver call.
 *
 * @example
 * ```ts
 * const soon = (ctx: DnsDriverContext): Promise<Response> => fetch('https://dns.example.com/zones', { signal: ctx.signal });
 * ```
 * @since 1.84.0
 */
export interface DnsDriverContext {
  /** Aborted when the result is no longer needed: after 15 seconds, and when the plugin is disabled. */
  readonly signal: AbortSignal;
}

/**
 * A kind of DNS provider that a plugin adds. `title`, `help`, and the labels and hints of fields may be keys of the plugin's `lang` files.
 * An error that a function throws is shown to administrators, and the call is retried later. Source: docs/plugin-api.md "DNS providers".
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
  /** Name shown when choosing a provider. */
  title: string;
  /** How to get an account at the provider; shown above the form. */
  help?: string;
  /** Fields of the account form; at most 12, of at most 1,000 characters each. */
  fields: DnsDriverField[];
  /** Returns the zone with this name, if the account has it; if `name` is null, up to 50 zones of the account. */
  zones: (settings: Readonly<Record<string, string>>, name: string | null, ctx: DnsDriverContext) => MaybePromise<DnsZone[]>;
  /** Returns all records with exactly this name, of any type. */
  records: (settings: Readonly<Record<string, string>>, zone: DnsZone, name: string, ctx: DnsDriverContext) => MaybePromise<DnsRecord[]>;
  /** Creates a record, or changes the value of the one with `id`. Returns the record's id. */
  put: (settings: Readonly<Record<string, string>>, zone: DnsZone, record: WantedDnsRecord, ctx: DnsDriverContext) => MaybePromise<string>;
  /** Deletes a record; succeeds if it no longer exists. */
  remove: (settings: Readonly<Record<string, string>>, zone: DnsZone, record: DnsRecord, ctx: DnsDriverContext) => MaybePromise<void>;
}
