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
    tabs: tabsOf(page, pages, path),
    section: page?.section ?? '',
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

function tabsOf(page: StorePageDeclaration | undefined, pages: readonly StorePageDeclaration[], path: string): FrameLink[] {
  if (!page?.section) return [];
  const tabs = pages
    .flatMap((other) => (other.section === page.section && other.tab ? [{ href: `/store/${other.path}`, ...other.tab }] : []))
    .sort((a, b) => a.order - b.order);
  const holding = tabs.map(({ href }) => href).filter((href) => href === path || (!href.endsWith('/') && path.startsWith(`${href}/`)));
  // Of `account` and `account/sessions` the closer one.
  const here = holding.sort((one, next) => next.length - one.length)[0];
  return tabs.map(({ href, text }) => ({ href, text, here: href === here, current: href === path }));
}
