import type { RequestContext } from '../../operations/index.js';
import { PageMissing } from '../../web/index.js';

/** Id of the host an administrator's page is asked for, `?id=12`. @throws PageMissing for what is none */
export function askedHost({ query }: RequestContext): number {
  const id = Number(query.id);
  if (!Number.isSafeInteger(id) || id < 1) throw new PageMissing();
  return id;
}
