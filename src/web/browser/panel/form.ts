import { ask } from '../kit/confirm.js';
import { forgetDrafts, isSaved } from '../kit/drafts.js';
import { clearErrors, inLabels, showErrors, showFormError } from '../kit/errors.js';
import { busy, isLocal, on } from '../kit/page.js';
import { toast } from '../kit/toast.js';
import { call, isSuccess, messageOf, type Answer, type Fields } from './call.js';
import { closeDialog, fillDialog, openDialog } from './dialog.js';
import { keepFocus, refreshLists } from './list.js';
import { followTask } from './task.js';

const inputOf = (form: HTMLFormElement, name: string): HTMLInputElement | null => form.elements.namedItem(name) as HTMLInputElement | null;

/** Returns the fields to submit. */
export function fieldsOf(form: HTMLFormElement): Fields {
  const { json } = form.dataset;
  const version = inputOf(form, 'row_version');
  if (json) return { [json]: JSON.stringify(rowsOf(form)), ...(version && { row_version: version.value }) };
  // An empty file field is not submitted.
  const sent = [...new FormData(form)].filter(([, value]) => typeof value === 'string' || value.size > 0);
  const off = form.querySelectorAll<HTMLInputElement>('input[type=checkbox][data-off]:not(:checked)');
  return Object.fromEntries([...sent, ...[...off].map(({ name, dataset }) => [name, dataset.off!]), ...chosenOf(form)]);
}

/** Checkboxes with `data-many` share a name: returns the values of the checked ones, separated by commas; empty if none is checked. */
function chosenOf(form: HTMLFormElement): [name: string, values: string][] {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox][data-many]')];
  const valuesOf = (name: string): string[] => boxes.filter((box) => box.name === name && box.checked).map(({ value }) => value);
  return [...new Set(boxes.map(({ name }) => name))].map((name) => [name, valuesOf(name).join(',')]);
}

/** Returns the rows of a form with `data-json`, without the unchecked ones. */
function rowsOf(form: HTMLFormElement): object[] {
  const rows = [...form.querySelectorAll('[data-json-row]')].filter((row) => !row.querySelector('[data-key][type=checkbox]:not(:checked)'));
  return rows.map((row) => {
    const inputs = [...row.querySelectorAll<HTMLInputElement>('[data-key]:not([type=checkbox])')];
    return Object.fromEntries(inputs.map(({ dataset, type, value }) => [dataset.key!, type === 'number' ? Number(value) : value]));
  });
}

/** Shows the second step of a sign-in, if the form has one. */
function askForCode(form: HTMLElement, { lp }: Answer): boolean {
  const [first, second] = ['first', 'second'].map((step) => form.querySelector<HTMLFieldSetElement>(`fieldset[data-step=${step}]`));
  if (!first || !second) return false;
  for (const [step, isShown] of [
    [first, false],
    [second, true],
  ] as const) {
    step.hidden = !isShown;
    step.disabled = !isShown;
  }
  second.querySelector<HTMLInputElement>('[name=lp]')!.value = String(lp);
  second.querySelector<HTMLInputElement>('[name=totp]')!.focus();
  return true;
}

/** Opens the dialog named by a form or button, filled from a response. */
function show({ dataset }: HTMLElement, answer: Answer): void {
  const shown = dataset.show && document.querySelector(dataset.show);
  if (!shown) return;
  fillDialog(shown, answer);
  openDialog(shown);
}

