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

/** A form has something to lose. */
export const noteChanges = (form: Element): unknown => changed.add(form);

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

/** Of a form: what it does, which of those that do so it is, what its dialog was filled from, and its fields. */
type Draft = { deed: string | null; nth: number; filled: object | undefined; fields: Kept[] };
/** Of a field: its key, which of those that have the key it is, and its value; of boxes whether they are ticked. */
type Kept = [key: string, nth: number, value: string | boolean];

const PREFIX = 'svc-draft:';
/** The page says by which address it is known, where it is not the one it has been opened by. */
const KEY = PREFIX + (said.draftsOf ?? location.pathname + location.search);
const kept = storage('sessionStorage');

/** What a field is found by: its name, and for boxes what they stand for. Empty: it is none of a form. */
function keyOf({ name, dataset, type, value }: HTMLInputElement): string {
  const key = name || dataset.key;
  return key && (type === 'checkbox' || type === 'radio') ? `${key}=${value}` : (key ?? '');
}

/** The fields of a form that have a key, each with which one of that key it is. */
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

/** What is kept of a field: nothing that is secret, and no captcha, which is another one next time. */
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

/** What is kept of this page. */
const keptHere = (): Drafts | null => JSON.parse(kept?.getItem(KEY) ?? 'null') as Drafts | null;

/**
 * Keeps what was typed, for after signing in.
 *
 * @param sent the form that is being sent: the others still have something to lose by that. Where there is none, nothing has
 */
export function keepDrafts(sent?: Element): void {
  const forms = [...document.forms].filter((form) => changed.has(form)).map(draftOf);
  if (sent) isSaved(sent);
  else changed.clear();
  if (forms.length === 0) return;
  // What was kept a moment ago, by the first of two presses.
  const before = keptHere();
  const others = before?.account === said.account ? before!.forms : [];
  const isNew = (one: Draft): boolean => !forms.some(({ deed, nth }) => deed === one.deed && nth === one.nth);
  kept?.setItem(KEY, JSON.stringify({ account: said.account, forms: [...others.filter(isNew), ...forms] } satisfies Drafts));
}

/** What was kept of every page goes. */
export function forgetDrafts(): void {
  for (const name of Object.keys(kept ?? {})) if (name.startsWith(PREFIX)) kept?.removeItem(name);
}

/**
 * Fills in what was typed before the session ended, and opens the dialog it was typed into.
 *
 * @param ready settles when every choice is loaded
 * @param shown settles when the page shows what a choice brought, where scripts do that
 */
export async function restoreDrafts(ready: Promise<unknown>, shown = (): Promise<unknown> => Promise.resolve()): Promise<void> {
  const found = keptHere();
  if (!found || !said.account) return;
  forgetDrafts();
  // What was typed by nobody is of who signs in next.
  if (found.account !== '' && found.account !== said.account) return;
  await ready;
  await Promise.all(found.forms.map((draft) => restore(draft, shown)));
  toast(text('restored'), 'info');
}

async function restore({ deed, nth, filled, fields }: Draft, shown: () => Promise<unknown>): Promise<void> {
  const form = formsOf(deed)[nth];
  if (!form) return;
  const dialog = form.closest('.modal');
  if (dialog && filled) dialogs?.fill(dialog, filled);
  // In the store a form may be folded away.
  form.closest('details')?.setAttribute('open', '');
  // What is chosen decides which fields there are, and scripts show those a moment later.
  fillIn(form, fields, ({ type }) => type.startsWith('select') || type === 'checkbox' || type === 'radio');
  await shown();
  fillIn(form, fields, () => true);
  if (dialog) dialogs?.open(dialog);
}

/** Puts what was kept into those fields it was kept of, and says so to whatever follows them, as if it were typed. */
function fillIn(form: HTMLFormElement, fields: readonly Kept[], isMeant: (field: HTMLInputElement) => boolean): void {
  const values = new Map(fields.map(([key, nth, value]) => [`${nth} ${key}`, value]));
  for (const [field, key, nth] of fieldsOf(form)) {
    const value = values.get(`${nth} ${key}`);
    if (value === undefined || !isMeant(field) || !canTake(field, value)) continue;
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
    // A form counts as changed by what is typed: where that was only a password, which is not kept, nothing would be lost.
    for (const event of field.type === 'hidden' ? ['change'] : ['input', 'change'])
      field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/** Whether a field has another value and may have this one: it holds no secret now, and a list still offers it. */
function canTake(field: HTMLInputElement | HTMLSelectElement, value: string | boolean): boolean {
  const present = valueOf(field as HTMLInputElement);
  if (present === value || typeof present !== typeof value) return false;
  // Of radio buttons the one that is chosen says so, not those that no longer are.
  if (field.type === 'radio') return value === true;
  return !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value);
}
