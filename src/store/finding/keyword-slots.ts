import type { ItemTable } from './item-table.js';
import { GROUPS, type Group, type ItemTexts, type Part } from './item-texts.js';
import { SEPARATOR, unitsOf } from './text-store.js';

/** How well an item fits: the keyword is in its description, in its name or slug, is its name or slug. */
export const IN_TEXT = 1;
export const IN_NAME = 2;
export const EXACT = 3;

/** Slots whose texts have something, until the next change. */
export interface SlotSet {
  /** How many; null where only looking at every place tells. */
  readonly count: number | null;
  /** The slots themselves, in no order, where they are few. */
  readonly few: readonly number[] | null;
  /** Places to be looked at to find them all, roughly. */
  readonly places: number;
  has(slot: number): boolean;
}

/** The slots that fit a keyword, as of now, each set within the next one. */
export class KeywordSlots {
  readonly units: Uint16Array;
  readonly all: SlotSet;
  private lazyExact: SlotSet | null = null;
  private lazyHeads: SlotSet | null = null;

  /** @param keyword folded, not empty @param groups whose items are looked among: all, or one */
  constructor(
    private readonly table: ItemTable,
    private readonly texts: ItemTexts,
    keyword: string,
    private readonly groups: readonly Group[] = GROUPS,
  ) {
    const units = unitsOf(keyword);
    this.units = units;
    this.all = this.setOf('all', units, (slot) => texts.has(slot, units));
  }

  /** Whose name or slug is the keyword. */
  get exact(): SlotSet {
    const { texts, units } = this;
    return (this.lazyExact ??= this.setOf('heads', Uint16Array.of(SEPARATOR, ...units, SEPARATOR), (slot) => texts.hasExactly(slot, units)));
  }

  /** Whose name or slug has the keyword. */
  get heads(): SlotSet {
    const { texts, units } = this;
    return (this.lazyHeads ??= this.setOf('heads', units, (slot) => texts.hasInHead(slot, units)));
  }

  /** How well a slot fits that does. @param tellsNames whether {@link IN_NAME} is told from {@link IN_TEXT} */
  fitOf(slot: number, tellsNames: boolean): number {
    if (this.texts.hasExactly(slot, this.units)) return EXACT;
    return tellsNames && this.texts.hasInHead(slot, this.units) ? IN_NAME : IN_TEXT;
  }

  private setOf(part: Part, units: Uint16Array, has: (slot: number) => boolean): SlotSet {
    const [first, ...others] = this.groups.map((group) => this.setIn(group, part, units, has));
    return others.reduce((one, other) => ({ count: one.count === null || other.count === null ? null : one.count + other.count, few: one.few && other.few && [...one.few, ...other.few], places: one.places + other.places, has }), first!);
  }

  private setIn(group: Group, part: Part, units: Uint16Array, has: (slot: number) => boolean): SlotSet {
    const { texts } = this;
    const standing = texts.locate(part, units, group);
    const { trie, below } = standing;
    const owners = below && trie.ownersOf(below.node);
    if (below && owners !== null) return { count: below.whole ? owners + texts.owed(standing, has) : null, few: null, places: trie.placesOf(below.node), has };
    const { alive, type } = this.table;
    const slots = new Set<number>();
    texts.walk(standing, units)?.advance(Infinity, (place) => {
      const slot = texts.slotAt(place);
      if (alive[slot] === 1) slots.add(slot);
    });
    for (let slot = texts.firstPending; slot < texts.length; slot += 1) if (alive[slot] === 1 && type[slot] === group && has(slot)) slots.add(slot);
    return { count: slots.size, few: [...slots], places: slots.size, has };
  }
}
