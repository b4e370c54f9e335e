import { encodingOf, isUtf8 } from './encoding.js';
import { type KeywordMatcher } from './keyword-matcher.js';
import { type LineMatch, LineSearch } from './line-search.js';

/**
 * Searches the bytes of a file.
 *
 * @param parts returns the bytes from the start on each call; a chunk must not be modified later
 * @param limit maximum number of matches
 * @returns matches ordered by line
 */
export async function searchParts(
  matcher: KeywordMatcher,
  parts: () => AsyncIterable<Buffer> | Iterable<Buffer>,
  limit: number,
): Promise<LineMatch[]> {
  const matches: LineMatch[] = [];
  const seen = new Set();
  const found = (match: LineMatch) => {
    const key = `${match.line} ${match.keyword}`;
    if (!seen.has(key)) {
      seen.add(key);
      matches.push(match);
    }
    return matches.length < limit;
  };
  const pass = async (encoding: string, fatal: boolean) => {
    const search = new LineSearch(matcher, found);
    const decoder = new TextDecoder(encoding, { fatal });
    for await (const part of parts()) {
      search.push(decoder.decode(part, { stream: true }), false);
      if (search.stopped) return;
    }
    search.push(decoder.decode(), true);
  };

  let encoding = 'utf-8' as string;
  for await (const part of parts()) {
    encoding = encodingOf(part);
    break;
  }
  if (encoding !== 'utf-8') {
    await pass(encoding, false);
    return matches;
  }
  try {
    await pass('utf-8', true);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    matches.length = 0;
    seen.clear();
    await pass('gb18030', false);
    if (matches.length < limit) await pass('utf-8', false);
    matches.sort((a, b) => a.line - b.line);
  }
  return matches;
}

/** Searches a file in memory; the common case, synchronous for UTF-8. */
export function searchBytes(matcher: KeywordMatcher, bytes: Buffer, limit: number): Promise<LineMatch[]> | LineMatch[] {
  if (encodingOf(bytes) !== 'utf-8' || !isUtf8(bytes)) return searchParts(matcher, () => [bytes], limit);
  const matches: LineMatch[] = [];
  new LineSearch(matcher, (match) => matches.push(match) < limit).push(bytes.toString('utf8'), true);
  return matches;
}
