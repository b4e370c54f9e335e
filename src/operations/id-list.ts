import { MAX_ID } from '../database/index.js';

/** Maximum ids per call. */
export const MAX_IDS = 500;

/** The submitted ids without duplicates, and the invalid entries. */
export interface IdList {
  readonly ids: readonly number[];
  readonly invalid: readonly string[];
}

/** Reads `idsz` of operations on many rows: a JSON array (`idsz[]=1&idsz[]=2` arrives so) or a text like `1,2,3,`. */
export function readIdList(text: string): IdList {
  const items = [...new Set(itemsOf(text).map(textOf))].filter((item) => item !== '');
  const isId = (item: string): boolean => /^\d{1,10}$/.test(item) && Number(item) > 0 && Number(item) <= MAX_ID;
  return {
    ids: [...new Set(items.filter(isId).map(Number))],
    invalid: items.filter((item) => !isId(item)).map((item) => item.slice(0, 20)),
  };
}

function itemsOf(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed !== null && typeof parsed === 'object') return Object.values(parsed);
  } catch {
    // A comma-separated list is not JSON.
  }
  return text.split(/[\s,，]+/);
}

/** Nested values as JSON: an object may carry a `toString` that is not a function. */
function textOf(item: unknown): string {
  return (typeof item === 'object' ? JSON.stringify(item) : String(item)).trim();
}
