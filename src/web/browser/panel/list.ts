import { alias, component } from '../kit/alpine.js';
import { ask } from '../kit/confirm.js';
import { focusList } from '../kit/list-focus.js';
import { busy, fill, isLocal } from '../kit/page.js';
import { toast } from '../kit/toast.js';
import { call, isSuccess, messageOf } from './call.js';
import { fillDialog, openDialog } from './dialog.js';

/**
 * Reloads the lists of the page at their current URLs after an action on a row, together with related elements
 * (`data-with-lists`).
 */
export async function refreshLists(): Promise<void> {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-list], [data-with-lists]')];
  const load = ({ id, dataset }: HTMLElement): Promise<void> => {
    const address = dataset.refresh ?? location.pathname + location.search;
    return window.htmx.ajax('GET', address, { target: `#${id}`, select: `#${id}`, swap: 'outerHTML' });
  };
  await Promise.all(parts.map(load));
}

/** Triggered by scripts of single pages. */
document.addEventListener('refresh-lists', () => void refreshLists());

/** A removed row loses the focus: its list receives it, so that keyboard navigation continues there. */
export function keepFocus(id: string | undefined): void {
  const list = id ? document.getElementById(id) : null;
  if (list && document.activeElement === document.body) focusList(list);
}

/** Row selection and bulk actions. */
component('data-list', 'list', () => ({
  chosen: [] as string[],
  choose() {
    const boxes = [...this.$root.querySelectorAll<HTMLInputElement>('[data-choose]')];
    // Small screens have a separate checkbox.
    const all = [...this.$root.querySelectorAll<HTMLInputElement>('[data-choose-all]')];
    const clicked = all.find((box) => box === this.$el);
    if (clicked) for (const box of boxes) box.checked = clicked.checked;
    this.chosen = boxes.filter((box) => box.checked).map((box) => box.dataset.choose!);
    for (const box of all) {
      box.checked = this.chosen.length === boxes.length;
      box.indeterminate = this.chosen.length > 0 && !box.checked;
    }
  },
  count() {
    return fill(this.$root.querySelector<HTMLElement>('[data-bulk-count]')!.dataset.bulkCount!, { n: this.chosen.length });
  },
  async runBulk() {
    const { bulk, bulkField, bulkConfirm, bulkFields, bulkDialog } = this.$el.dataset;
    const n = this.chosen.length;
    const fields = { ...(JSON.parse(bulkFields ?? '{}') as Record<string, string>), [bulkField!]: this.chosen.join(',') };
    const dialog = bulkDialog && document.getElementById(bulkDialog);
    if (dialog) {
      fillDialog(dialog, { ...fields, n, ids: JSON.stringify(this.chosen) });
      return openDialog(dialog);
    }
    if (!(await ask(fill(bulkConfirm!, { n }), this.$el))) return;
    const answer = await busy(this.$el, call(bulk!, fields));
    if (isSuccess(answer) && typeof answer.redirect === 'string' && isLocal(answer.redirect)) return location.assign(answer.redirect);
    toast(messageOf(answer), isSuccess(answer) ? 'success' : 'danger');
    // Reloads even on failure, because some of the rows may have been processed.
    await refreshLists();
  },
}));
alias('data-choose', 'x-on:change', 'choose');
alias('data-choose-all', 'x-on:change', 'choose');
alias('data-bulk-bar', 'x-bind:hidden', 'chosen.length === 0');
alias('data-bulk-count', 'x-text', 'count');
alias('data-bulk', 'x-on:click', 'runBulk');
