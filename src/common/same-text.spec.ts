import { expect, it } from 'vitest';

import { sameText } from './same-text.js';

it('texts are the same or not, whatever their lengths', () => {
  expect(sameText('abc', 'abc')).toBe(true);
  for (const other of ['abd', 'ab', 'abcd', '']) expect(sameText(other, 'abc')).toBe(false);
});
