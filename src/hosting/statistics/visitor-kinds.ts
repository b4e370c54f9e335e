/**
 * Crawlers and browsers by a pattern in the user agent; the first match counts. A custom table, because only the common names are
 * distinguished, and a library that knows every browser would cost more per line than everything else together.
 */
const SPIDERS: readonly (readonly [string, RegExp])[] = [
  ['Baiduspider', /baiduspider/i],
  ['Googlebot', /googlebot|google-inspectiontool|googleother|apis-google|mediapartners-google/i],
  ['Bingbot', /bingbot|bingpreview|msnbot/i],
  ['360Spider', /360spider|haosouspider/i],
  ['Sogou', /sogou/i],
  ['Bytespider', /bytespider/i],
  ['YisouSpider', /yisouspider/i],
  ['PetalBot', /petalbot/i],
  ['YandexBot', /yandex/i],
  ['DuckDuckBot', /duckduckbot/i],
  ['Applebot', /applebot/i],
  ['GPTBot', /gptbot|oai-searchbot|chatgpt-user/i],
  ['ClaudeBot', /claudebot|claude-web|anthropic/i],
  ['Amazonbot', /amazonbot/i],
  ['AhrefsBot', /ahrefs/i],
  ['SemrushBot', /semrush/i],
  ['MJ12bot', /mj12bot/i],
  ['DotBot', /dotbot/i],
  ['facebookexternalhit', /facebookexternalhit|meta-external/i],
  ['CensysInspect', /censys/i],
  ['-', /bot\b|spider|crawler|slurp|scanner|monitor/i],
];

const CLIENTS: readonly (readonly [string, RegExp])[] = [
  ['WeChat', /micromessenger/i],
  ['QQ', /\bqq\/|qqbrowser/i],
  ['UC', /ucbrowser|ubrowser/i],
  ['MIUI', /miuibrowser/i],
  ['Huawei', /huaweibrowser/i],
  ['Samsung', /samsungbrowser/i],
  ['Edge', /\bedg(?:e|a|ios)?\//i],
  ['Opera', /\bopr\/|opera/i],
  ['Firefox', /firefox\/|fxios\//i],
  ['Chrome', /chrome\/|crios\//i],
  ['Safari', /safari\//i],
  ['Internet Explorer', /msie |trident\//i],
  ['curl', /^curl\//i],
  ['Wget', /^wget\//i],
  ['Python', /python|aiohttp|scrapy/i],
  ['Go', /^go-http-client/i],
  ['Java', /^java\/|okhttp|apache-httpclient/i],
  ['Node.js', /^node|axios|undici/i],
];

/** Maximum user agents cached in memory; there are few distinct ones among many requests. */
const KEPT = 2_000;
const kept = new Map<string, VisitorKind>();

/** Kind of client: a crawler by its name (`-`: unknown), or a browser or program (`-`: unknown). */
export interface VisitorKind {
  readonly spider: string | null;
  readonly client: string;
}

/** Classifies a `User-Agent` header, which is untrusted. */
export function visitorKind(agent: string): VisitorKind {
  let kind = kept.get(agent);
  if (!kind) {
    const named = (table: typeof SPIDERS): string | undefined => table.find(([, pattern]) => pattern.test(agent))?.[0];
    kind = { spider: named(SPIDERS) ?? null, client: named(CLIENTS) ?? '-' };
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(agent, kind);
  }
  return kind;
}
