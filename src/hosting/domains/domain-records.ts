import { Resolver } from 'node:dns/promises';

import { Injectable } from '@nestjs/common';

/** Timeout of one DNS query in milliseconds, and number of attempts. */
const QUERY = { timeout: 2_500, tries: 2 };
/** Longest total wait for an answer, in milliseconds. */
const TIMEOUT_MS = 8_000;
/** Errors that mean "no such record". */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);
/** Maximum number of records of a name. */
const MAX_RECORDS = 50;

/** Queries DNS; tests replace it. */
export type DomainRecordLookup = (name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT') => Promise<string[]>;

/** Looks up DNS records: the records, an empty list, or `null` when there was no answer in time. */
@Injectable()
export class DomainRecords {
  /** Throws with a `code` as `node:dns` does. */
  lookup: DomainRecordLookup = lookUp;

  /** Returns the records of a name; empty if there are none, null if unknown. */
  async find(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<string[] | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), TIMEOUT_MS);
    });
    try {
      const found = await Promise.race([this.lookup(name, type), late]);
      return found?.slice(0, MAX_RECORDS).map((record) => (type === 'TXT' ? record : record.toLowerCase().replace(/\.$/, ''))) ?? null;
    } catch (error) {
      return NOTHING_THERE.has((error as { code?: string }).code ?? '') ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns all IPv4 and IPv6 addresses of a name. */
  async addresses(name: string): Promise<string[] | null> {
    const [four, six] = await Promise.all([this.find(name, 'A'), this.find(name, 'AAAA')]);
    return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])];
  }
}

/** Uses a new resolver per query, because a resolver limits its concurrent queries. */
async function lookUp(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<string[]> {
  const resolver = new Resolver(QUERY);
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'CNAME':
      return resolver.resolveCname(name);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  }
}
