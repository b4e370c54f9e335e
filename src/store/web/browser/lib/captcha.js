// @ts-check
import { icon, make } from './dom.js';
import { input } from './form.js';
import { t } from './i18n.js';
import { sha256 } from './sha256.js';

const HASHES_A_TURN = 4096;

/** Whether forms ask for the characters of a picture. */
const isAsked = 'captcha' in document.body.dataset;

/**
 * The field with the picture's characters. A picture is good for one try: after one that failed there has to be a new one.
 *
 * @returns {{ row: HTMLElement | null, renew: () => void, answer: () => Promise<string> }} `answer` gives what was typed, with the work of the browser where some is asked
 */
export function captchaField() {
  if (!isAsked) return { row: null, renew: () => {}, answer: async () => '' };
  const answer = input({ id: 'field-captcha', name: 'captcha', required: true, maxlength: 4, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-describedby': 'field-captcha-hint' });
  const picture = make('img', { class: 'captcha-image', alt: t('captcha.picture'), width: 120, height: 42 });
  /** @type {Promise<string>} */
  let work = Promise.resolve('');
  const renew = () => {
    answer.value = '';
    work = load();
  };
  const load = async () => {
    const response = await fetch('/api/auth/captcha', { cache: 'no-store' });
    const svg = await response.text();
    if (!response.ok) throw new Error(svg);
    picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return workOf(svg);
  };
  const another = make('button', { type: 'button', class: 'btn btn-icon', 'aria-label': t('captcha.another'), title: t('captcha.another'), onclick: renew }, icon('refresh'));
  const row = make(
    'div',
    { class: 'mb-3' },
    make('label', { class: 'form-label required', for: 'field-captcha' }, t('captcha.label')),
    make('div', { class: 'd-flex gap-2' }, answer, picture, another),
    make('div', { class: 'form-hint', id: 'field-captcha-hint' }, t('captcha.hint')),
  );
  renew();
  return { row, renew, answer: async () => [answer.value.trim(), await work.catch(() => '')].filter(Boolean).join('.') };
}

/**
 * Does the work a picture asks for with `data-work="bits:challenge"`: finds what makes the SHA-256 of `challenge:work` begin with that many zero bits.
 *
 * @param {string} svg
 * @returns {Promise<string>} empty where none is asked
 */
async function workOf(svg) {
  const asked = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg);
  if (!asked) return '';
  for (let work = 0; ; work += 1) {
    const [a, b, c, d] = sha256.array(`${asked[2]}:${work.toString(36)}`);
    if (((a << 24) | (b << 16) | (c << 8) | d) >>> (32 - Number(asked[1])) === 0) return work.toString(36);
    if (work % HASHES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
  }
}