/** Handles success as declared on the form or button. */
function finish(source: HTMLElement, answer: Answer): void {
  const { ajax, done = '', open, follows, reset } = source.dataset;
  if (answer.need === 'totp' && askForCode(source, answer)) return;
  isSaved(source);
  if (ajax === 'logout') forgetDrafts();
  const next = typeof answer.redirect === 'string' ? answer.redirect : done;
  if (isLocal(next)) return location.assign(next);
  if (done === 'reload') return location.reload();
  toast(messageOf(answer), 'success');
  const address = String((open && answer[open]) ?? '');
  if (isLocal(address) || /^https?:\/\//i.test(address)) window.open(address, '_blank', 'noopener');
  const dialog = source.closest('.modal');
  if (dialog) closeDialog(dialog);
  if (source instanceof HTMLFormElement && reset !== undefined) source.reset();
  const list = source.closest('[data-list]')?.id;
  if (done === 'list') void refreshLists().then(() => keepFocus(list));
  show(source, answer);
  if (follows && answer.task_id) void followTask(document.querySelector(follows)!, answer.task_id);
}

/** Size of the pieces in which forms with `data-in-pieces` send a file, in bytes. */
const PIECE = 8 * 1024 * 1024;

/** Submits a form; the file of one with `data-in-pieces` is sent in pieces, and its `progress` shows the progress. */
async function inPieces(form: HTMLFormElement, gn: string, fields: Fields): Promise<Answer> {
  const { file } = fields;
  if (!('inPieces' in form.dataset) || !(file instanceof File) || file.size <= PIECE) return call(gn, fields);
  const bar = form.querySelector('progress')!;
  bar.hidden = false;
  bar.max = file.size;
  let answer: Answer = {};
  for (let at = 0; at < file.size; at += PIECE) {
    bar.value = at;
    const piece = new File([file.slice(at, at + PIECE)], file.name);
    answer = await call(gn, { ...fields, file: piece, fesw: String(at), zsize: String(file.size) });
    if (!isSuccess(answer)) break;
  }
  bar.hidden = true;
  return answer;
}

/** Returns the first empty required field. */
function firstEmpty(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.querySelectorAll<HTMLInputElement>('input[required]:enabled')].find(({ value }) => value === '');
}

async function submit(form: HTMLFormElement, button: HTMLElement): Promise<void> {
  const { ajax, confirm, repeat, repeatText, emptyText } = form.dataset;
  // A button may send the input to another operation that saves nothing.
  const { instead } = button.dataset;
  if (confirm && !(await ask(confirm, button))) return;
  clearErrors(form);
  const repeated = form.querySelector<HTMLInputElement>('[data-repeat-of]');
  if (repeat && repeated && inputOf(form, repeat)?.value !== repeated.value) return void showErrors(form, { [repeated.name]: repeatText });
  const empty = emptyText === undefined ? undefined : firstEmpty(form);
  if (empty) return void showErrors(form, { [empty.name]: emptyText });
  const answer = await busy(button, inPieces(form, instead ?? ajax!, fieldsOf(form)));
  // Saved, or rejected with the current version: the next save is compared with this one.
  const version = inputOf(form, 'row_version');
  const isOutdated = typeof answer.row_version === 'string';
  if (version && isOutdated) version.value = String(answer.row_version);
  if (isSuccess(answer)) return instead ? show(button, answer) : finish(form, answer);
  const wrong = answer.fields ?? {};
  const isSaid = showErrors(form, wrong);
  const words = inLabels(form, messageOf(answer), wrong);
  if (!showFormError(form, words, isOutdated) && !isSaid) toast(words, 'danger');
  form.dispatchEvent(new CustomEvent('refused'));
}

async function run(button: HTMLElement): Promise<void> {
  const { ajax, confirm, fields } = button.dataset;
  if (confirm && !(await ask(confirm, button))) return;
  const answer = await busy(button, call(ajax!, JSON.parse(fields || '{}') as Fields));
  if (isSuccess(answer)) finish(button, answer);
  else toast(messageOf(answer), 'danger');
}

on('submit', 'data-ajax', (form, event) => {
  event.preventDefault();
  void submit(form as HTMLFormElement, (event as SubmitEvent).submitter ?? form.querySelector('[type=submit]') ?? form);
});
on('click', 'data-ajax', (found) => {
  if (found instanceof HTMLButtonElement) void run(found);
});
