import { expect, it } from 'vitest';

import { databaseSpecs } from './support/database-specs.js';
import { LONG_SPECS } from './support/long-specs.js';
import { BROWSER_SPECS, SPECS } from './support/spec-files.js';
import { inTurn, resting, restingOnServer, TURNS } from './support/turns.js';

const turns = Array.from({ length: TURNS }, (_, turn) => turn);
const none = new Set<string>();

it('each spec that runs in turns has exactly one turn; when everything runs, none waits', () => {
  for (const specs of [LONG_SPECS.filter((name) => SPECS.includes(name)), BROWSER_SPECS, databaseSpecs()]) {
    for (const waiting of [turns.map((turn) => resting(specs, turn, none)), turns.map((turn) => restingOnServer(specs, turn))])
      expect(waiting.flat().sort()).toEqual(specs.flatMap((name) => Array<string>(TURNS - 1).fill(name)).sort());
    expect([resting(specs, NaN, none), restingOnServer(specs, NaN)]).toEqual([[], []]);
  }
});

it('a long spec that runs on both engines has a turn for each', () => {
  const both = LONG_SPECS.filter((name) => databaseSpecs().includes(name));
  expect(both.length).toBeGreaterThan(10);
  for (const turn of turns) {
    const there = both.filter((name) => !resting(LONG_SPECS, turn, none).includes(name));
    expect(restingOnServer(databaseSpecs(), turn)).toEqual(expect.arrayContaining(there));
  }
});

it('a changed spec does not wait for a turn', () => {
  const [name] = resting(LONG_SPECS, 2, none);
  expect(resting(LONG_SPECS, 2, new Set([name!]))).toEqual(resting(LONG_SPECS, 2, none).slice(1));
});

it('parts of a list are in every eighth turn, and all of them when everything runs', () => {
  const list = Array.from({ length: 18 }, (_, at) => at);
  expect(turns.flatMap((turn) => inTurn(list, turn)).sort((a, b) => a - b)).toEqual(list);
  expect([inTurn(list, 1), inTurn(list, 17)]).toEqual([
    [1, 9, 17],
    [1, 9, 17],
  ]);
  expect(inTurn(list, NaN)).toEqual(list);
});
