import type { Type } from '@nestjs/common';

import type { PageBase } from '../../web/index.js';
import type { StoreRole } from '../entities/index.js';

/** Who may see a page: everybody, or who is signed in with a role at least. */
type Readers = { readonly open: true; readonly needs?: never } | { readonly open?: never; readonly needs: readonly [StoreRole] };

interface StorePageParts extends PageBase {
  readonly view: string;
  /** Its place among the tabs of the pages that begin with the same part of the path, and the key of its text there. */
  readonly menu?: { readonly title: string; readonly order: number };
  /** Whether descriptions are shown on it, which may have pictures from elsewhere. */
  readonly showsDescriptions?: boolean;
}

/** A page of the store: what every page says of itself, with `:id` (a number) and `:slug` in its path. */
export type StorePageDeclaration = StorePageParts & Readers;

/** A form of a page. */
export interface StoreFormDeclaration {
  /** Behind `/store/`, as of a page. */
  readonly path: string;
  /** Name of the method, of the same controller, that is the page the form is on: it is shown again where something is wrong. */
  readonly page: string;
  /** Whether the handler reads the body itself: it has a file. */
  readonly hasFile?: boolean;
}

/** A form with the class of what its endpoint reads; undefined where that reads nothing. */
export interface DeclaredStoreForm extends StoreFormDeclaration {
  readonly input: Type | undefined;
}

/** Token of every {@link StorePageDeclaration} there is, and of every {@link DeclaredStoreForm} by its path. */
export const STORE_PAGES = Symbol('pages of the store');
export const STORE_FORMS = Symbol('forms of the store');

/** Metadata keys of what is declared. */
export const STORE_PAGE_METADATA = 'store:page';
export const STORE_FORM_METADATA = 'store:form';

const PLACES: Readonly<Record<string, string>> = { id: '[1-9]\\d{0,9}', slug: '[A-Za-z0-9_-]{1,63}' };

/** The route of a declared path. Nest cuts a slash at an end off, and routes are strict about it. */
export const routeOf = (path: string): string => `store/${path}`.replace(/\/$/, '{/}');

/** Address of a page. @param params values for the places of its path */
export const addressOf = ({ path }: StorePageDeclaration, params: Readonly<Record<string, string>>): string =>
  `/store/${path.replace(/:(\w+)/g, (_, name: string) => params[name]!)}`;

/** Pattern of the addresses of a declared path, to the letter. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^/store/${path.replace(/:(\w+)/g, (_, name: string) => `(?:${PLACES[name]!})`)}$`);
}
