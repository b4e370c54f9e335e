import type { Refusal } from '../http/index.js';

import type { StoreRoute } from './store-routes.js';

/**
 * The refusals of an endpoint: those that its access, its path and what it reads bring with them, and those it names itself.
 * test/store/description.spec.ts sees each of them happen.
 */
export function refusalsOf({ method, path, access, description, body, query }: StoreRoute): Refusal[] {
  const found = new Set<number>(description?.refuses ?? []);
  const add = (applies: boolean, ...statuses: Refusal[]): void => statuses.forEach((status) => applies && found.add(status));
  const isOpen = access?.level === 'public';
  const takesBody = Boolean(body ?? description?.body ?? description?.multipart);
  add(!isOpen, 401);
  // Another role, a token without the scope; whatever changes something, also the page of another site.
  add(!isOpen || method !== 'GET', 403);
  add(takesBody || Boolean(query) || /:(id|\w+_id)\b/.test(path), 400);
  add(takesBody, 413);
  add(path.includes(':'), 404);
  return [...found].sort() as Refusal[];
}
