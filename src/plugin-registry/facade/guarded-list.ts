import type { ListColumn, ListDeclaration } from '../../sdk/index.js';

/** Wraps a callback of a plugin as every call into it is. */
type Guard = <Args extends unknown[], Result>(callback: (...args: Args) => Result) => (...args: Args) => Result;

/**
 * A plugin's list whose functions are called as all of a plugin's are: counted, and in its name. Its state stands in the address under its
 * id, since `page` names the page of the plugin there.
 */
export function guardedList(list: ListDeclaration, guard: Guard): ListDeclaration {
  const guarded = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, typeof value === 'function' ? guard(value as () => unknown) : value]),
    ) as Part;
  const column = (one: ListColumn): ListColumn => ({ ...guarded(one), notes: one.notes?.map(guarded) });
  return {
    ...list,
    beside: true,
    columns: list.columns?.map(column),
    file: list.file?.map(column),
    actions: list.actions?.map(guarded),
  };
}
