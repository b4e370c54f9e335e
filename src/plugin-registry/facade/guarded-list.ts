import type { ListDeclaration } from '../../sdk/index.js';

/** Wraps a callback of a plugin as every call into it is. */
type Guard = <Args extends unknown[], Result>(callback: (...args: Args) => Result) => (...args: Args) => Result;

/**
 * A plugin's list whose functions are called as all of a plugin's are: counted, and in its name. Its state stands in the address under its
 * id, since `page` names the page of the plugin there.
 */
export function guardedList(list: ListDeclaration, guard: Guard): ListDeclaration {
  const maybe = <Args extends unknown[], Result>(callback: ((...args: Args) => Result) | undefined) => callback && guard(callback);
  return {
    ...list,
    beside: true,
    columns: list.columns?.map((column) => ({
      ...column,
      words: maybe(column.words),
      notes: column.notes?.map((note) => ({ ...note, text: guard(note.text) })),
    })),
    actions: list.actions?.map((action) => ({
      ...action,
      when: maybe(action.when),
      fields: maybe(action.fields),
      href: maybe(action.href),
    })),
  };
}
