import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Resolver } from '../../src/common/outbound/index.js';

/** DNS answers for a name of the corpus: always the same, one list per query, or an alias. */
type Answers = string[] | { sequence: string[][] } | { cname: string; a: string[] };

interface Entry {
  id: string;
  expect: 'refuse' | 'allow';
  needs_dns?: Record<string, Answers>;
}

/** URL, and whether it may be requested. */
export interface SsrfTarget extends Entry {
  url: string;
  class: string;
  parsed: 'invalid URL' | { protocol: string; hostname: string };
}

/** Redirect from a public address, and whether it may be followed. */
export interface SsrfRedirect extends Entry {
  start: string;
  status: number;
  location: string;
}

/** Corpus of outbound targets; each entry names its source. */
export const ssrfCorpus = JSON.parse(readFileSync(new URL('../corpora/ssrf/targets.json', import.meta.url), 'utf8')) as {
  targets: SsrfTarget[];
  redirects: SsrfRedirect[];
  behaviours: { id: string; given: string; then: string }[];
};

/** Creates a resolver that knows only `names` and records its queries. It answers asynchronously, like a real one. */
export function stubResolver(names: Record<string, Answers> = {}): { resolver: Resolver; asked: string[] } {
  const asked: string[] = [];
  const resolver: Resolver = async (hostname) => {
    await turn();
    asked.push(hostname);
    const times = asked.filter((name) => name === hostname).length;
    const answers = answersOf(names[hostname] ?? [], times);
    if (answers.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    return answers.map((address) => ({ address, family: isIP(address) }));
  };
  return { resolver, asked };
}

function answersOf(answers: Answers, times: number): string[] {
  if (Array.isArray(answers)) return answers;
  if ('a' in answers) return answers.a;
  return answers.sequence[Math.min(times, answers.sequence.length) - 1] ?? [];
}
