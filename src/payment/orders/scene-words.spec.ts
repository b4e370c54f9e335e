import { describe, expect, it } from 'vitest';

import { addOwnerTexts } from '../../common/index.js';
import '../texts.js';

import { sceneWords } from './scene-words.js';

describe('the scene of an order', () => {
  it('is translated for the reader', () => {
    expect(sceneWords('hosting', 'en')).toBe('New host');
    expect(sceneWords('yecz', 'zh-CN')).toBe('余额充值');
  });

  it("of a plugin uses the plugin's text while it is enabled", () => {
    const forget = addOwnerTexts('gifts', { en: { 'scene.gift': 'Gift card' } });
    expect(sceneWords('gift', 'en')).toBe('Gift card');
    forget();
    expect(sceneWords('gift', 'en')).toBe('gift');
    expect(sceneWords('constructor', 'en')).toBe('constructor');
  });
});
