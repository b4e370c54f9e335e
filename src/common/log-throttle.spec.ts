import { describe, expect, it } from 'vitest';

import { LogThrottle } from './log-throttle.js';

function throttle(): { log: LogThrottle; told: string[]; clock: { now: number } } {
  const told: string[] = [];
  const clock = { now: 1_000_000 };
  return {
    log: new LogThrottle(
      (owner, dropped) => told.push(`${owner} ${dropped}`),
      () => clock.now,
    ),
    told,
    clock,
  };
}

describe('LogThrottle', () => {
  it('passes a hundred lines per ten seconds, then reports how many were dropped', () => {
    const { log, told, clock } = throttle();
    const admitted = Array.from({ length: 250 }, () => log.admits('noisy', 100)).filter(Boolean);
    expect(admitted).toHaveLength(100);
    expect(log.admits('calm', 100)).toBe(true);
    expect(told).toEqual([]);
    clock.now += 10_000;
    expect(log.admits('noisy', 100)).toBe(true);
    expect(told).toEqual(['noisy 150']);
    expect(log.volume('noisy')).toEqual({ lines: 101, bytes: 10_100, dropped: 150 });
    expect(log.volume('unknown')).toEqual({ lines: 0, bytes: 0, dropped: 0 });
  });

  it('counts bytes as well as lines', () => {
    const { log } = throttle();
    expect([log.admits('large', 200_000), log.admits('large', 200_000)]).toEqual([true, false]);
  });
});
