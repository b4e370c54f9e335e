/** Restores the keyboard focus after a list was reloaded and replaced. */
import { detailOf } from './htmx.js';

/** Identifies a control within a list. */
interface Held {
  readonly list: string;
  /** Its row; undefined above and below the rows. */
  readonly row: string | undefined;
  readonly kind: string;
  readonly name: string;
  /** Selection in a text field. */
  readonly caret: readonly [start: number, end: number] | null;
}

const rowOf = (control: Element): string | undefined => control.closest<HTMLElement>('[data-row]')?.dataset.row;
const nameOf = (control: Element): string =>
  control.getAttribute('name') ?? control.getAttribute('aria-label') ?? control.textContent.trim();
const isShown = (control: Element): boolean => control.getClientRects().length > 0;

/** Focuses the list itself if the focused control no longer exists. */
export function focusList(list: HTMLElement): void {
  list.tabIndex = -1;
  list.focus({ preventScroll: true });
}

function heldIn(list: HTMLElement, control: Element): Held {
  const { selectionStart: start = null, selectionEnd: end = null } = control as Partial<HTMLInputElement>;
  const caret = start === null || end === null ? null : ([start, end] as const);
  return { list: list.id, row: rowOf(control), kind: control.localName, name: nameOf(control), caret };
}

function focusLike({ list: id, row, kind, name, caret }: Held): void {
  const list = document.getElementById(id);
  // Does not take the focus back if the user has moved it meanwhile.
  if (!list || document.activeElement !== document.body) return;
  const controls = [...list.querySelectorAll<HTMLInputElement>(kind)];
  const like = controls.find((control) => nameOf(control) === name && rowOf(control) === row && isShown(control));
  like?.focus({ preventScroll: true });
  if (like && caret) like.setSelectionRange(...caret);
  if (document.activeElement === document.body) focusList(list);
}

/** Focused controls by swap. */
const held = new WeakMap<object, Held>();

document.addEventListener('htmx:before:swap', (event) => {
  const control = document.activeElement;
  const list = control?.closest<HTMLElement>('[data-list]');
  if (control && list) held.set(detailOf(event).ctx, heldIn(list, control));
});
document.addEventListener('htmx:after:swap', (event) => {
  const noted = held.get(detailOf(event).ctx);
  if (noted) focusLike(noted);
});
