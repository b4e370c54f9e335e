import fc from 'fast-check';
import { expect, it } from 'vitest';

import { type Candidate, chooseServer, hasRoom } from './placement-rule.js';

const server = (id: number, hosts: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  code: `s${id}`,
  hosts,
  capacity: 0,
  weight: 100,
  ...more,
});

it('chooses by each rule, and the older server on a tie', () => {
  const servers = [server(1, 4, { capacity: 10 }), server(2, 3, { capacity: 4 }), server(3, 4, { capacity: 6, weight: 900 })];
  expect(chooseServer('least', servers)?.id).toBe(2);
  expect(chooseServer('fill', servers)?.id).toBe(1);
  expect(chooseServer('weight', servers)?.id).toBe(3);
  expect(chooseServer('capacity', servers)?.id).toBe(1);
  expect(chooseServer('capacity', [...servers, server(4, 900)])?.id).toBe(4);
  expect(chooseServer('least', [server(2, 0), server(1, 0)])?.id).toBe(1);
  expect(chooseServer('fill', [server(1, 2, { capacity: 2 }), server(2, 0)])?.id).toBe(2);
  expect(chooseServer('least', [server(1, 2, { capacity: 2 })])).toBeNull();
});

it('distributes hosts in proportion to the weights', () => {
  const hosts = new Map([
    [1, 0],
    [2, 0],
  ]);
  const weights = [100, 200];
  for (let round = 0; round < 300; round += 1) {
    const chosen = chooseServer(
      'weight',
      [...hosts].map(([id, n]) => server(id, n, { weight: weights[id - 1]! })),
    )!;
    hosts.set(chosen.id, chosen.hosts + 1);
  }
  expect([...hosts.values()]).toEqual([100, 200]);
});

it('never exceeds a capacity, and places hosts while there is capacity', () => {
  const candidate = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    code: fc.constant('s'),
    hosts: fc.integer({ min: 0, max: 5 }),
    capacity: fc.integer({ min: 0, max: 5 }),
    weight: fc.integer({ min: 1, max: 1_000 }),
  });
  fc.assert(
    fc.property(fc.constantFrom('least', 'fill', 'weight', 'capacity'), fc.array(candidate), (rule, candidates) => {
      const chosen = chooseServer(rule, candidates);
      expect(chosen !== null).toBe(candidates.some(hasRoom));
      if (chosen) expect(hasRoom(chosen)).toBe(true);
    }),
  );
});
