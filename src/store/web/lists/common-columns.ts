import type { ShownColumn } from '../../../web/index.js';

export type Choices = readonly (readonly [string, string])[];

export const TYPES = { plugin: ['blue', 'type.plugin'], theme: ['purple', 'type.theme'] } as const;
export const STATES = {
  pending: ['yellow', 'status.pending'],
  approved: ['green', 'status.approved'],
  rejected: ['red', 'status.rejected'],
  suspended: ['orange', 'status.suspended'],
  superseded: ['secondary', 'status.superseded'],
  active: ['green', 'status.active'],
  banned: ['red', 'status.banned'],
  open: ['yellow', 'status.open'],
  closed: ['secondary', 'status.closed'],
} as const;

export const TYPE: ShownColumn = { field: 'type', title: 'browse.type', kind: 'badge', badges: TYPES };
export const VERSION: ShownColumn = { field: 'version', title: 'field.version' };
export const DOWNLOADS: ShownColumn = { field: 'downloads', title: 'item.downloads', kind: 'number' };
export const TYPE_CHOICES: Choices = [
  ['plugin', 'type.plugin'],
  ['theme', 'type.theme'],
];
export const stateChoices = (...states: readonly (keyof typeof STATES)[]): Choices => states.map((state) => [state, STATES[state][1]]);

/** Badge texts for a set of values. */
export const wordsOf = (values: readonly string[], keys: string): NonNullable<ShownColumn['badges']> =>
  Object.fromEntries(values.map((value) => [value, ['secondary', `${keys}.${value}`]]));
