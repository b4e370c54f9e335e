import { CORE_OWNER } from '../core-owner.js';

/** A place in a plugin's code, as reported by the watchdog. */
export interface PlaceName {
  readonly owner: string;
  readonly place: string;
}

/** Places that have a number: one list per process, because all its panels share the thread and its watchdog. */
const names: PlaceName[] = [];
const numbers = new Map<string, number>();
const listeners = new Set<(number: number, name: PlaceName) => void>();
/** Further places get no number; a stall there is reported without a name. */
const MAX_NUMBERS = 100_000;

/** Returns the number of a place, always the same, from 1; 0 for the panel's own code. */
export function placeNumber(owner: string, place: string): number {
  if (owner === CORE_OWNER) return 0;
  const key = `${owner}\n${place}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  if (names.length >= MAX_NUMBERS) return 0;
  const name = { owner, place };
  const number = names.push(name);
  numbers.set(key, number);
  for (const listener of listeners) listener(number, name);
  return number;
}

/** Returns the place of a number. */
export function placeOfNumber(number: number): PlaceName | undefined {
  return names[number - 1];
}

/** Calls `listener` for every numbered place and for each new one, until the returned function is called. */
export function followPlaces(listener: (number: number, name: PlaceName) => void): () => void {
  names.forEach((name, index) => listener(index + 1, name));
  listeners.add(listener);
  return () => listeners.delete(listener);
}
