/** Actions on list rows: menus are built when they are opened, and dialogs are filled from the row. */
import { fill, on } from '../kit/page.js';
import type { Answer } from './call.js';
import { fillDialog } from './dialog.js';

/** Row data for the script; see `ScriptValues` of src/web/lists/list-actions.ts. */
interface ScriptValues {
  readonly fills: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly RowValues[];
}

interface RowValues {
  readonly row: Answer;
  readonly hrefs: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const templateOf = (part: Element, name: string): DocumentFragment | undefined =>
  part.closest('[data-list]')?.querySelector<HTMLTemplateElement>(`template[data-${name}]`)?.content;

function valuesOf(part: Element): ScriptValues {
  return JSON.parse(templateOf(part, 'row-values')?.textContent || '{"fills":{},"rows":[]}') as ScriptValues;
}

/** Returns the data of the row that contains `part`. */
function rowOf(part: Element, { rows }: ScriptValues): RowValues {
  return rows[part.closest('tr')!.sectionRowIndex] ?? { row: {}, hrefs: {}, fields: {} };
}

/** Fills a menu entry with the values of its row. */
function adapt(entry: HTMLElement, number: string, { row, hrefs, fields }: RowValues): HTMLElement {
  const { confirm, ajax } = entry.dataset;
  if (hrefs[number] !== undefined) entry.setAttribute('href', hrefs[number]);
  if (ajax) entry.dataset.fields = JSON.stringify(fields[number] ?? { id: String(row.id ?? '') });
  if (confirm) entry.dataset.confirm = fill(confirm, row);
  return entry;
}

document.addEventListener('show.bs.dropdown', ({ target }) => {
  const menu = (target as Element).parentElement!.querySelector<HTMLElement>('[data-row-menu]');
  if (!menu || menu.hasChildNodes()) return;
  const values = rowOf(menu, valuesOf(menu));
  const entries = templateOf(menu, 'row-actions')!;
  for (const number of menu.dataset.rowMenu!.split(' '))
    menu.append(adapt(entries.querySelector(`[data-action="${number}"]`)!.cloneNode(true) as HTMLElement, number, values));
});

on('click', 'data-action', (action) => {
  const values = valuesOf(action);
  const fields = values.fills[action.dataset.action!];
  if (!fields) return;
  const { row } = rowOf(action, values);
  const filled = Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]));
  fillDialog(document.querySelector(action.dataset.bsTarget!)!, filled);
});
