import { directive } from '../kit/alpine.js';
import { call, type Answer } from './call.js';
import { markUnenforced } from './dialog.js';

/** Select elements whose options are being loaded. */
export const loading: Promise<void>[] = [];

/** Loads select options from a list operation, such as the nodes in a form. */
directive('data-options', 'options', (select, { expression }) => {
  loading.push(load(select as unknown as HTMLSelectElement, expression));
});

async function load(select: HTMLSelectElement, operation: string): Promise<void> {
  const { optionValue = '', optionLabel = '', unenforcedFrom } = select.dataset;
  const answer = await call(operation, { page: '1', limit: '100', sort: 'id', sortOrder: 'ASC' });
  for (const row of (answer.rows ?? (answer.data as Answer | undefined)?.rows ?? []) as Record<string, string>[]) {
    const [value, label] = [String(row[optionValue]), row[optionLabel]];
    const option = new Option(label && label !== row[optionValue] ? `${value} · ${label}` : value, value);
    option.dataset.unenforced = row[unenforcedFrom ?? ''] ?? '';
    select.add(option);
  }
  if (unenforcedFrom === undefined) return;
  const mark = (): void => markUnenforced(select.form!, select.selectedOptions[0]?.dataset.unenforced ?? '');
  select.addEventListener('change', mark);
  mark();
}
