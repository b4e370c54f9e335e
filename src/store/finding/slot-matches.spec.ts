import { describe, expect, it } from 'vitest';

import { ItemTable } from './item-table.js';
import { ItemTexts } from './item-texts.js';
import { EXACT, IN_NAME, IN_TEXT } from './keyword-slots.js';
import { KeywordMatches } from './slot-matches.js';

/** Items whose only text is their description. */
class Items {
  readonly table = new ItemTable();
  readonly texts = new ItemTexts({ bucket: 3 });

  add(type: 'plugin' | 'theme', ...bodies: string[]): void {
    for (const body of bodies) {
      const slot = this.table.length;
      this.table.add({ id: slot + 1, type, slug: '', name: '', description: body, category: '', authorId: 1, price: 0, downloads: 0, createdAt: 0, updatedAt: 0 }, slot);
      this.texts.add({ name: '', slug: '', body }, this.table.typeOf(type));
    }
    this.texts.absorb(Infinity);
  }
}

describe('the matches of a keyword', () => {
  it.each([1, 2, Infinity])('are found though the buckets they are in are divided before their turn comes, %s at a time', (steps) => {
    const items = new Items();
    items.add('plugin', 'ab1', 'ab2', 'ab3', 'ab4', 'ab5');
    items.add('theme', 'ab6', 'xab7');
    const matches = new KeywordMatches(items.table, items.texts, 'ab');
    items.add('theme', 'aa', 'ac', 'ad', 'ae', 'ax', 'ay', 'ab8');
    items.add('plugin', 'ab1', 'abc', 'abd');
    while (!matches.advance(steps));
    matches.settle(1);
    expect([EXACT, IN_NAME, IN_TEXT].map((fit) => matches.count(fit))).toEqual([0, 0, 11]);
  });
});
