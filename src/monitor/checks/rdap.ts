import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, type TextRef } from '../../common/index.js';

import { MonitorProbe } from './monitor-probe.js';

/** Response of a registry. `no_rdap` is final: the registry has no RDAP server. */
export type RdapAnswer =
  | { readonly kind: 'found'; readonly expiresAt: Date | null }
  | { readonly kind: 'unregistered' }
  | { readonly kind: 'no_rdap' }
  | { readonly kind: 'failed'; readonly problem: TextRef };

/** List of RDAP servers by top-level domain. Source: RFC 9224. */
const IANA_LIST = 'https://data.iana.org/rdap/dns.json';
/** How long a list is used, in milliseconds; an older one is used if no new one can be downloaded. */
const LIST_MS = DAY_MS;
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Queries registries about domains with RDAP, limited like all monitors to public addresses and `MONITOR_ALLOW`. Source: RFC 9082, RFC
 * 9083.
 */
@Injectable()
export class Rdap {
  /** Replaced in tests. */
  listUrl = IANA_LIST;
  private servers: { readonly of: ReadonlyMap<string, string>; readonly at: number } | null = null;

  constructor(
    private readonly probe: MonitorProbe,
    private readonly clock: Clock,
  ) {}

  /** @param domain as registered, in lower case and ASCII */
  async ask(domain: string): Promise<RdapAnswer> {
    const servers = await this.serverList();
    if (!servers) return { kind: 'failed', problem: { key: 'monitor.problem.rdap_list' } };
    const server = servers.get(domain.slice(domain.lastIndexOf('.') + 1));
    if (server === undefined) return { kind: 'no_rdap' };
    const answer = await this.get(`${server.replace(/\/*$/, '')}/domain/${domain}`);
    if ('problem' in answer) return { kind: 'failed', problem: { key: `monitor.problem.${answer.problem}` } };
    if (answer.status === 404) return { kind: 'unregistered' };
    const record = answer.status === 200 ? recordOf(answer.body) : null;
    if (!record) return { kind: 'failed', problem: { key: 'monitor.problem.status', params: { code: answer.status } } };
    return { kind: 'found', expiresAt: expiryOf(record) };
  }

  private async serverList(): Promise<ReadonlyMap<string, string> | null> {
    const now = this.clock.now().getTime();
    if (this.servers && now - this.servers.at < LIST_MS) return this.servers.of;
    const answer = await this.get(this.listUrl);
    const of = 'problem' in answer || answer.status !== 200 ? null : serversOf(recordOf(answer.body));
    if (of) this.servers = { of, at: now };
    return this.servers?.of ?? null;
  }

  private get(url: string): ReturnType<MonitorProbe['http']> {
    const headers = { accept: 'application/rdap+json, application/json' };
    return this.probe.http({ url, method: 'GET', headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  }
}

type Json = Readonly<Record<string, unknown>>;

function recordOf(body: string): Json | null {
  try {
    const found: unknown = JSON.parse(body);
    return found !== null && typeof found === 'object' ? (found as Json) : null;
  } catch {
    return null;
  }
}

/** Parses the list of RFC 9224: pairs of top-level domains and addresses; HTTPS is preferred. Null if invalid. */
function serversOf(list: Json | null): Map<string, string> | null {
  const servers = new Map<string, string>();
  for (const pair of listOf(list?.services)) {
    const [names, urls] = listOf(pair).map((part) => listOf(part).filter((text) => typeof text === 'string'));
    const url = urls?.find((address) => address.startsWith('https:')) ?? urls?.[0];
    if (url !== undefined) for (const name of names ?? []) servers.set(name.toLowerCase(), url);
  }
  return servers.size > 0 ? servers : null;
}

/**
 * Returns the expiry of a domain: the event `expiration`, or `registrar expiration` as a fallback. If there are several, the latest counts,
 * because registries that renew automatically also keep the previous one.
 */
export function expiryOf(record: Json): Date | null {
  const events = listOf(record.events).filter((event): event is Json => event !== null && typeof event === 'object');
  for (const action of ['expiration', 'registrar expiration']) {
    const found = events.filter(({ eventAction }) => typeof eventAction === 'string' && eventAction.trim().toLowerCase() === action);
    const dates = found.map(({ eventDate }) => momentOf(eventDate)).filter((at) => at !== null);
    if (dates.length > 0) return new Date(Math.max(...dates));
  }
  return null;
}

/** Parses a date with time to milliseconds; UTC if no time zone is given. */
function momentOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(value.trim()) ?? [];
  const at = Date.parse(`${day}T${time}${zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? null : at;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
