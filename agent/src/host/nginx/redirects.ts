import type { SiteRecord } from '../records/site-record.js';
import { address, literal, pattern } from './quote.js';

/**
 * Returns the redirects of a site as `rewrite` directives: nginx encodes captured text, so a line break in a path cannot inject a header.
 */
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
