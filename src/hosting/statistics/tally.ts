import { PROOFS } from '../sites/index.js';

import type { LogEntry } from './log-entry.js';
import { mergeLists, EMPTY_LIST, type TopList } from './top-list.js';
import { visitorKind } from './visitor-kinds.js';
import { VisitorSketch } from './visitor-sketch.js';

/** Top lists kept per period, with the maximum names of each: together well below 64 KB. */
export const LISTS = { page: 80, referrer: 40, address: 80, error: 40, code: 30, method: 12, spider: 24, client: 24 } as const;
/** Name of a list. */
export type ListName = keyof typeof LISTS;
/** Names of the lists. */
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** Names of the counters of a {@link Tally}. */
export const COUNTS = ['requests', 'pages', 'bytes', 'succeeded', 'redirected', 'refused', 'failed'] as const;
export type CountName = (typeof COUNTS)[number];

/** Visitor counts of a period. */
export interface Tally {
  readonly counts: Readonly<Record<CountName, number>>;
  readonly visitors: VisitorSketch;
  readonly lists: Readonly<Record<ListName, TopList>>;
}

/** Maximum length of a name in a list, in characters. */
const MAX_NAME_LENGTH = 160;
const CLASSES: Readonly<Record<string, CountName>> = { '2': 'succeeded', '3': 'redirected', '4': 'refused', '5': 'failed' };
/** Paths that count as a page: a folder, no suffix, or the suffix of a page. */
const PAGE = /(?:\/|\/[^./]+|\.(?:html?|xhtml|php|aspx?|jsp))$/i;

/** Counts log lines by hour, day and month. Memory is bounded by the size of one part of a log. */
export class TallyCounter {
  private readonly hours = new Map<string, HourCounter>();
  /** Cached result for all units. */
  private tallies: readonly (readonly [string, Tally])[] | null = null;

  /** @param ownNames names of the site: referrers with these names are internal */
  constructor(private readonly ownNames: ReadonlySet<string>) {}

  add(entry: LogEntry): void {
    this.tallies = null;
    const hour = entry.time.slice(0, 13);
    let counter = this.hours.get(hour);
    if (!counter) this.hours.set(hour, (counter = new HourCounter(this.ownNames)));
    counter.add(entry);
  }

  /** Returns the counts, grouped by the first characters of their times: 13 for hours, 10 for days, 7 for months. */
  by(length: 13 | 10 | 7): Map<string, Tally> {
    this.tallies ??= [...this.hours].map(([hour, counter]) => [hour, counter.tally()]);
    const groups = new Map<string, Tally[]>();
    for (const [hour, tally] of this.tallies) {
      const at = hour.slice(0, length);
      groups.set(at, [...(groups.get(at) ?? []), tally]);
    }
    return new Map([...groups].map(([at, tallies]) => [at, mergeTallies(tallies)]));
  }
}

/** Merges the counts of several periods. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  const sum = (name: CountName): number => tallies.reduce((total, { counts }) => total + counts[name], 0);
  return {
    counts: Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) as Record<CountName, number>,
    visitors: VisitorSketch.joined(tallies.map(({ visitors }) => visitors)),
    lists: Object.fromEntries(
      LIST_NAMES.map((name) => [
        name,
        mergeLists(
          tallies.map(({ lists }) => lists[name] ?? EMPTY_LIST),
          LISTS[name],
        ),
      ]),
    ) as Record<ListName, TopList>,
  };
}

class HourCounter {
  private readonly counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;
  private readonly visitors = new Set<string>();
  private readonly lists = Object.fromEntries(LIST_NAMES.map((name) => [name, new Map<string, number>()])) as Record<
    ListName,
    Map<string, number>
  >;

  constructor(private readonly ownNames: ReadonlySet<string>) {}

  add({ address, method, url, status, bytes, referrer, agent }: LogEntry): void {
    const { spider, client } = visitorKind(agent);
    const path = url.replace(/[?#].*$/, '') || '/';
    const isError = status >= 400;
    // Requests of a certificate authority are no visits.
    const isProof = path.startsWith(PROOFS);
    this.counts.requests += 1;
    this.counts.bytes += bytes;
    const kind = CLASSES[String(status)[0]!];
    if (kind) this.counts[kind] += 1;
    this.list('code', String(status));
    this.list('method', method);
    this.list('address', address);
    if (isError) this.list('error', `${status} ${path}`);
    else if (!isProof) this.list('page', path);
    if (isProof) return;
    if (spider !== null) return this.list('spider', spider);
    this.visitors.add(address);
    this.list('client', client);
    if (method === 'GET' && (status < 300 || status === 304) && PAGE.test(path)) this.counts.pages += 1;
    const from = this.externalReferrer(referrer);
    if (from !== null) this.list('referrer', from);
  }

  tally(): Tally {
    const lists = LIST_NAMES.map((name) => {
      const entries = [...this.lists[name]];
      const list = { total: entries.reduce((total, [, count]) => total + count, 0), counts: nullObject(entries) };
      return [name, mergeLists([list], LISTS[name])];
    });
    return {
      counts: this.counts,
      visitors: VisitorSketch.of(this.visitors),
      lists: Object.fromEntries(lists) as Record<ListName, TopList>,
    };
  }

  private list(name: ListName, key: string): void {
    const counts = this.lists[name];
    const short = key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH - 3)}...` : key;
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }

  /** Returns the referring page without its query; null if it is internal or unknown. */
  private externalReferrer(referrer: string): string | null {
    const [, host, path = ''] = /^https?:\/\/([^/?#:@]{1,253})(?::\d{1,5})?([^?#]*)/i.exec(referrer) ?? [];
    if (host === undefined) return null;
    const name = host.toLowerCase();
    const isOwn = this.ownNames.has(name) || this.ownNames.has(`*${name.slice(name.indexOf('.'))}`);
    return isOwn ? null : `${name}${path === '/' ? '' : path}`;
  }
}

function nullObject(entries: readonly [string, number][]): Record<string, number> {
  const record = Object.create(null) as Record<string, number>;
  for (const [name, count] of entries) record[name] = count;
  return record;
}
