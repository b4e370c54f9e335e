import type { Type } from '@nestjs/common';

import type { PageBase } from '../../web/index.js';
import type { StoreRole } from '../entities/index.js';

/** Who may see a page: everybody, or signed-in users with at least this role. */
type Readers = { readonly open: true; readonly needs?: never } | { readonly open?: never; readonly needs: readonly [StoreRole] };

interface StorePageParts extends PageBase {
  readonly view: string;
  /** Position among the section's tabs, and the key of the tab's text. */
  readonly menu?: { readonly title: string; readonly order: number };
  /** Whether the page shows descriptions, which may contain external pictures. */
  readonly showsDescriptions?: boolean;
}

/** Declaration of a store page; `:id` (a number) and `:slug` are allowed in its path. */
export type StorePageDeclaration = StorePageParts & Readers;

/** Declaration of a form. */
export interface StoreFormDeclaration {
  /** Path after `/store/`, as for pages. */
  readonly path: string;
  /** Name of the page method in the same controller; that page is shown again on errors. */
  readonly page: string;
  /** Whether the handler reads the body itself because it contains a file. */
  readonly hasFile?: boolean;
}

/** A form with the input class of its endpoint; undefined if that has no input. */
export interface DeclaredStoreForm extends StoreFormDeclaration {
  readonly input: Type | undefined;
}

/** Injection tokens: all {@link StorePageDeclaration}s, and all {@link DeclaredStoreForm}s by path. */
export const STORE_PAGES = Symbol('pages of the store');
export const STORE_FORMS = Symbol('forms of the store');

/** Metadata keys of the declarations. */
export const STORE_PAGE_METADATA = 'store:page';
export const STORE_FORM_METADATA = 'store:form';

const PARAM_PATTERNS: Readonly<Record<string, string>> = { id: '[1-9]\\d{0,9}', slug: '[A-Za-z0-9_-]{1,63}' };

/** Route of a declared path. Nest strips a trailing slash, and routing is strict about it. */
export const routeOf = (path: string): string => `store/${path}`.replace(/\/$/, '{/}');

/** URL path of a page. @param params values of the path parameters */
export const addressOf = ({ path }: StorePageDeclaration, params: Readonly<Record<string, string>>): string =>
  `/store/${path.replace(/:(\w+)/g, (_, name: string) => params[name]!)}`;

/** Exact pattern of a declared path. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^/store/${path.replace(/:(\w+)/g, (_, name: string) => `(?:${PARAM_PATTERNS[name]!})`)}$`);
}
