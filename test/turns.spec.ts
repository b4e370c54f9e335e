import { expect, it } from 'vitest';

import { databaseSpecs } from './support/database-specs.js';
import { LONG_SPECS } from './support/long-specs.js';
import { BROWSER_SPECS, SPECS } from './support/spec-files.js';
import { inTurn, resting, TURNS } from './support/turns.js';

const turns = Array.from({ length: TURNS }, (_, turn) => turn);
/** In which turns a spec runs. */
const turnsOf = (name: string, specs: readonly string[], later = 0): number[] =>
  turns.filter((turn) => !resting(specs, later, turn).includes(name));

it('each spec that waits for its turn has one, and only one; where everything runs, none waits', () => {
  for (const specs of [LONG_SPECS.filter((name) => SPECS.includes(name)), BROWSER_SPECS, databaseSpecs()]) {
    const rested = turns.map((turn) => new Set(resting(specs, 0, turn)));
    for (const name of specs.filter((one) => !process.env.CHANGED_SPECS?.split(' ').includes(one)))
      expect(
        rested.filter((waiting) => !waiting.has(name)),
        name,
      ).toHaveLength(1);
    expect(resting(specs, 0, NaN)).toEqual([]);
  }
});

it('a long spec that runs on both engines runs on them in two turns', () => {
  const specs = databaseSpecs();
  const both = LONG_SPECS.filter((name) => specs.includes(name) && !process.env.CHANGED_SPECS?.split(' ').includes(name));
  expect(both.length).toBeGreaterThan(20);
  for (const name of both) {
    const [onSqlite] = turnsOf(name, LONG_SPECS);
    expect(turnsOf(name, specs, 1), name).toEqual([(onSqlite! + 1) % TURNS]);
  }
});

it('parts of a list are in every fourth turn, and all of them where everything runs', () => {
  const list = Array.from({ length: 10 }, (_, at) => at);
  expect(turns.flatMap((turn) => inTurn(list, turn)).sort((a, b) => a - b)).toEqual(list);
  expect(inTurn(list, 1)).toEqual([1, 5, 9]);
  expect(inTurn(list, NaN)).toEqual(list);
});
