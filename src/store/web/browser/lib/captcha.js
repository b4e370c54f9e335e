// @ts-check
import { icon, make } from './dom.js';
import { input } from './form.js';
import { t } from './i18n.js';

/** Whether forms ask for the characters of a picture. */
const isAsked = 'captcha' in document.body.dataset;

/**
 * The field with the picture's characters. A picture is good for one try: after one that failed there has to be a new one.
 *
 * @returns {{ row: HTMLElement | null, renew: () => void }}
 */
export function captchaField() {
  if (!isAsked) return { row: null, renew: () => {} };
  const answer = input({ id: 'field-captcha', name: 'captcha', required: true, maxlength: 4, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-describedby': 'field-captcha-hint' });
  const picture = make('img', { class: 'captcha-image', alt: t('captcha.picture'), width: 120, height: 42 });
  let count = 0;
  const renew = () => {
    count += 1;
    answer.value = '';
    picture.src = `/api/auth/captcha?n=${count}-${Date.now()}`;
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
  return { row, renew };
}
