import type { ServerResponse } from 'node:http';

import { pagesNear } from '../../common/index.js';
import { sendRedirect } from '../../http/index.js';

/**
 * What an address asks a list for. Addresses are typed, cut off and kept for years: what a filter does not know counts as if it were not
 * there, so that the list shows something instead of a rule.
 */

type Query = Readonly<Record<string, string>>;

/** Last page anybody may ask for. */
const LAST_PAGE = 1_000_000;
/** Pages that are named on each side of the present one. */
const NEAR = 2;

/** One of the values a filter has; undefined for any other. */
export function choiceOf<Choice extends string>(query: Query, name: string, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === query[name]);
}

/** A text, cut where it is longer than anybody looks for. */
export function textOf(query: Query, name: string, max: number): string | undefined {
  return (query[name] ?? '').trim().slice(0, max) || undefined;
}

/** A whole number from 1 on. */
export function numberOf(query: Query, name: string, max = 999_999_999): number | undefined {
  const value = Number(query[name]);
  return Number.isInteger(value) && value >= 1 && value <= max && /^\d+$/.test(query[name]!) ? value : undefined;
}

/** An amount of yuan as browsers take it, in the API's spelling: `1e1` is `10`. */
export function amountOf(query: Query, name: string, max: number): string | undefined {
  const given = (query[name] ?? '').trim();
  const value = Number(given);
  if (given === '' || !Number.isFinite(value) || value < 0 || value > max) return undefined;
  return /^\d+(?:\.\d{1,2})?$/.test(String(value)) ? String(value) : undefined;
}

/** Which page of a list. */
export const pageOf = (query: Query): number => numberOf(query, 'page', LAST_PAGE) ?? 1;

/** Links to the pages of a list. */
export interface Pager {
  readonly total: number;
  /** Null for none. */
  readonly previous: string | null;
  readonly next: string | null;
  readonly pages: readonly { readonly number: number; readonly href: string; readonly current: boolean }[];
}

/** A list in parts. */
interface Part {
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}

/** The number of the last page. */
const lastPageOf = ({ total, page_size: size }: Pick<Part, 'total' | 'page_size'>): number => Math.max(1, Math.ceil(total / size));

/** The address of a list: filters that ask for nothing are left out, and so is the first page. */
function addressOf(path: string, filters: Readonly<Record<string, string | number | undefined>>, page = 1): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') search.set(name, String(value));
  if (page > 1) search.set('page', String(page));
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * What the view of a list sees of its filters and pages. Behind the last page is the last page: there were more
 * once, or the address was typed.
 */
export function listPage(
  part: Part,
  path: string,
  wanted: Readonly<Record<string, string | number | undefined>>,
  res: ServerResponse,
): { readonly wanted: object; readonly pager: Pager } {
  const last = lastPageOf(part);
  if (part.page > last) sendRedirect(res, addressOf(path, wanted, last));
  return { wanted, pager: pagerOf(part, path, wanted) };
}

/** {@link Pager} of a part of a list. @param filters what is asked for besides */
function pagerOf(part: Part, path: string, filters: Readonly<Record<string, string | number | undefined>>): Pager {
  const { page, total } = part;
  const last = lastPageOf(part);
  const to = (n: number): string => addressOf(path, filters, n);
  return {
    total,
    previous: page > 1 ? to(page - 1) : null,
    next: page < last ? to(page + 1) : null,
    pages: pagesNear(page, last, NEAR).map((number) => ({ number, href: to(number), current: number === page })),
  };
}
