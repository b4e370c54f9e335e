import type { ItemTable } from './item-table.js';

/** Compares the items of an index, which holds still meanwhile, with those there should be. */
export class Census {
  private readonly seen: Uint8Array;

  constructor(
    private readonly table: ItemTable,
    private readonly slots: ReadonlyMap<number, number>,
  ) {
    this.seen = new Uint8Array(table.length);
  }

  /** Notes that an item should be there. @returns whether it is */
  meet(id: number): boolean {
    const slot = this.slots.get(id);
    if (slot === undefined) return false;
    this.seen[slot] = 1;
    return true;
  }

  /** The items nobody named. */
  unseen(): number[] {
    const ids: number[] = [];
    for (let slot = 0; slot < this.seen.length; slot += 1) if (this.table.alive[slot] === 1 && this.seen[slot] === 0) ids.push(this.table.id[slot]!);
    return ids;
  }
}
