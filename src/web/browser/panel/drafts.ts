/** Forms with changes nobody saved: the browser asks before they are left, and what was typed survives a session that ended. */
import { said, text } from '../kit/page.js';
import { storage } from '../kit/storage.js';
import { toast } from '../kit/toast.js';
import type { Answer } from './call.js';
import { fillDialog, filledFrom, openDialog } from './dialog.js';

const changed = new Set<Element>();

/** A form has nothing to lose any more. */
export const isSaved = (form: Element): boolean => changed.delete(form);

document.addEventListener('input', ({ target }) => {
  const { form } = target as HTMLInputElement;
  if (form?.dataset.ajax && form.dataset.draft !== 'off') changed.add(form);
});
document.addEventListener('reset', ({ target }) => isSaved(target as Element));
// Who closes a dialog gives up what was typed into it.
document.addEventListener('hidden.bs.modal', ({ target }) => (target as Element).querySelectorAll('form').forEach(isSaved));
addEventListener('beforeunload', (event) => {
  if (changed.size > 0) event.preventDefault();
});

// What was typed waits in this tab for the same account to sign in again.

/** Of a form: its operation, which of the page's forms it is, what its dialog was filled from, and the values of its fields in order. */
type Draft = { operation: string | undefined; at: number; filled: Answer | undefined; values: (string | boolean | null)[] };

const PREFIX = 'svc-draft:';
const KEY = PREFIX + location.pathname + location.search;
const kept = storage('sessionStorage');

const fieldsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  ([...form.elements] as HTMLInputElement[]).filter(({ name, dataset }) => name || dataset.key);

/** What is kept of a field: nothing that is secret. */
function valueOf(field: HTMLInputElement): string | boolean | null {
  if (field.type === 'password' || field.type === 'file' || field.dataset.secret !== undefined) return null;
  return field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;
}

/** Keeps what was typed, for after signing in. */
export function keepDrafts(): void {
  const draftOf = (form: HTMLFormElement, at: number): Draft => {
    const filled = filledFrom.get(form.closest('.modal')!);
    return { operation: form.dataset.ajax, at, filled, values: fieldsOf(form).map(valueOf) };
  };
  const forms = [...document.forms].map(draftOf).filter(({ at }) => changed.has(document.forms[at]!));
  changed.clear();
  if (forms.length > 0) kept?.setItem(KEY, JSON.stringify({ account: said.account, forms }));
}

/** What was kept of every page goes. */
export function forgetDrafts(): void {
  for (const name of Object.keys(kept ?? {})) if (name.startsWith(PREFIX)) kept?.removeItem(name);
}

/** Fills in what was typed before the session ended, and opens the dialog it was typed into. @param ready settles when every choice is loaded */
export async function restoreDrafts(ready: Promise<unknown>): Promise<void> {
  const found = JSON.parse(kept?.getItem(KEY) ?? 'null') as { account?: string; forms: Draft[] } | null;
  if (!found || !said.account) return;
  forgetDrafts();
  if (found.account !== said.account) return;
  await ready;
  found.forms.forEach(restore);
  toast(text('restored'), 'info');
}

function restore({ operation, at, filled, values }: Draft): void {
  const form = document.forms[at];
  if (!form || form.dataset.ajax !== operation) return;
  const dialog = form.closest('.modal');
  if (dialog && filled) fillDialog(dialog, filled);
  for (const [nth, field] of fieldsOf(form).entries()) {
    const value = values[nth];
    if (typeof value === 'boolean') field.checked = value;
    else if (typeof value === 'string') field.value = value;
  }
  changed.add(form);
  if (dialog) openDialog(dialog);
}
