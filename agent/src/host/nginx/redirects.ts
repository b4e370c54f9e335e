import type { SiteRecord } from '../records/site-record.js';
import { address, literal, pattern } from './quote.js';

/** Redirects of a site, by rewriting: nginx encodes what it carries over, so that no line break of a path becomes one of the answer. */
export function redirectRules({ settings }: SiteRecord): string[] {
  return (settings?.redirects ?? []).map(({ from, to, status }) => {
    const isWhole = from.endsWith('/*');
    const start = literal(isWhole ? from.slice(0, -2) : from);
    const target = isWhole ? address(to.replace(/\/\*?$/, '')).replace(/"$/, '$1"') : address(to);
    return (
      `rewrite ${pattern(isWhole ? `(?s)^${start}(/.*)?\\z` : `^${start}\\z`)} ` + `${target} ${status === 301 ? 'permanent' : 'redirect'};`
    );
  });
}
