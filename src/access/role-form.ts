import type { RoleValues } from '../auth/index.js';
import type { FormValues } from '../http/index.js';

import type { PermissionWords } from './permission-words.js';

/** Form values of a role, by field name. @param codes codes of all servers by id */
export function roleForm(role: RoleValues, words: PermissionWords, codes: ReadonlyMap<number, string>) {
  return {
    name: role.name,
    ...words.form(role.patterns),
    xz: role.servers !== null,
    nodes: (role.servers ?? []).map((id) => codes.get(id) ?? `#${id}`).join(', '),
  } satisfies FormValues;
}
