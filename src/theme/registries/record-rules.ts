import { isIconName } from '../icons.js';
import type { Scope } from '../../sdk/index.js';

/** Format of a plugin's page name. */
export const PAGE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const MAX_TITLE = 100;

/** Returns the URL of a plugin's page. */
export function pageUrl(scope: Scope, slug: string, page: string): string {
  return `/${scope}/plugin.php?p=${encodeURIComponent(slug)}&page=${encodeURIComponent(page)}`;
}

/** Returns whether `url` is allowed in a link: a path of this site or an http(s) URL, never a script. */
export function isSafeUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > 2_000 || /[\u0000-\u0020\\]/.test(url)) return false;
  if (url.startsWith('/')) return !url.startsWith('//');
  if (/^https?:\/\/[^/]/i.test(url)) return URL.canParse(url);
  return /^[?#]/.test(url) || /^[\w.-]+(?:[/?#]|$)/.test(url);
}

/** @throws Error naming the owner and the rule */
export function requireScope(value: unknown, owner: string): asserts value is Scope {
  if (value !== 'admin' && value !== 'user')
    throw new Error(`${owner}: the scope must be "admin" or "user", not ${JSON.stringify(value)}.`);
}

/** @throws Error naming the owner and the rule */
export function requireTitle(title: unknown, what: string, owner: string): void {
  if (typeof title !== 'string' || title.trim() === '' || title.length > MAX_TITLE) {
    throw new Error(`${owner}: ${what} needs a title of 1 to ${MAX_TITLE} characters.`);
  }
}

/** @throws Error naming the owner and the rule */
export function requireOrder(order: unknown, what: string, owner: string): void {
  if (order !== undefined && (typeof order !== 'number' || !Number.isFinite(order)))
    throw new Error(`${owner}: the order of ${what} must be a number.`);
}

/** @throws Error naming the owner and the rule */
export function requireIcon(icon: unknown, what: string, owner: string): void {
  if (icon !== undefined && !isIconName(icon))
    throw new Error(`${owner}: the icon of ${what} must be a name such as "mdi-home", not ${JSON.stringify(icon)}.`);
}

/** @throws Error naming the owner and the rule */
export function requirePage(page: unknown, what: string, owner: string): void {
  if (page !== undefined && (typeof page !== 'string' || !PAGE_NAME.test(page))) {
    throw new Error(`${owner}: the page of ${what} must be 1 to 64 of A-Z a-z 0-9 _ -, not ${JSON.stringify(page)}.`);
  }
}

/** @throws Error naming the owner and the rule */
export function requireUrl(url: unknown, what: string, owner: string): void {
  if (url !== undefined && !isSafeUrl(url)) {
    throw new Error(`${owner}: the url of ${what} must be a path such as "/admin/" or an http(s) address, not ${JSON.stringify(url)}.`);
  }
}
