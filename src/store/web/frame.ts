import { localPath } from '../../common/index.js';
import { pathOf, queryOf } from '../../http/index.js';
import type { StoreCaller } from '../call/index.js';

import type { StorePageDeclaration } from './page-declaration.js';

/** The reader of a page and its address. */
interface Reader {
  readonly caller: StoreCaller | null;
  /** Path and query of the request. */
  readonly address: string;
}

interface FrameLink {
  readonly href: string;
  /** Text key. */
  readonly text: string;
  /** Whether the page is at or below the link, and whether it is exactly the page. */
  readonly here: boolean;
  readonly current: boolean;
}

/** View data of the page frame: links, tabs, account. @param pages all pages of the store */
export function frameOf(
  page: StorePageDeclaration | undefined,
  pages: readonly StorePageDeclaration[],
  { caller, address }: Reader,
): object {
  // A request path such as `//elsewhere.example/` must not become a link to another host.
  const path = localPath(pathOf(address));
  return {
    links: linksOf(caller, path),
    ...tabsOf(page, pages, path),
    account: caller && { id: caller.id, username: caller.username, role: caller.role },
    address,
    path,
    // Return address after sign-in: this page, except for the start and sign-in pages.
    next: /^\/store\/(login|register)?$/.test(path) ? '' : address,
    search: queryOf(address),
  };
}

function linksOf(caller: StoreCaller | null, path: string): FrameLink[] {
  const link = (href: string, text: string): FrameLink => ({
    href,
    text,
    here: href === '/store/' ? path === href : path.startsWith(href),
    current: path === href,
  });
  return [
    link('/store/', 'nav.browse'),
    ...(caller ? [link('/store/developer/', 'nav.own')] : []),
    ...(caller?.role === 'admin' ? [link('/store/review/', 'nav.review')] : []),
  ];
}

/** Tabs of the section a page belongs to, such as `review`, and the section's name; empty if it has none. */
function tabsOf(
  page: StorePageDeclaration | undefined,
  pages: readonly StorePageDeclaration[],
  path: string,
): { section: string; tabs: FrameLink[] } {
  const section = page?.path.split('/')[0] ?? '';
  const tabs = pages
    .filter((other) => other.menu && other.path.split('/')[0] === section)
    .sort((a, b) => a.menu!.order - b.menu!.order)
    .map((other) => ({ href: `/store/${other.path}`, text: other.menu!.title }));
  const holding = tabs.map(({ href }) => href).filter((href) => href === path || (!href.endsWith('/') && path.startsWith(`${href}/`)));
  // The longest match wins: `account/sessions` over `account`.
  const here = holding.sort((one, next) => next.length - one.length)[0];
  return {
    section: tabs.length > 0 ? section : '',
    tabs: tabs.map(({ href, text }) => ({ href, text, here: href === here, current: href === path })),
  };
}
