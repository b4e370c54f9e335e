import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { MaintenanceWindow } from '../entities/index.js';

import {
  CALM_MS,
  MAX_RECOVERIES,
  NEW_STANDING,
  enterMaintenance,
  step,
  type MonitorStatus,
  type StateRules,
  type Transition,
} from './monitor-states.js';
import { isOpen, isResting } from './windows.js';

const MINUTE = 60_000;
const rules = fc.record({
  failThreshold: fc.integer({ min: 1, max: 5 }),
  recoveryThreshold: fc.integer({ min: 1, max: 5 }),
  repeatEvery: fc.integer({ min: 0, max: 4 }),
});
const PLAIN: StateRules = { failThreshold: 1, recoveryThreshold: 1, repeatEvery: 0 };
/** A check's result, or a time in which nobody looked. */
const happenings = fc.array(fc.constantFrom<boolean | 'rest'>(true, false, 'rest'), { maxLength: 200 });

/** What is told, one check a minute. */
function run(
  results: readonly (boolean | 'rest')[],
  by: StateRules,
): { status: MonitorStatus; told: (Transition | null)[]; all: MonitorStatus[] } {
  let status = NEW_STANDING;
  const told: (Transition | null)[] = [];
  const all: MonitorStatus[] = [];
  results.forEach((result, minute) => {
    const now = new Date(minute * MINUTE);
    const { next, transition } =
      result === 'rest' ? { next: enterMaintenance(status, now), transition: null } : step(status, result, by, now);
    status = next;
    told.push(transition);
    all.push(next);
  });
  return { status, told, all };
}
const spoken = (told: readonly (Transition | null)[]): Transition[] => told.filter((transition) => transition !== null);

describe('notices of a monitor', () => {
  it('alternate between DOWN and UP for any sequence of results', () => {
    fc.assert(
      fc.property(happenings, rules, (results, by) => {
        const transitions = spoken(run(results, by).told).filter((transition) => transition !== 'still');
        transitions.forEach((transition, at) => expect(transition).toBe(at % 2 === 0 ? 'down' : 'up'));
      }),
    );
  });

  it('are DOWN exactly when the consecutive failures reach the threshold', () => {
    fc.assert(
      fc.property(happenings, rules, (results, by) => {
        const { told } = run(results, by);
        told.forEach((transition, at) => {
          if (transition !== 'down') return;
          const row = results.slice(0, at + 1).filter((result) => result !== 'rest');
          expect(row.slice(-by.failThreshold).every((result) => result === false)).toBe(true);
        });
        fc.pre(!results.includes('rest'));
        const first = results.findIndex(
          (_result, at) => at + 1 >= by.failThreshold && results.slice(at + 1 - by.failThreshold, at + 1).every((result) => !result),
        );
        expect(told.indexOf('down')).toBe(first);
      }),
    );
  });

  it('repeat only while the monitor is down, after the configured number of failures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), rules, (failures, by) => {
        const stills = spoken(run(Array<boolean>(failures).fill(false), by).told).filter((transition) => transition === 'still').length;
        const after = Math.max(0, failures - by.failThreshold);
        expect(stills).toBe(by.repeatEvery === 0 ? 0 : Math.floor(after / by.repeatEvery));
      }),
    );
  });

  it('are not sent during maintenance, and the earlier state counts afterwards', () => {
    fc.assert(
      fc.property(happenings, rules, (results, by) => {
        run(results, by).all.forEach((status, at) => {
          if (results[at] === 'rest') expect(status.state).toBe('maintenance');
          else expect(status.state).not.toBe('maintenance');
        });
      }),
    );
    expect(spoken(run([true, false, 'rest', 'rest', true], PLAIN).told)).toEqual(['down', 'up']);
    expect(spoken(run([true, 'rest', false, 'rest', true], { ...PLAIN, failThreshold: 2 }).told)).toEqual([]);
  });

  it('are limited for a flapping monitor', () => {
    const flapping = Array.from({ length: 600 }, (_value, at) => at % 2 === 0);
    expect(spoken(run(flapping, PLAIN).told)).toEqual(['down', 'up', 'down']);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (hour) => {
        // Within the hour each pair takes twice as long as the one before.
        expect(spoken(run(hour, PLAIN).told).length).toBeLessThanOrEqual(2 * Math.log2(MAX_RECOVERIES) + 6);
      }),
    );
  });

  it('forget flapping after an hour of uptime, and recovery is always reached', () => {
    const { status } = run(
      Array.from({ length: 40 }, (_value, at) => at % 2 === 0),
      PLAIN,
    );
    let now = 100 * MINUTE;
    let calm = status;
    for (let n = 0; n < MAX_RECOVERIES; n += 1) calm = step(calm, true, PLAIN, new Date((now += MINUTE))).next;
    expect(calm).toMatchObject({ state: 'up', notified: false });
    const later = step(calm, false, PLAIN, new Date(now + CALM_MS));
    expect(later.next.flips).toBe(1);
    expect(step(later.next, true, PLAIN, new Date(now + CALM_MS + MINUTE)).transition).toBe('up');
  });
});

describe('maintenance windows', () => {
  const at = (text: string): Date => new Date(`${text}Z`);
  const window = (more: Partial<MaintenanceWindow>): MaintenanceWindow =>
    ({
      id: 1,
      title: 'w',
      user: '',
      tag: '',
      repeats: 'once',
      startsAt: at('2027-01-04T02:00'),
      endsAt: at('2027-01-04T04:00'),
      ...more,
    }) as MaintenanceWindow;

  it('are active from start to before end and repeat as configured', () => {
    expect(isOpen(window({}), at('2027-01-04T02:00'))).toBe(true);
    expect(isOpen(window({}), at('2027-01-04T04:00'))).toBe(false);
    expect(isOpen(window({}), at('2027-01-04T01:59'))).toBe(false);
    expect(isOpen(window({}), at('2027-01-05T03:00'))).toBe(false);
    expect(isOpen(window({ repeats: 'daily' }), at('2027-01-05T03:00'))).toBe(true);
    expect(isOpen(window({ repeats: 'daily' }), at('2027-01-05T05:00'))).toBe(false);
    expect(isOpen(window({ repeats: 'weekly' }), at('2027-01-05T03:00'))).toBe(false);
    expect(isOpen(window({ repeats: 'weekly' }), at('2027-01-11T03:00'))).toBe(true);
    expect(isOpen(window({ repeats: 'weekly' }), at('2026-12-28T03:00'))).toBe(false);
  });

  it('apply to the monitors they name', () => {
    const now = at('2027-01-04T03:00');
    expect(isResting([window({ user: 'alice' })], { user: 'bob', tags: '' }, now)).toBe(false);
    expect(isResting([window({ user: 'alice' })], { user: 'alice', tags: '' }, now)).toBe(true);
    expect(isResting([window({ tag: 'shop' })], { user: 'bob', tags: 'cn,shop' }, now)).toBe(true);
    expect(isResting([window({ tag: 'sho' })], { user: 'bob', tags: 'cn,shop' }, now)).toBe(false);
  });
});
