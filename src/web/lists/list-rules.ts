import type { ListColumn, ListDeclaration } from '../../sdk/index.js';

const LIST_ID = /^[a-z][a-z0-9-]{0,40}$/;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Exhaustive, checked by the compiler. */
const KINDS = Object.keys({
  text: true,
  code: true,
  money: true,
  moment: true,
  day: true,
  expiry: true,
  link: true,
  badge: true,
  actor: true,
  quota: true,
  progress: true,
  brief: true,
  named: true,
} satisfies Record<NonNullable<ListColumn['kind']>, true>);
const MAX_COLUMNS = 30;

/** @param place prefix of the error message @throws Error naming the list and the violated rule */
export function requireLists(lists: readonly ListDeclaration[], place: string): void {
  const refuse = (what: string): never => {
    throw new Error(`${place}: ${what}`);
  };
  const ids = new Set<string>();
  for (const list of lists) {
    const { id, operation, columns, empty, totals } = list as Partial<ListDeclaration>;
    if (typeof id !== 'string' || !LIST_ID.test(id) || ids.has(id))
      return refuse(`the id of a list must be unique and consist of a-z 0-9 -, not ${JSON.stringify(id)}.`);
    ids.add(id);
    if (typeof operation !== 'string' || operation === '') refuse(`list "${id}" needs the operation that returns its rows.`);
    if (typeof empty !== 'string') refuse(`list "${id}" needs a text for when it is empty.`);
    if (!Array.isArray(columns) || columns.length === 0 || columns.length > MAX_COLUMNS)
      return refuse(`list "${id}" needs 1 to ${MAX_COLUMNS} columns.`);
    const { figures = [] } = totals ?? {};
    if (totals && (typeof totals.operation !== 'string' || totals.operation === '' || figures.length === 0))
      refuse(`list "${id}": its totals need an operation and figures.`);
    for (const { field, title, kind } of [...columns, ...figures] as ListDeclaration['columns']) {
      if (typeof field !== 'string' || !FIELD.test(field)) refuse(`list "${id}": ${JSON.stringify(field)} is not a valid field name.`);
      if (typeof title !== 'string' || title === '') refuse(`list "${id}": column "${field}" needs a title.`);
      if (kind !== undefined && !KINDS.includes(kind))
        refuse(`list "${id}": column "${field}" has an unknown kind. Kinds: ${KINDS.join(', ')}.`);
    }
  }
}
