import { toFen, toYuan } from '../../common/index.js';
import type { StoreItem } from '../entities/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';
import { cleanHtml } from '../html/index.js';
import { hasInvisible } from '../packages/index.js';

/** Fields of an item that an edit request may change. */
export const EDIT_FIELDS = ['name', 'price', 'description', 'category', 'tags', 'homepage', 'main_image'] as const;
/** All fields that edit requests can change, including those with an endpoint of their own. */
export const EVERY_FIELD = [...EDIT_FIELDS, 'screenshots'] as const;
/** A field changed by edit requests. */
export type EditField = (typeof EVERY_FIELD)[number];

/** Returns whether `name` is a field that edit requests change. */
export const isEditField = (name: string): name is EditField => (EVERY_FIELD as readonly string[]).includes(name);

/** Maximum screenshots per item. */
export const MAX_SCREENSHOTS = 8;

/** Maximum bytes of a description: the size of its column. */
const MAX_DESCRIPTION_BYTES = 64_000;
const MAX_TAGS = 10;
const SCREENSHOT = /^\/uploads\/images\/[\w-]{1,60}\.(?:jpg|png|webp)$/;
const UPLOADED_IMAGE = /^\/uploads\/images\/[\w-]{1,60}\.(?:jpg|png|gif|webp)$/;

/** A field of an item: its validation, and its text form while a change is pending. */
export interface ItemField {
  /** Validates the value and returns its canonical text. @throws StoreError INVALID, HtmlRefusal */
  read(given: unknown): string;
  /** Returns the item's current value in the same form. */
  of(item: StoreItem): string;
  /** Returns the change to the item; validates the text again. */
  change(text: string): Partial<StoreItem>;
}

/** All fields by their API name. */
export const ITEM_FIELDS: Record<EditField, ItemField> = {
  name: plain('name', (given) => label(given, 100, 'NAME_INVALID') || refuse('NAME_REQUIRED')),
  price: {
    read: (given) => toYuan(readPrice(given), 2),
    of: (item) => toYuan(item.price, 2),
    change: (text) => ({ price: readPrice(text) }),
  },
  // Descriptions stored earlier may contain CRLF line ends.
  description: { ...plain('description', readDescription), of: ({ description }) => oneLineEnd(description) },
  category: plain('category', (given) => label(given, 40, 'CATEGORY_INVALID')),
  tags: {
    read: (given) => JSON.stringify(readTags(given)),
    of: (item) => JSON.stringify(item.tags),
    change: (text) => ({ tags: readTags(text) }),
  },
  homepage: plain('homepage', readHomepage),
  screenshots: {
    read: (given) => JSON.stringify(readScreenshots(given)),
    of: (item) => JSON.stringify(item.screenshots),
    change: (text) => ({ screenshots: readScreenshots(text) }),
  },
  main_image: plain('mainImage', (given) => {
    const path = line(given, 200, 'MAIN_IMAGE_INVALID');
    return path === '' || UPLOADED_IMAGE.test(path) ? path : refuse('MAIN_IMAGE_INVALID');
  }),
};

/** Validates the required panel version, such as `1.81` or `>=1.80 <2`. @throws StoreError INVALID */
export function readRequires(given: unknown): string {
  const text = line(given, 50, 'REQUIRES_INVALID');
  // Deployed front ends insert it unescaped: an angle bracket not followed by a number could start a tag.
  return /^[\w.<>=~^|*+ -]*$/.test(text) && !/[<>](?!=?\s*v?\d)/.test(text) ? text : refuse('REQUIRES_INVALID');
}

/** Validates a version string. @throws StoreError INVALID */
export function readVersion(given: unknown): string {
  const text = textOf(given).trim();
  if (text === '') return refuse('VERSION_REQUIRED');
  return /^[0-9A-Za-z.+_-]{1,32}$/.test(text) ? text : refuse('VERSION_INVALID');
}

function plain(property: 'name' | 'description' | 'category' | 'homepage' | 'mainImage', read: (given: unknown) => string): ItemField {
  return { read, of: (item) => item[property], change: (text) => ({ [property]: read(text) }) };
}

function textOf(given: unknown): string {
  if (given === undefined || given === null) return '';
  return typeof given === 'string' ? given : refuse('INVALID');
}

/** Validates a single line of visible characters. */
function line(given: unknown, length: number, problem: StoreErrorCode): string {
  const text = textOf(given).trim();
  return [...text].length > length || hasInvisible(text) ? refuse(problem) : text;
}

/** Validates a line that deployed front ends insert unescaped: no angle brackets. Source: store-details, 6. */
function label(given: unknown, length: number, problem: StoreErrorCode): string {
  const text = line(given, length, problem);
  return /[<>]/.test(text) ? refuse(problem) : text;
}

function readPrice(given: unknown): number {
  if (given === undefined || given === null || given === '') return 0;
  const fen = typeof given === 'string' || typeof given === 'number' ? toFen(given, 2) : null;
  return fen ?? refuse('PRICE_INVALID');
}

function readDescription(given: unknown): string {
  const clean = oneLineEnd(cleanHtml(textOf(given))).trim();
  if (clean === '') return refuse('DESCRIPTION_REQUIRED');
  return Buffer.byteLength(clean) > MAX_DESCRIPTION_BYTES ? refuse('DESCRIPTION_TOO_LONG') : clean;
}

/** Normalizes line ends to LF: multipart forms send CRLF for the same text. */
function oneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function readTags(given: unknown): string[] {
  const tags = [
    ...new Set(
      readList(given, 'TAGS_INVALID')
        .map((tag) => label(tag, 30, 'TAGS_INVALID'))
        .filter(Boolean),
    ),
  ];
  return tags.length > MAX_TAGS ? refuse('TAGS_INVALID') : tags;
}

/** Validates screenshot paths; keeps their order and removes duplicates. */
function readScreenshots(given: unknown): string[] {
  const paths = [...new Set(readList(given, 'SCREENSHOTS_INVALID'))];
  return paths.length > MAX_SCREENSHOTS || paths.some((path) => !SCREENSHOT.test(path)) ? refuse('SCREENSHOTS_INVALID') : paths;
}

/** Reads a list of texts, given as an array or as JSON. */
function readList(given: unknown, problem: StoreErrorCode): string[] {
  let value = given;
  if (typeof given === 'string') {
    if (given.trim() === '') return [];
    try {
      value = JSON.parse(given);
    } catch {
      return refuse(problem);
    }
  }
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : refuse(problem);
}

function readHomepage(given: unknown): string {
  const text = line(given, 500, 'HOMEPAGE_INVALID');
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && /^https?:\/\//i.test(text) && url.username === '' && url.password === '';
  return isWeb && !/[\s"'<>\\]/.test(text) ? text : refuse('HOMEPAGE_INVALID');
}

function refuse(code: StoreErrorCode): never {
  throw new StoreError(code);
}
