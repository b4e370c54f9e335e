import { hash } from 'node:crypto';

import type { ItemType } from '../entities/index.js';

import type { IndexedItem } from './item-query.js';
import type { Group } from './item-texts.js';
import { doubled } from './doubled.js';

/** Code of a type. */
const TYPES = { plugin: 0, theme: 1 } as const satisfies Readonly<Record<ItemType, Group>>;

/** Memory of a slot, its place in four orders included, roughly, in bytes. */
const SLOT_BYTES = 100;

/**
 * What an index knows of items beside their texts, one slot each, in arrays outside of the heap: hundreds of thousands of
 * objects would hold everybody up whenever garbage is collected.
 */
export class ItemTable {
  /** Slots ever used. */
  length = 0;
  /** Those of them whose items were taken out. */
  givenUp = 0;
  /** 1 while the item of a slot is in the index. */
  alive = new Uint8Array(1_024);
  id = new Uint32Array(1_024);
  type = new Uint8Array(1_024);
  category = new Uint32Array(1_024);
  authorId = new Uint32Array(1_024);
  price = new Float64Array(1_024);
  downloads = new Uint32Array(1_024);
  createdAt = new Float64Array(1_024);
  updatedAt = new Float64Array(1_024);
  private fingerprint = new Float64Array(1_024);
  private readonly categories = new Map<string, number>();

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.id.length * SLOT_BYTES;
  }

  /** Takes an item. @param fingerprint {@link fingerprintOf} its texts @returns its slot, higher than all before */
  add(item: IndexedItem, fingerprint: number): number {
    if (this.length === this.id.length) this.grow();
    const slot = this.length;
    this.alive[slot] = 1;
    this.id[slot] = item.id;
    this.fingerprint[slot] = fingerprint;
    this.change(slot, item);
    this.length += 1;
    return slot;
  }

  /** Takes an item out; its slot stays empty. */
  giveUp(slot: number): void {
    this.alive[slot] = 0;
    this.givenUp += 1;
  }

  /** Takes what is not text. */
  change(slot: number, item: IndexedItem): void {
    this.type[slot] = this.typeOf(item.type);
    this.category[slot] = this.codeOf(item.category);
    this.authorId[slot] = item.authorId;
    this.price[slot] = item.price;
    this.downloads[slot] = item.downloads;
    this.createdAt[slot] = item.createdAt;
    this.updatedAt[slot] = item.updatedAt;
  }

  /** The slots in use, in ascending order. */
  aliveSlots(): Uint32Array {
    const slots = new Uint32Array(this.length - this.givenUp);
    let taken = 0;
    for (let slot = 0; slot < this.length; slot += 1) if (this.alive[slot] === 1) slots[taken++] = slot;
    return slots;
  }

  /** Whether everything that is not text is as the item has it. */
  isSame(slot: number, item: IndexedItem): boolean {
    return (
      this.type[slot] === this.typeOf(item.type) && this.category[slot] === this.categoryOf(item.category) && this.authorId[slot] === item.authorId && this.price[slot] === item.price &&
      this.downloads[slot] === item.downloads && this.createdAt[slot] === item.createdAt && this.updatedAt[slot] === item.updatedAt
    );
  }

  hasFingerprint(slot: number, fingerprint: number): boolean {
    return this.fingerprint[slot] === fingerprint;
  }

  /** The code of the type of a slot: it always will be of that. */
  groupOf(slot: number): Group {
    return this.type[slot] as Group;
  }

  typeOf(type: ItemType): Group {
    return TYPES[type];
  }

  /** Code of a category; undefined where no item ever had it. */
  categoryOf(category: string): number | undefined {
    return this.categories.get(category);
  }

  private codeOf(category: string): number {
    let code = this.categories.get(category);
    if (code === undefined) this.categories.set(category, (code = this.categories.size));
    return code;
  }

  private grow(): void {
    this.alive = doubled(this.alive);
    this.id = doubled(this.id);
    this.type = doubled(this.type);
    this.category = doubled(this.category);
    this.authorId = doubled(this.authorId);
    this.price = doubled(this.price);
    this.downloads = doubled(this.downloads);
    this.createdAt = doubled(this.createdAt);
    this.updatedAt = doubled(this.updatedAt);
    this.fingerprint = doubled(this.fingerprint);
  }
}

/** A number two different texts do not share, as far as anybody can tell: 48 bits of their SHA-256. */
export function fingerprintOf({ name, slug, description }: IndexedItem): number {
  return Number.parseInt(hash('sha256', `${name}\u0000${slug}\u0000${description}`).slice(0, 12), 16);
}
