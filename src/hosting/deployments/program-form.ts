import type { TextRef } from '../../common/index.js';

import { DeployError } from './deploy-errors.js';

/** Most fields of a form. */
export const MOST_FIELDS = 50;
/** Longest answer where the form says nothing, and at most. */
const LONGEST_ANSWER = 1_000;
const MOST_OPTIONS = 50;
const VARIABLE = /^[A-Za-z0-9_]{1,40}$/;
/** Names that fields of a program's form cannot have: the request itself uses them. */
export const RESERVED = ['gn', 'id', 'datas', 'qqh', '_csrf', 'csrf_token', '_token'];

/** What a field of a form can be: a text, one or several of some options, one of the site's domains. */
export const FIELD_KINDS = ['input', 'dxk', 'dxks', 'urlxz'] as const;

/** What a field of a kind has beside its kind, in the order pages show it. */
export function partsOfField(kind: (typeof FIELD_KINDS)[number]): readonly string[] {
  const common = ['ltaler', 'blx', 'bt'];
  if (kind === 'input') return [...common, 'isnr', 'cdxz', 'srlx'];
  return kind === 'urlxz' ? [...common, 'urlxml'] : [...common, 'isnr', 'xknr'];
}

/** A field of the form a program asks its user to fill in. Names are those of the wire, spec ajax.md 14. */
export interface ProgramField {
  readonly cz: (typeof FIELD_KINDS)[number];
  /** What it is called. */
  readonly ltaler: string;
  /** Its variable: `[sf_<blx>]` in texts of the steps. */
  readonly blx: string;
  /** What stands in it at first. */
  readonly isnr: string;
  readonly bt: '是' | '否';
  /** Longest answer, in characters. */
  readonly cdxz: number;
  /** `数字`: a number; anything else: a text. */
  readonly srlx: string;
  /** Of `dxk` and `dxks`. */
  readonly xknr: readonly string[];
  /** Of `urlxz`: only domains that show the web root. */
  readonly urlxml: boolean;
}

const KNOWN: readonly string[] = ['cz', 'ltaler', 'blx', 'isnr', 'bt', 'cdxz', 'srlx', 'xknr', 'urlxml'];

/**
 * The fields of a form as somebody sent them: an array, or an object whose keys say their order.
 *
 * @throws DeployError FORM_UNREADABLE, FORM_FIELD with the number of the field and what is wrong with it
 */
export function readForm(given: unknown): ProgramField[] {
  const items = itemsOf(given);
  if (!items || items.length > MOST_FIELDS) throw new DeployError('FORM_UNREADABLE', { n: MOST_FIELDS }, { bdf: 'deploy.form_unreadable' });
  const names = new Set<string>();
  return items.map((item, index) => {
    const wrong = (key: string, params: Record<string, string | number> = {}): never => {
      const why: TextRef = { key: `deploy.field_${key}`, params };
      const n = index + 1;
      // Rows of a page are told by their number.
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
  const longest = text('cdxz').trim() === '' ? LONGEST_ANSWER : Number(text('cdxz'));
  if (!Number.isInteger(longest) || longest < 0 || longest > LONGEST_ANSWER) wrong('length', { n: LONGEST_ANSWER });
  const bt = text('bt').trim();
  if (!['', '是', '否', 'true', 'false'].includes(bt)) wrong('required', { name: bt.slice(0, 20) });
  const isnr = text('isnr');
  if (isnr.length > LONGEST_ANSWER) wrong('length', { n: LONGEST_ANSWER });
  return {
    cz,
    ltaler,
    blx,
    isnr,
    bt: bt === '是' || bt === 'true' ? '是' : '否',
    cdxz: longest === 0 ? LONGEST_ANSWER : longest,
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
  const isWrong = options.length > MOST_OPTIONS || options.some((option) => option.length > 100);
  if (isWrong || (isChoice && options.length === 0)) wrong('options', { n: MOST_OPTIONS });
  return isChoice ? options : [];
}

/** What stands in a list, or under numbers, in their order; null for what is neither. Texts are read as JSON, empty ones as nothing. */
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

/** A text, a number or a switch as text; undefined for anything else. Nothing is an empty text. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
