import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SlotsById } from './slots-by-id.js';

describe('slots by id', () => {
  it('equal those of a map after any insertions, changes and deletions, also during iteration', () => {
    const id = fc.constantFrom<number[]>(1, 2, 255, 256, 257, 511, 512, 70_000, 4_294_967_295);
    const step = fc.record({ id, slot: fc.option(fc.integer({ min: 0, max: 3 })) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.array(id), (steps, gone) => {
        const [slots, map] = [new SlotsById(), new Map<number, number>()];
        const both = [slots, map];
        for (const { id: of, slot } of steps) {
          for (const one of both) {
            if (slot === null) one.delete(of);
            else one.set(of, slot);
          }
          expect([slots.size, slots.get(of)]).toEqual([map.size, map.get(of)]);
        }
        expect(new Map(slots.entries())).toEqual(map);
        for (const [of] of slots.entries()) if (gone.includes(of)) for (const one of both) one.delete(of);
        expect(new Map(slots.entries())).toEqual(map);
        expect(slots.get(300)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
