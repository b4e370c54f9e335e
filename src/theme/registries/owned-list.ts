import type { Undo } from '../../common/index.js';

/** A record with its owner: `core` or a plugin's slug. */
export interface Owned<Record> {
  readonly owner: string;
  readonly record: Record;
}

/** Records in the order of registration, with their owners. */
export class OwnedList<Record> {
  private entries: readonly Owned<Record>[] = [];

  /** Adds a record; the returned function removes it. */
  add(record: Record, owner: string): Undo {
    const entry: Owned<Record> = { owner, record };
    this.entries = [...this.entries, entry];
    return () => {
      this.entries = this.entries.filter((other) => other !== entry);
    };
  }

  /** Returns a snapshot that does not change during iteration. */
  list(): readonly Owned<Record>[] {
    return this.entries;
  }
}

/** Position of records without an `order`. */
export const DEFAULT_ORDER = 50;

/** Sorts by `order` ascending; equal orders keep their positions. A non-numeric order, set by a listener, counts as 50. */
export function sortByOrder<Item extends { order?: unknown }>(items: readonly Item[]): Item[] {
  return items
    .map((item, at) => ({ item, at }))
    .sort((a, b) => orderOf(a.item) - orderOf(b.item) || a.at - b.at)
    .map(({ item }) => item);
}

function orderOf(item: { order?: unknown }): number {
  return typeof item.order === 'number' && Number.isFinite(item.order) ? item.order : DEFAULT_ORDER;
}

/** Lets the listeners of a by-reference hook modify a list: in place, or by returning another one. */
export type ApplyHook<Item> = (list: Item[]) => Promise<Item[] | void>;

/** Returns the list after the hook ran; a result that is no list is ignored. */
export async function afterHook<Item>(list: Item[], apply?: ApplyHook<Item>): Promise<Item[]> {
  const result = await apply?.(list);
  const items: unknown[] = Array.isArray(result) ? result : list;
  return items.filter((item): item is Item & object => typeof item === 'object' && item !== null) as Item[];
}
