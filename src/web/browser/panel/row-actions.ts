/** What can be done with the rows of a list: their menus are made when they are opened, and dialogs are filled from the row. */
import { fill, on } from '../kit/page.js';
import type { Answer } from './call.js';
import { fillDialog } from './dialog.js';

/** What one action needs to know of one row; see `RowActions` of src/web/lists. */
interface ActionValues {
  readonly href?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly fill?: Answer;
  readonly places?: Readonly<Record<string, string>>;
}

const templateOf = (part: Element, name: string): DocumentFragment | undefined =>
  part.closest('[data-list]')?.querySelector<HTMLTemplateElement>(`template[data-${name}]`)?.content;

/** By the numbers of its actions, what they need to know of the row `part` stands in. */
function valuesOf(part: Element): Readonly<Record<string, ActionValues>> {
  const rows = JSON.parse(templateOf(part, 'row-values')?.textContent ?? '[]') as Record<string, ActionValues>[];
  return rows[part.closest('tr')!.sectionRowIndex] ?? {};
}

/** Puts into an entry of menus what differs from row to row. */
function adapt(entry: HTMLElement, { href, fields, places = {} }: ActionValues = {}): HTMLElement {
  const { confirm } = entry.dataset;
  if (href !== undefined) entry.setAttribute('href', href);
  if (fields) entry.dataset.fields = JSON.stringify(fields);
  if (confirm) entry.dataset.confirm = fill(confirm, places);
  return entry;
}

document.addEventListener('show.bs.dropdown', ({ target }) => {
  const menu = (target as Element).parentElement!.querySelector<HTMLElement>('[data-row-menu]');
  if (!menu || menu.hasChildNodes()) return;
  const values = valuesOf(menu);
  const entries = templateOf(menu, 'row-actions')!;
  for (const number of menu.dataset.rowMenu!.split(' '))
    menu.append(adapt(entries.querySelector(`[data-action="${number}"]`)!.cloneNode(true) as HTMLElement, values[number]));
});

on('click', 'data-action', (action) => {
  const filled = valuesOf(action)[action.dataset.action!]?.fill;
  if (filled) fillDialog(document.querySelector(action.dataset.bsTarget!)!, filled);
});
