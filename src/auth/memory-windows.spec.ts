import { describe, expect, it } from 'vitest';

import { MemoryWindows } from './memory-windows.js';

describe('MemoryWindows', () => {
  it('allows the limit per window, returns how long to wait, and starts a new window', () => {
    const windows = new MemoryWindows({ limit: 3, windowSeconds: 60 });
    expect([0, 0, 0].map((at) => windows.hit('one', at))).toEqual([0, 0, 0]);
    expect(windows.hit('one', 1_500)).toBe(59);
    expect(windows.hit('other', 1_500)).toBe(0);
    expect(windows.hit('one', 59_999)).toBe(1);
    expect(windows.hit('one', 60_000)).toBe(0);
  });

  it('remembers a limited number of callers, those with the newest windows', () => {
    const windows = new MemoryWindows({ limit: 1, windowSeconds: 60 });
    for (let i = 0; i < 50_000; i += 1) windows.hit(`address ${i}`, i);
    expect(windows.hit('address 49999', 50_000)).toBeGreaterThan(0);
    // From the youngest to the oldest: one that is not remembered takes the place of the oldest that is, which has been asked about.
    const waits = Array.from({ length: 50_000 }, (_value, at) => windows.hit(`address ${49_999 - at}`, 50_000));
    expect(waits.filter((seconds) => seconds > 0).length).toBeLessThanOrEqual(20_000);
    expect(waits.at(-1)).toBe(0);
  });

  it('removes ended windows once there are many', () => {
    const windows = new MemoryWindows({ limit: 1, windowSeconds: 1 });
    for (let i = 0; i < 20_000; i += 1) windows.hit(`address ${i}`, 0);
    windows.hit('later', 5_000);
    expect(windows.hit('later', 5_000)).toBeGreaterThan(0);
    // At a time when they would all be open.
    const waits = Array.from({ length: 20_000 }, (_value, i) => windows.hit(`address ${i}`, 500));
    expect(waits.filter((seconds) => seconds > 0)).toEqual([]);
  });
});
