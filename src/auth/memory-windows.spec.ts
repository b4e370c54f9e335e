import { describe, expect, it } from 'vitest';

import { MemoryWindows } from './memory-windows.js';

describe('MemoryWindows', () => {
  it('lets the limit through in a window, says how long to wait, and begins anew', () => {
    const windows = new MemoryWindows({ limit: 3, windowSeconds: 60 });
    expect([0, 0, 0].map((at) => windows.hit('one', at))).toEqual([0, 0, 0]);
    expect(windows.hit('one', 1_500)).toBe(59);
    expect(windows.hit('other', 1_500)).toBe(0);
    expect(windows.hit('one', 59_999)).toBe(1);
    expect(windows.hit('one', 60_000)).toBe(0);
  });

  it('remembers a bounded number of callers, those whose windows are youngest', () => {
    const windows = new MemoryWindows({ limit: 1, windowSeconds: 60 });
    for (let i = 0; i < 50_000; i += 1) windows.hit(`address ${i}`, i);
    expect(windows.size).toBeLessThanOrEqual(20_000);
    expect(windows.hit('address 49999', 50_000)).toBeGreaterThan(0);
    expect(windows.hit('address 0', 50_000)).toBe(0);
  });

  it('forgets all that have ended once there are many', () => {
    const windows = new MemoryWindows({ limit: 1, windowSeconds: 1 });
    for (let i = 0; i < 20_000; i += 1) windows.hit(`address ${i}`, 0);
    windows.hit('later', 5_000);
    expect(windows.size).toBe(1);
  });
});
