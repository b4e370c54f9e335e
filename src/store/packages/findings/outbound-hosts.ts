/** Hosts common in documentation and markup, to which nothing is sent. */
const HARMLESS = /(?:^|\.)(?:w3\.org|schema\.org|example\.(?:com|org|net)|localhost|json-schema\.org)$|^(?:127\.|0\.0\.0\.0)/;
const URL_PATTERN = /\b(?:https?|wss?|ftp):\/\/([a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?)(?=[:/?#'"`\s\\)<,;]|$)/gi;

/** Returns the hosts of URLs in `text`, lower case, with the position of their first occurrence. */
export function hostsIn(text: string): { host: string; index: number }[] {
  const found = new Map<string, number>();
  for (const match of text.matchAll(URL_PATTERN)) {
    const host = match[1]!.toLowerCase();
    if (!found.has(host) && host.includes('.') && !HARMLESS.test(host)) found.set(host, match.index);
  }
  return [...found].map(([host, index]) => ({ host, index }));
}
