/** Forms with unsaved changes: the browser warns before they are left, and their input survives an expired session. */
import { pageData, text } from './page.js';
import { storage } from './storage.js';
import { toast } from './toast.js';

const changed = new Set<Element>();

/** Dialogs of a page: the data each was filled from, and how to fill and open it again. */
export interface DraftDialogs {
  filledFrom(dialog: Element): object | undefined;
  fill(dialog: Element, row: object): void;
  open(dialog: Element): void;
}

let dialogs: DraftDialogs | null = null;

/** Registers the dialogs of a page, so that their forms are stored and restored together with them. */
export function draftsInDialogs(ofPage: DraftDialogs): void {
  dialogs = ofPage;
}

/** Target of a form: an operation of the panel, a URL of the store. Search forms have none. */
const actionOf = (form: HTMLFormElement): string | null => form.dataset.ajax ?? form.getAttribute('hx-post');

/** Marks a form as changed. */
export const noteChanges = (form: Element): unknown => changed.add(form);

/** Marks a form as unchanged; returns whether it was changed. */
export const isSaved = (form: Element): boolean => changed.delete(form);

document.addEventListener('input', ({ target }) => {
  const { form } = target as HTMLInputElement;
  if (form && actionOf(form) && form.dataset.draft !== 'off') changed.add(form);
});
document.addEventListener('reset', ({ target }) => isSaved(target as Element));
// Closing a dialog discards its input.
document.addEventListener('hidden.bs.modal', ({ target }) => (target as Element).querySelectorAll('form').forEach(isSaved));
addEventListener('beforeunload', (event) => {
  // Forms that were replaced on the page have been saved.
  if ([...changed].some(({ isConnected }) => isConnected)) event.preventDefault();
});

// Input is stored per tab until the same account signs in again.

/** A stored form: its target, its index among forms with that target, the data its dialog was filled from, and its fields. */
type Draft = { deed: string | null; nth: number; filled: object | undefined; fields: Kept[] };
/** A stored field: its key, its index among fields with that key, and its value; for checkboxes whether they are checked. */
type Kept = [key: string, nth: number, value: string | boolean];

const PREFIX = 'svc-draft:';
/** The page may declare a canonical URL that differs from the one it was opened with. */
const KEY = PREFIX + (pageData.draftsOf ?? location.pathname + location.search);
const kept = storage('sessionStorage');

/** Returns the key of a field: its name, and for checkboxes their value. Empty: not a form field. */
function keyOf({ name, dataset, type, value }: HTMLInputElement): string {
  const key = name || dataset.key;
  return key && (type === 'checkbox' || type === 'radio') ? `${key}=${value}` : (key ?? '');
}

/** Returns the fields of a form that have a key, each with its index among fields with that key. */
function fieldsOf(form: HTMLFormElement): [field: HTMLInputElement, key: string, nth: number][] {
  const seen = new Map<string, number>();
  return ([...form.elements] as HTMLInputElement[]).flatMap((field) => {
    const key = keyOf(field);
    if (key === '') return [];
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return [[field, key, nth] as const];
  });
}

/** Returns the value to store; null for secrets, and for captchas, which differ next time. */
function valueOf(field: HTMLInputElement): string | boolean | null {
  if (field.type === 'password' || field.type === 'file' || field.dataset.secret !== undefined) return null;
  if (field.closest('[data-captcha]')) return null;
  return field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;
}

const formsOf = (deed: string | null): HTMLFormElement[] => [...document.forms].filter((form) => actionOf(form) === deed);

function draftOf(form: HTMLFormElement): Draft {
  const [deed, dialog] = [actionOf(form), form.closest('.modal')];
  const fields = fieldsOf(form).flatMap(([field, key, nth]): Kept[] => {
    const value = valueOf(field);
    return value === null ? [] : [[key, nth, value]];
  });
  return { deed, nth: formsOf(deed).indexOf(form), filled: dialog ? dialogs?.filledFrom(dialog) : undefined, fields };
}

type Drafts = { account?: string; forms: Draft[] };

/** Returns the stored input of this page. */
const keptHere = (): Drafts | null => JSON.parse(kept?.getItem(KEY) ?? 'null') as Drafts | null;

/**
 * Stores the input of changed forms until after sign-in.
 *
 * @param sent the form being submitted: the other forms stay marked as changed. Without it, all are marked as unchanged
 */
export function keepDrafts(sent?: Element): void {
  const forms = [...document.forms].filter((form) => changed.has(form)).map(draftOf);
  if (sent) isSaved(sent);
  else changed.clear();
  if (forms.length === 0) return;
  // Keeps input stored a moment ago, by the first of two submissions.
  const before = keptHere();
  const others = before?.account === pageData.account ? before!.forms : [];
  const isNew = (one: Draft): boolean => !forms.some(({ deed, nth }) => deed === one.deed && nth === one.nth);
  kept?.setItem(KEY, JSON.stringify({ account: pageData.account, forms: [...others.filter(isNew), ...forms] } satisfies Drafts));
}

/** Deletes the stored input of all pages. */
export function forgetDrafts(): void {
  for (const name of Object.keys(kept ?? {})) if (name.startsWith(PREFIX)) kept?.removeItem(name);
}

/**
 * Restores the input stored before the session ended, and reopens its dialog.
 *
 * @param ready resolves when all select options are loaded
 * @param shown resolves when the page has reacted to a changed choice
 */
export async function restoreDrafts(ready: Promise<unknown>, shown = (): Promise<unknown> => Promise.resolve()): Promise<void> {
  const found = keptHere();
  if (!found || !pageData.account) return;
  forgetDrafts();
  // Input of an anonymous visitor is restored for whoever signs in next.
  if (found.account !== '' && found.account !== pageData.account) return;
  await ready;
  await Promise.all(found.forms.map((draft) => restore(draft, shown)));
  toast(text('restored'), 'info');
}

async function restore({ deed, nth, filled, fields }: Draft, shown: () => Promise<unknown>): Promise<void> {
  const form = formsOf(deed)[nth];
  if (!form) return;
  const dialog = form.closest('.modal');
  if (dialog && filled) dialogs?.fill(dialog, filled);
  // In the store a form may be inside a closed details element.
  form.closest('details')?.setAttribute('open', '');
  // Choices first, because they determine which fields are shown.
  fillIn(form, fields, ({ type }) => type.startsWith('select') || type === 'checkbox' || type === 'radio');
  await shown();
  fillIn(form, fields, () => true);
  if (dialog) dialogs?.open(dialog);
}

/** Restores stored values into their fields, and dispatches the same events as typing. */
function fillIn(form: HTMLFormElement, fields: readonly Kept[], isMeant: (field: HTMLInputElement) => boolean): void {
  const values = new Map(fields.map(([key, nth, value]) => [`${nth} ${key}`, value]));
  for (const [field, key, nth] of fieldsOf(form)) {
    const value = values.get(`${nth} ${key}`);
    if (value === undefined || !isMeant(field) || !canTake(field, value)) continue;
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
    // Inputs mark the form as changed, except hidden fields.
    for (const event of field.type === 'hidden' ? ['change'] : ['input', 'change'])
      field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/** Returns whether a stored value differs and is valid for a field: it is not secret now, and a select still offers it. */
function canTake(field: HTMLInputElement | HTMLSelectElement, value: string | boolean): boolean {
  const present = valueOf(field as HTMLInputElement);
  if (present === value || typeof present !== typeof value) return false;
  // Only the selected radio button is restored.
  if (field.type === 'radio') return value === true;
  return !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value);
}
