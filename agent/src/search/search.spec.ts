import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clip } from '../text.js';
import { KeywordMatcher } from './keyword-matcher.js';
import { searchBytes, searchParts } from './search-bytes.js';

/** GB 18030 bytes of 赌博 and 彩票, which Node can read but not write. */
const GBK = { 赌博: Buffer.from('b6c4b2a9', 'hex'), 彩票: Buffer.from('b2cac6b1', 'hex') };

const found = (text: string, words: string[]): [string, number][] => {
  const hits: [string, number][] = [];
  new KeywordMatcher(words).search(text, 0, text.length, 0, (word, end) => hits.push([words[word]!, end]) > 0);
  return hits;
};

const inBytes = (bytes: Buffer, words: string[], limit = 1_000) => Promise.resolve(searchBytes(new KeywordMatcher(words), bytes, limit));

/** The same bytes, cut into parts of the given size. */
const inParts = (bytes: Buffer, words: string[], size: number, limit = 1_000) =>
  searchParts(
    new KeywordMatcher(words),
    function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
    limit,
  );

const inText = async (text: string, words: string[]) => inBytes(Buffer.from(text), words);

describe('KeywordMatcher', () => {
  it('finds overlapping and nested keywords at their end positions', () => {
    expect(found('ushers', ['he', 'she', 'his', 'hers'])).toEqual([
      ['she', 4],
      ['he', 4],
      ['hers', 6],
    ]);
    expect(found('赌博网赌', ['赌博', '赌博网', '博网'])).toEqual([
      ['赌博', 2],
      ['赌博网', 3],
      ['博网', 3],
    ]);
  });

  it('ignores case, including non-ASCII letters', () => {
    expect(found('CaSiNo КАЗИНО ÉTÉ', ['casino', 'казино', 'été']).map(([word]) => word)).toEqual(['casino', 'казино', 'été']);
    expect(found('casino', ['CASINO'])).toHaveLength(1);
  });

  it('finds the same as searching keyword by keyword, for any keywords', () => {
    const unit = fc.constantFrom('a', 'b', 'A', '赌', '博', '😀');
    const word = fc.array(unit, { minLength: 1, maxLength: 5 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(unit, { maxLength: 60 }), (words, units) => {
        const text = units.join('');
        const lower = text.toLowerCase();
        const distinct = [...new Map(words.map((entry) => [entry.toLowerCase(), entry])).values()];
        const expected = new Set<string>();
        for (const entry of distinct) {
          for (let at = lower.indexOf(entry.toLowerCase()); at !== -1; at = lower.indexOf(entry.toLowerCase(), at + 1))
            expected.add(`${entry} ${at + entry.length}`);
        }
        expect(new Set(found(text, distinct).map(([entry, end]) => `${entry} ${end}`))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('supports thousands of keywords', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `词${i.toString(36)}${(i * 7919).toString(36)}尾`);
    const text = words.join('|');
    expect(new Set(found(text, words).map(([word]) => word)).size).toBe(words.length);
  });
});

describe('searching a file', () => {
  it('returns line number, keyword and excerpt', async () => {
    const matches = await inText('<?php\n$a = 1;\n  echo "在线赌博平台";\n', ['赌博']);
    expect(matches).toEqual([{ line: 3, keyword: '赌博', excerpt: 'echo "在线赌博平台";' }]);
  });

  it('counts Windows and Unix lines alike and reports a keyword once per line', async () => {
    const matches = await inText('bad bad\r\n\r\nBAD\nx\r\nbad', ['bad']);
    expect(matches.map(({ line }) => line)).toEqual([1, 3, 5]);
    expect(matches[1]!.excerpt).toBe('BAD');
  });

  it('clips the excerpt of a long line around the keyword', async () => {
    const [match] = await inText(`${'a'.repeat(100_000)}KEYWORD${'b'.repeat(100_000)}`, ['keyword']);
    expect(match!.excerpt).toHaveLength(200);
    expect(match!.excerpt.indexOf('KEYWORD')).toBeGreaterThan(80);
    const [atEnd] = await inText(`${'a'.repeat(1_000)}KEYWORD`, ['keyword']);
    expect(atEnd!.excerpt).toHaveLength(200);
    expect(atEnd!.excerpt.endsWith('KEYWORD')).toBe(true);
  });

  it('never splits a code point', async () => {
    for (const word of ['b', 'ba', 'bad', 'badd', 'baddd']) {
      const [match] = await inText(`${'😀'.repeat(200)}${word}${'😀'.repeat(200)}`, [word]);
      expect(match!.excerpt.length).toBeLessThanOrEqual(200);
      expect(match!.excerpt).toMatch(/^(?:😀)+bad*(?:😀)+$|^(?:😀)+b(?:😀)+$/u);
    }
    expect(clip('a😀b', 2)).toBe('a');
    expect(clip('a😀b', 3)).toBe('a😀');
  });

  it('removes control characters from excerpts', async () => {
    const [match] = await inText('a\t\u001b[31mbad\u0000\u0007\u2028 b', ['bad']);
    expect(match!.excerpt).toBe('a [31mbad  b');
  });

  it('stops at the limit', async () => {
    expect(await inBytes(Buffer.from('bad\n'.repeat(100)), ['bad'], 7)).toHaveLength(7);
    expect(await inParts(Buffer.from('bad\n'.repeat(100)), ['bad'], 11, 7)).toHaveLength(7);
  });

  it('scans a line with a million hits once', async () => {
    expect(await inBytes(Buffer.alloc(1024 * 1024, 'a'), ['a', 'aa'])).toHaveLength(2);
  });

  describe('encodings', () => {
    const page = (word: Buffer): Buffer => Buffer.concat([Buffer.from('<html>\n<p>'), word, Buffer.from('</p>\n')]);
    const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

    it.each([
      ['GBK', page(GBK.赌博)],
      ['UTF-8', page(Buffer.from('赌博'))],
      ['UTF-8 with mark', Buffer.concat([Buffer.from('\uFEFF'), page(Buffer.from('赌博'))])],
      ['UTF-16 LE with mark', Buffer.from('\uFEFF<html>\n<p>赌博</p>\n', 'utf16le')],
      ['UTF-16 BE with mark', utf16be('\uFEFF<html>\n<p>赌博</p>\n')],
      ['UTF-16 LE without mark', Buffer.from('<html>\n<p>赌博</p>\n', 'utf16le')],
      ['UTF-16 BE without mark', utf16be('<html>\n<p>赌博</p>\n')],
    ])('reads %s', async (_name, bytes) => {
      const expected = [{ line: 2, keyword: '赌博', excerpt: '<p>赌博</p>' }];
      expect(await inBytes(bytes, ['赌博', '彩票'])).toEqual(expected);
      expect(await inParts(bytes, ['赌博', '彩票'], 31)).toEqual(expected);
    });

    it('detects GBK and UTF-8 per line in a mixed file', async () => {
      const bytes = Buffer.concat([GBK.彩票, Buffer.from('\n赌博\n'), GBK.彩票, Buffer.from('\nbad')]);
      const matches = await inBytes(bytes, ['赌博', '彩票', 'bad']);
      expect(matches.map(({ line, keyword }) => [line, keyword])).toEqual([
        [1, '彩票'],
        [2, '赌博'],
        [3, '彩票'],
        [4, 'bad'],
      ]);
    });

    it('detects GBK that starts late in a large file', async () => {
      const bytes = Buffer.concat([Buffer.from(`${'x'.repeat(60)}\n`.repeat(50)), GBK.赌博]);
      expect((await inParts(bytes, ['赌博'], 256)).map(({ line }) => line)).toEqual([51]);
    });
  });

  it('finds the same in one piece and in parts of any size', async () => {
    const unit = fc.constantFrom('赌', '博', 'a', 'B', '\n', '\r\n', '😀', ' ');
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 400, maxLength: 900, size: 'max' }),
        fc.integer({ min: 1, max: 300 }),
        async (units, size) => {
          const bytes = Buffer.from(units.join(''));
          const words = ['赌博', '博a', 'ab', 'a b', '😀'];
          expect(await inParts(bytes, words, size, 5_000)).toEqual(await inBytes(bytes, words, 5_000));
        },
      ),
      { numRuns: 100 },
    );
  });
});
