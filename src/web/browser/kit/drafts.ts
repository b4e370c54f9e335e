/** Forms with changes nobody saved: the browser asks before they are left, and what was typed survives a session that ended. */
import { said, text } from './page.js';
import { storage } from './storage.js';
import { toast } from './toast.js';

const changed = new Set<Element>();

/** The dialogs of pages that have some: what each was filled from, and how it is filled and opened again. */
export interface DraftDialogs {
  filledFrom(dialog: Element): object | undefined;
  fill(dialog: Element, row: object): void;
  open(dialog: Element): void;
}

let dialogs: DraftDialogs | null = null;

/** Says how the dialogs of these pages work, whose forms are kept and filled in with them. */
export function draftsInDialogs(ofPage: DraftDialogs): void {
  dialogs = ofPage;
}

/** What a form does: an operation of the panel, an address of the store. Forms that only look for something have none. */
const actionOf = (form: HTMLFormElement): string | null => form.dataset.ajax ?? form.getAttribute('hx-post');

/** A form has nothing to lose any more. */
export const isSaved = (form: Element): boolean => changed.delete(form);

document.addEventListener('input', ({ target }) => {
  const { form } = target as HTMLInputElement;
  if (form && actionOf(form) && form.dataset.draft !== 'off') changed.add(form);
});
document.addEventListener('reset', ({ target }) => isSaved(target as Element));
// Who closes a dialog gives up what was typed into it.
document.addEventListener('hidden.bs.modal', ({ target }) => (target as Element).querySelectorAll('form').forEach(isSaved));
addEventListener('beforeunload', (event) => {
  // A form whose part of the page was replaced has been saved.
  if ([...changed].some(({ isConnected }) => isConnected)) event.preventDefault();
});

// What was typed waits in this tab for the same account to sign in again.

/** Of a form: what it does, which of the page's forms it is, what its dialog was filled from, and the values of its fields in order. */
type Draft = { deed: string | null; at: number; filled: object | undefined; values: (string | boolean | null)[] };

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
    const dialog = form.closest('.modal');
    return { deed: actionOf(form), at, filled: dialog ? dialogs?.filledFrom(dialog) : undefined, values: fieldsOf(form).map(valueOf) };
  };
  const forms = [...document.forms].map(draftOf).filter(({ at }) => changed.has(document.forms[at]!));
  changed.clear();
  if (forms.length > 0) kept?.setItem(KEY, JSON.stringify({ account: said.account, forms }));
}

/** What was kept of every page goes. */
export function forgetDrafts(): void {
  for (const name of Object.keys(kept ?? {})) if (name.startsWith(PREFIX)) kept?.removeItem(name);
}

/**
 * Fills in what was typed before the session ended, and opens the dialog it was typed into.
 *
 * @param ready settles when every choice is loaded
 */
export async function restoreDrafts(ready: Promise<unknown>): Promise<void> {
  const found = JSON.parse(kept?.getItem(KEY) ?? 'null') as { account?: string; forms: Draft[] } | null;
  if (!found || !said.account) return;
  forgetDrafts();
  if (found.account !== said.account) return;
  await ready;
  found.forms.forEach(restore);
  toast(text('restored'), 'info');
}

function restore({ deed: action, at, filled, values }: Draft): void {
  const form = document.forms[at];
  if (!form || actionOf(form) !== action) return;
  const dialog = form.closest('.modal');
  if (dialog && filled) dialogs?.fill(dialog, filled);
  // In the store a form may be folded away.
  form.closest('details')?.setAttribute('open', '');
  for (const [nth, field] of fieldsOf(form).entries()) {
    const value = values[nth] ?? null;
    if (value === null || value === valueOf(field)) continue;
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
    // Where only a password was typed, which is not kept, nothing would be lost.
    if (field.type !== 'hidden') changed.add(form);
  }
  if (dialog) dialogs?.open(dialog);
}
