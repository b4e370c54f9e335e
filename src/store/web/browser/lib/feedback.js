// @ts-check
import { byId, icon, make } from './dom.js';
import { t } from './i18n.js';

const SHOWN_MS = 6000;
const LATER = 'svc-store-message';

/** Says something at the edge of the page. @param {string} text @param {'success' | 'danger'} [kind] */
export function say(text, kind = 'success') {
  const note = make('div', { class: `alert alert-${kind} alert-important`, role: kind === 'danger' ? 'alert' : 'status' }, text);
  byId('toasts').append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}

/** Says something on the page that is gone to next. @param {string} text */
export function sayLater(text) {
  try {
    sessionStorage.setItem(LATER, text);
  } catch {
    // Without storage the next page speaks for itself.
  }
}

/** Says what the page before left to say. */
export function sayWhatWaits() {
  try {
    const text = sessionStorage.getItem(LATER);
    sessionStorage.removeItem(LATER);
    if (text) say(text);
  } catch {
    // See above.
  }
}

/** What went wrong, in words. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error && error.name !== 'TypeError' ? error.message : t('failure.page');
}

/** A message where it belongs. @param {string} text @param {'danger' | 'warning' | 'info' | 'success'} [kind] */
export function notice(text, kind = 'danger') {
  const name = kind === 'success' ? 'check' : kind === 'info' ? 'information-outline' : 'alert-outline';
  return make('div', { class: `alert alert-${kind}`, role: kind === 'danger' ? 'alert' : 'status' }, make('div', { class: 'd-flex gap-2' }, icon(name, 'alert-icon'), make('div', { class: 'alert-body' }, text)));
}

/** That a part of the page could not be loaded, with another try where that may help. @param {unknown} error @param {() => void} again */
export function loadFailure(error, again) {
  const box = notice(messageOf(error));
  const { status = 0 } = /** @type {{ status?: number }} */ (error);
  // What is not there or not allowed stays so; what was too much or went wrong may not.
  if (status >= 400 && status < 429) return box;
  box.querySelector('.alert-body')?.append(' ', make('button', { type: 'button', class: 'btn btn-sm ms-2', onclick: again }, t('common.again')));
  return box;
}

/**
 * Asks before something is done. The button that does nothing has the focus: Enter, Enter changes nothing, and Esc closes.
 *
 * @param {{ text: string, action: string, isDanger?: boolean, details?: HTMLElement }} question `details` is what the question is about
 * @returns {Promise<boolean>}
 */
export function confirmed({ text, action, isDanger = false, details }) {
  return new Promise((resolve) => {
    const no = make('button', { type: 'button', class: 'btn', onclick: () => dialog.close('no') }, t('common.cancel'));
    const yes = make('button', { type: 'button', class: `btn btn-${isDanger ? 'danger' : 'primary'}`, onclick: () => dialog.close('yes') }, action);
    const dialog = make('dialog', { class: 'confirm', 'aria-labelledby': 'confirm-text' }, make('p', { class: 'mb-4', id: 'confirm-text' }, text), details && make('div', { class: 'confirm-details mb-4', tabindex: '0' }, details), make('div', { class: 'd-flex gap-2 justify-content-end' }, no, yes));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
