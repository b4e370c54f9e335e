import type { CacheRule, CompressionRule, HotlinkRule } from '../driver/index.js';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, M: 30 * 86_400, y: 365 * 86_400 };

/** Returns the suffix of a path: the part after its last dot, in lower case. */
export function suffixOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Converts a time such as `30d` to seconds. */
export function secondsOf(time: string): number {
  return Number(time.slice(0, -1)) * (SECONDS[time.slice(-1)] ?? 0);
}

/** Returns the `Cache-Control` of a file; undefined if no rule matches. @param isPrivate whether it requires a password */
export function cacheControl(rules: readonly CacheRule[], path: string, isPrivate: boolean): string | undefined {
  const suffix = suffixOf(path);
  const rule = rules.find((candidate) => candidate.suffix.split(',').includes(suffix));
  return rule && `${isPrivate ? 'private' : 'public'}, max-age=${secondsOf(rule.time)}`;
}

/** Returns the host of a `Referer`; null if missing or invalid. */
export function refererHost(referer: string | undefined): string | null {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).hostname.toLowerCase().replace(/\.$/, '') : null;
}

/** Applies a hotlink rule to a request: allowed, refused, or allowed only if `host` is a name of the same site. */
export function hotlinkVerdict(
  rule: HotlinkRule,
  path: string,
  referer: string | undefined,
): 'fine' | 'refused' | { readonly host: string } {
  if (!rule.enabled || !rule.suffixes.includes(suffixOf(path))) return 'fine';
  if (referer === undefined || referer === '') return rule.allowEmpty ? 'fine' : 'refused';
  const host = refererHost(referer);
  if (host === null || host === '') return 'refused';
  const isAllowed = rule.domains.some((domain) => (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain));
  return isAllowed ? 'fine' : { host };
}

/** Returns whether a file may be sent compressed. @param type media type, with or without parameters */
export function mayCompress(rule: CompressionRule, type: string, bytes: number): boolean {
  return rule.enabled && bytes >= rule.minBytes && rule.types.includes(type.split(';', 1)[0]!.trim());
}

/** Returns whether an `Accept-Encoding` header allows gzip (RFC 9110 section 12.5.3). */
export function takesGzip(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const named = parts.find((part) => /^(?:x-)?gzip(?:;|$)/.test(part)) ?? parts.find((part) => part.startsWith('*'));
  return named !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(named);
}
