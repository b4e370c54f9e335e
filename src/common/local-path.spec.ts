import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { localPath } from './local-path.js';

const SITE = 'http://panel.test';

describe('localPath', () => {
  it.each([
    ['/user/hosts?page=2', '/user/hosts?page=2'],
    ['/', '/'],
    ['//evil.test/', '/evil.test/'],
    ['/\\evil.test/', '/evil.test/'],
    ['///evil.test/', '/evil.test/'],
    ['/\t/evil.test/', '/evil.test/'],
    ['http://evil.test/', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('%j leads to %j', (target, expected) => expect(localPath(target)).toBe(expected));

  it('never leaves the site, whatever it is given', () => {
    const piece = fc.constantFrom('/', '\\', '\t', '\n', ' ', '\u0000', '@', ':', '.', '..', '%2f', '?', '#', 'evil.test', 'http:', 'a');
    const target = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(piece, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
    );
    fc.assert(
      fc.property(target, (text) => new URL(localPath(text), SITE).origin === SITE),
      { numRuns: 2_000 },
    );
  });

  it('leaves every address of this site as it is', () => {
    fc.assert(fc.property(fc.webPath(), (path) => path.startsWith('//') || path === '' || localPath(path) === path));
  });
});
