import { expect, it } from 'vitest';

import { sameText } from './same-text.js';

it('compares texts of any lengths', () => {
  expect(sameText('abc', 'abc')).toBe(true);
  for (const other of ['abd', 'ab', 'abcd', '']) expect(sameText(other, 'abc')).toBe(false);
});
