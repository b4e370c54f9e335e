import type { ListColumn, ListDeclaration } from '../../sdk/index.js';

/** Wraps a callback of a plugin like all calls into it. */
type Guard = <Args extends unknown[], Result>(callback: (...args: Args) => Result) => (...args: Args) => Result;

/**
 * Wraps all functions of a plugin's list as guarded calls. The list's state is stored in the URL under its id, since `page` already names
 * the plugin's page there.
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
