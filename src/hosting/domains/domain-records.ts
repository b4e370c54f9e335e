import { Resolver } from 'node:dns/promises';

import { Injectable } from '@nestjs/common';

/** Waits of one question, in milliseconds, and how often it is asked. */
const QUESTION = { timeout: 2_500, tries: 2 };
/** How long somebody waits for an answer at most, in milliseconds, whatever name servers do. */
const PATIENCE_MS = 8_000;
/** Answers that say "there is no such record". */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);
/** Records of a name that are looked at; nobody needs more. */
const MOST = 50;

/** Asks name servers; tests give their own. */
export type DomainRecordLookup = (name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT') => Promise<string[]>;

/** What is set at the name servers: the records, none, or `null` where nobody answered in time. */
@Injectable()
export class DomainRecords {
  /** Throws with a `code` as `node:dns` does. */
  lookup: DomainRecordLookup = lookUp;

  /** The records of a name; empty where there are none, null where that is not known. */
  async find(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<string[] | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS);
    });
    try {
      const found = await Promise.race([this.lookup(name, type), late]);
      return found?.slice(0, MOST).map((record) => (type === 'TXT' ? record : record.toLowerCase().replace(/\.$/, ''))) ?? null;
    } catch (error) {
      return NOTHING_THERE.has((error as { code?: string }).code ?? '') ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Every address of a name, of both kinds. */
  async addresses(name: string): Promise<string[] | null> {
    const [four, six] = await Promise.all([this.find(name, 'A'), this.find(name, 'AAAA')]);
    return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])];
  }
}

/** A resolver of its own for each question: one has a limited number of questions under way. */
async function lookUp(name: string, type: 'A' | 'AAAA' | 'CNAME' | 'TXT'): Promise<string[]> {
  const resolver = new Resolver(QUESTION);
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
