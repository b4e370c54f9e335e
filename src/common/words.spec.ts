import { describe, expect, it } from 'vitest';

import { PluginCallError } from './plugin-calls/index.js';
import { packWords, sayWords, unpackWords, wordsOf } from './words.js';

describe('words', () => {
  const late = new PluginCallError('PLUGIN_TIMEOUT', { plugin: 'shop', place: 'route', limit: 30 });

  it('of our own errors are stored as text keys and translated for the reader', () => {
    const kept = unpackWords(packWords(wordsOf(late), 500));
    expect([sayWords('en', kept), sayWords('zh-CN', kept)]).toEqual(['no response within 30 s', '30 秒内没有响应']);
  });

  it('of other errors stay unchanged, whatever they look like', () => {
    for (const text of ['boom', '', '{"key":', '{"key":1}', '{"a":2}'])
      expect(sayWords('zh-CN', unpackWords(packWords(wordsOf(new Error(text)), 500)))).toBe(text);
    expect(packWords(wordsOf('x'.repeat(600)), 500)).toHaveLength(500);
  });

  it('that do not fit are stored in English', () => {
    expect(unpackWords(packWords(wordsOf(late), 20))).toBe('no response within 3');
  });
});
