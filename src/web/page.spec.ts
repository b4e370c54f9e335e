import { expect, it } from 'vitest';

import { Page } from './page.js';

it.each(['/team', 'team/', '/', 'a//b', 'Team', 'team?id=1'])('a page at "%s" is rejected where it is declared', (path) => {
  expect(() => Page({ side: 'admin', path, title: 'access.menu.team' })).toThrow(`The path of the page "${path}" must be like "hosts"`);
});

it.each(['', 'team', 'team/members'])('a page at "%s" is accepted', (path) => {
  expect(() => Page({ side: 'admin', path, title: 'access.menu.team' })).not.toThrow();
});
