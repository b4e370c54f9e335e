import type { TextRef } from '../../common/index.js';

import { DeployError } from './deploy-errors.js';

/** Maximum number of fields in a form. */
export const MAX_FIELDS = 50;
/** Default and maximum length of an answer. */
const MAX_ANSWER = 1_000;
const MAX_OPTIONS = 50;
const VARIABLE = /^[A-Za-z0-9_]{1,40}$/;
/** Names that fields of a program's form cannot have, because the request itself uses them. */
export const RESERVED = ['gn', 'id', 'datas', 'qqh', '_csrf', 'csrf_token', '_token'];

/** Kinds of fields: text, one or several options, one of the site's domains. */
export const FIELD_KINDS = ['input', 'dxk', 'dxks', 'urlxz'] as const;

/** Properties of a kind of field, in the order pages show them. */
export function partsOfField(kind: (typeof FIELD_KINDS)[number]): readonly string[] {
  const common = ['ltaler', 'blx', 'bt'];
  if (kind === 'input') return [...common, 'isnr', 'cdxz', 'srlx'];
  return kind === 'urlxz' ? [...common, 'urlxml'] : [...common, 'isnr', 'xknr'];
}

/** A field of the form of a program. Names are those of the wire, spec ajax.md 14. */
export interface ProgramField {
  readonly cz: (typeof FIELD_KINDS)[number];
  /** Label. */
  readonly ltaler: string;
  /** Its variable: `[sf_<blx>]` in texts of the steps. */
  readonly blx: string;
  /** Initial value. */
  readonly isnr: string;
  readonly bt: '是' | '否';
  /** Maximum length of an answer, in characters. */
  readonly cdxz: number;
  /** `数字` for a number; any other value for text. */
  readonly srlx: string;
  /** Options, for `dxk` and `dxks`. */
  readonly xknr: readonly string[];
  /** For `urlxz`: only domains that serve the web root. */
  readonly urlxml: boolean;
}

const KNOWN: readonly string[] = ['cz', 'ltaler', 'blx', 'isnr', 'bt', 'cdxz', 'srlx', 'xknr', 'urlxml'];

/**
 * Parses the fields of a form: an array, or an object whose keys give their order.
 *
 * @throws DeployError FORM_UNREADABLE, FORM_FIELD with the number of the field and its problem
 */
export function readForm(given: unknown): ProgramField[] {
  const items = itemsOf(given);
  if (!items || items.length > MAX_FIELDS) throw new DeployError('FORM_UNREADABLE', { n: MAX_FIELDS }, { bdf: 'deploy.form_unreadable' });
  const names = new Set<string>();
  return items.map((item, index) => {
    const wrong = (key: string, params: Record<string, string | number> = {}): never => {
      const why: TextRef = { key: `deploy.field_${key}`, params };
      const n = index + 1;
      // Pages show errors at a row by its number.
      throw new DeployError('FORM_FIELD', { n, why }, { [`bdf.${n}`]: why, bdf: { key: 'deploy.form_field', params: { n, why } } });
    };
    const field = readField(item, wrong);
    const name = field.blx.toLowerCase();
    if (names.has(name)) wrong('twice', { name: field.blx });
    names.add(name);
    return field;
  });
}

type Wrong = (key: string, params?: Record<string, string | number>) => never;

function readField(item: unknown, wrong: Wrong): ProgramField {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return wrong('none');
  const values = item as Record<string, unknown>;
  const unknown = Object.keys(values).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) wrong('unknown', { name: unknown.slice(0, 40) });
  const text = (key: string): string => textOf(values[key]) ?? wrong('text', { name: key });
  const cz = FIELD_KINDS.find((kind) => kind === text('cz')) ?? wrong('kind', { name: text('cz').slice(0, 40) });
  const blx = text('blx').trim();
  if (!VARIABLE.test(blx) || RESERVED.includes(blx.toLowerCase())) wrong('variable', { name: blx.slice(0, 40) });
  const ltaler = text('ltaler').trim();
  if (ltaler === '' || ltaler.length > 200) wrong('label');
  const longest = text('cdxz').trim() === '' ? MAX_ANSWER : Number(text('cdxz'));
  if (!Number.isInteger(longest) || longest < 0 || longest > MAX_ANSWER) wrong('length', { n: MAX_ANSWER });
  const bt = text('bt').trim();
  if (!['', '是', '否', 'true', 'false'].includes(bt)) wrong('required', { name: bt.slice(0, 20) });
  const isnr = text('isnr');
  if (isnr.length > MAX_ANSWER) wrong('length', { n: MAX_ANSWER });
  return {
    cz,
    ltaler,
    blx,
    isnr,
    bt: bt === '是' || bt === 'true' ? '是' : '否',
    cdxz: longest === 0 ? MAX_ANSWER : longest,
    srlx: text('srlx').trim().slice(0, 20),
    xknr: optionsOf(values.xknr, cz, wrong),
    urlxml: ['true', '1', 'on', '是'].includes(text('urlxml').trim()),
  };
}

function optionsOf(given: unknown, kind: ProgramField['cz'], wrong: Wrong): string[] {
  const items = Array.isArray(given)
    ? given.map((item) => textOf(item) ?? '')
    : (textOf(given) ?? wrong('text', { name: 'xknr' })).split(/[\n,，|]/);
  const options = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
  const isChoice = kind === 'dxk' || kind === 'dxks';
  const isWrong = options.length > MAX_OPTIONS || options.some((option) => option.length > 100);
  if (isWrong || (isChoice && options.length === 0)) wrong('options', { n: MAX_OPTIONS });
  return isChoice ? options : [];
}

/**
 * Returns the items of an array, or of an object with numeric keys, in order; null for anything else. A string is parsed as JSON; an empty
 * one has no items.
 */
export function itemsOf(given: unknown): unknown[] | null {
  let value = given;
  if (typeof value === 'string') {
    if (value.trim() === '') return [];
    try {
      value = JSON.parse(value) as unknown;
    } catch {
      return null;
    }
  }
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value);
  if (entries.some(([key]) => !/^\d{1,6}$/.test(key))) return null;
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
}

/** Returns a text, number or boolean as text; empty for a missing value, undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
