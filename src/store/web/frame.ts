import { localPath } from '../../common/index.js';
import { pathOf, queryOf } from '../../http/index.js';
import type { StoreCaller } from '../call/index.js';

import type { StorePageDeclaration } from './page-declaration.js';

/** Who reads a page, and where it is. */
interface Reader {
  readonly caller: StoreCaller | null;
  /** Path and query of the request. */
  readonly address: string;
}

interface FrameLink {
  readonly href: string;
  /** Key. */
  readonly text: string;
  /** Whether the page is below it, and whether it is the page. */
  readonly here: boolean;
  readonly current: boolean;
}

/** What stands around the content of a page: links, tabs, the account. @param pages of the store */
export function frameOf(
  page: StorePageDeclaration | undefined,
  pages: readonly StorePageDeclaration[],
  { caller, address }: Reader,
): object {
  // What is no page may be asked for as `//elsewhere.example/`; no link of a page leads there.
  const path = localPath(pathOf(address));
  return {
    links: linksOf(caller, path),
    ...tabsOf(page, pages, path),
    account: caller && { id: caller.id, username: caller.username, role: caller.role },
    address,
    path,
    // Where somebody goes on after signing in: here, but for the pages that everybody begins at.
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

/** The tabs of the part of the store a page belongs to, such as `review`, and the name of that part; empty where it has none. */
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
  // Of `account` and `account/sessions` the closer one.
  const here = holding.sort((one, next) => next.length - one.length)[0];
  return {
    section: tabs.length > 0 ? section : '',
    tabs: tabs.map(({ href, text }) => ({ href, text, here: href === here, current: href === path })),
  };
}
