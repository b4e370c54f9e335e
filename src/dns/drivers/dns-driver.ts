import type { Locale, OutboundHttp } from '../../common/index.js';
import type { DriverField, DriverSettings } from '../../hosting/index.js';
import type { DnsRecord, DnsZone, WantedDnsRecord } from '../../sdk/index.js';

/** One call to one account. */
export interface DnsCall {
  readonly settings: DriverSettings;
  readonly http: OutboundHttp;
  /** Time of signatures. */
  readonly now: Date;
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/**
 * A kind of DNS provider. The panel has some, plugins bring others. Names are in lower case and punycode, without a dot at their end; every
 * function may be called again after one whose end nobody knows. All throw {@link DnsProblem}.
 */
export interface DnsDriver {
  /** Its name on the wire: `cloudflare`, or `{plugin}:{kind}`. */
  readonly type: string;
  /** Slug of the plugin that brings it; empty for the panel's own. */
  readonly plugin: string;
  readonly fields: readonly DriverField[];
  title(locale: Locale): string;
  /** What a person does to have an account that can be used. */
  help(locale: Locale): string;
  /** The zone of this name, if the account has it; where `name` is null, zones of the account, {@link MOST_ZONES_SHOWN} at most. */
  zones(call: DnsCall, name: string | null): Promise<readonly DnsZone[]>;
  /** Every record of this very name, of any type. */
  records(call: DnsCall, zone: DnsZone, name: string): Promise<readonly DnsRecord[]>;
  /** Makes a record, or changes the value of the one with `id`. @returns its id */
  put(call: DnsCall, zone: DnsZone, record: WantedDnsRecord): Promise<string>;
  /** One that is gone already is fine. */
  remove(call: DnsCall, zone: DnsZone, record: DnsRecord): Promise<void>;
}

/** Zones of an account a check shows. */
export const MOST_ZONES_SHOWN = 50;
/** Records of one name that are looked at. */
export const MOST_RECORDS = 100;
