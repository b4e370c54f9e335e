/** A list that is loaded again is another element: the keyboard goes on from the same control of it. */
import { detailOf } from './htmx.js';

/** What tells a control of a list from its others. */
interface Held {
  readonly list: string;
  /** The row it stands in; none for what is above and below the rows. */
  readonly row: string | undefined;
  readonly kind: string;
  readonly name: string;
  /** Of a text: from where to where it is marked. */
  readonly caret: readonly [start: number, end: number] | null;
}

const rowOf = (control: Element): string | undefined => control.closest<HTMLElement>('[data-row]')?.dataset.row;
const nameOf = (control: Element): string =>
  control.getAttribute('name') ?? control.getAttribute('aria-label') ?? control.textContent.trim();
const isShown = (control: Element): boolean => control.getClientRects().length > 0;

/** A list has the focus itself, where what had it in there is gone. */
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
  // Whoever has left it meanwhile is not called back.
  if (!list || document.activeElement !== document.body) return;
  const controls = [...list.querySelectorAll<HTMLInputElement>(kind)];
  const like = controls.find((control) => nameOf(control) === name && rowOf(control) === row && isShown(control));
  like?.focus({ preventScroll: true });
  if (like && caret) like.setSelectionRange(...caret);
  if (document.activeElement === document.body) focusList(list);
}

/** By swap. */
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
