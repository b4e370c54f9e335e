import type { Locale, OutboundHttp } from '../../common/index.js';
import type { DriverField, DriverSettings } from '../../hosting/index.js';
import type { DnsRecord, DnsZone, WantedDnsRecord } from '../../sdk/index.js';

/** Context of a call to an account. */
export interface DnsCall {
  readonly settings: DriverSettings;
  readonly http: OutboundHttp;
  /** Time for signatures. */
  readonly now: Date;
  /** Aborts the call. */
  readonly signal: AbortSignal;
}

/**
 * A kind of DNS provider, built in or from a plugin. Names are in lower case and punycode without a trailing dot. Every function is
 * idempotent, so that it can be repeated after an unknown outcome. All throw {@link DnsProblem}.
 */
export interface DnsDriver {
  /** Name on the wire: `cloudflare`, or `{plugin}:{kind}`. */
  readonly type: string;
  /** Slug of its plugin; empty for built-in kinds. */
  readonly plugin: string;
  readonly fields: readonly DriverField[];
  title(locale: Locale): string;
  /** Explains how to create a usable account. */
  help(locale: Locale): string;
  /** Returns the zone of this name if the account has it; with `name` null up to {@link MAX_ZONES_SHOWN} zones of the account. */
  zones(call: DnsCall, name: string | null): Promise<readonly DnsZone[]>;
  /** Returns all records of exactly this name, of any type. */
  records(call: DnsCall, zone: DnsZone, name: string): Promise<readonly DnsRecord[]>;
  /** Creates a record or changes the one with `id`. @returns its id */
  put(call: DnsCall, zone: DnsZone, record: WantedDnsRecord): Promise<string>;
  /** Deletes a record; a missing one is not an error. */
  remove(call: DnsCall, zone: DnsZone, record: DnsRecord): Promise<void>;
}

/** Maximum number of zones a test shows. */
export const MAX_ZONES_SHOWN = 50;
/** Maximum number of records read per name. */
export const MAX_RECORDS = 100;
