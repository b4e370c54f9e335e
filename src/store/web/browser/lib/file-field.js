// @ts-check
import { upload } from './api.js';
import { icon, make } from './dom.js';
import { formatSize } from './format.js';
import { messageOf, notice } from './feedback.js';
import { t } from './i18n.js';

/** A ZIP to choose or to drop. @param {{ onChoice?: (file: File) => void }} [options] */
export function zipField({ onChoice } = {}) {
  // The browser shows the name itself, but not whether it was dropped or how large it is.
  const chosen = make('span', { class: 'text-secondary', 'aria-live': 'polite' });
  const file = make('input', { type: 'file', class: 'form-control', id: 'field-zipfile', name: 'zipfile', accept: '.zip,application/zip', required: true, 'aria-describedby': 'field-zipfile-hint' });
  const told = () => {
    const [first] = file.files ?? [];
    chosen.textContent = first ? `${first.name} (${formatSize(first.size)})` : '';
    if (first) onChoice?.(first);
  };
  file.addEventListener('change', told);
  const zone = make(
    'div',
    { class: 'drop-zone' },
    icon('tray-arrow-up', 'drop-zone-icon'),
    make('label', { class: 'form-label required', for: 'field-zipfile' }, t('zip.label')),
    file,
    make('div', { class: 'form-hint', id: 'field-zipfile-hint' }, t('zip.hint')),
    chosen,
  );
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('is-over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('is-over');
    if (!event.dataTransfer?.files.length) return;
    file.files = event.dataTransfer.files;
    told();
  });
  return make('div', { class: 'mb-3' }, zone);
}

/** How far an upload is. */
export function progressBar() {
  const bar = make('progress', { class: 'progress w-100', max: 1, value: 0, 'aria-label': t('upload.progress') });
  const words = make('span', { role: 'status', class: 'small text-secondary' });
  const element = make('div', { class: 'mb-3', hidden: true }, bar, words);
  return {
    element,
    /** @param {number} share 0 to 1 */
    move(share) {
      element.hidden = false;
      bar.value = share;
      words.textContent = share < 1 ? t('upload.sent', { percent: Math.floor(share * 100) }) : t('upload.checking');
    },
    hide() {
      element.hidden = true;
      words.textContent = '';
    },
  };
}

/**
 * A picture that is uploaded as soon as it is chosen. The field `name` holds its address.
 *
 * @param {{ name: string, label: string, value?: string, hint?: string, onChange?: (url: string) => void }} options
 */
export function imageField({ name, label, value = '', hint, onChange }) {
  const holder = make('input', { type: 'hidden', name, value });
  const preview = make('div', { class: 'image-preview' });
  const problem = make('div', { 'aria-live': 'polite' });
  const bar = progressBar();
  const file = make('input', { type: 'file', class: 'form-control', id: `field-${name}`, accept: 'image/png,image/jpeg,image/gif,image/webp', 'aria-describedby': `field-${name}-hint` });
  const remove = make('button', { type: 'button', class: 'btn btn-sm' }, t('image.remove'));
  /** @param {string} url */
  const set = (url) => {
    holder.value = url;
    preview.replaceChildren(...(url ? [make('img', { src: url, alt: label }), remove] : []));
  };
  remove.addEventListener('click', () => {
    set('');
    file.value = '';
    onChange?.('');
  });
  file.addEventListener('change', async () => {
    const [picture] = file.files ?? [];
    if (!picture) return;
    problem.replaceChildren();
    file.disabled = true;
    const form = new FormData();
    form.append('image', picture);
    try {
      const { data } = await upload('/upload/image', form, (share) => bar.move(share));
      set(data.url);
      onChange?.(data.url);
    } catch (error) {
      problem.replaceChildren(notice(messageOf(error)));
    } finally {
      file.disabled = false;
      file.value = '';
      bar.hide();
    }
  });
  set(value);
  return make(
    'div',
    { class: 'mb-3' },
    make('label', { class: 'form-label', for: `field-${name}` }, label),
    preview,
    file,
    holder,
    make('div', { class: 'form-hint', id: `field-${name}-hint` }, hint ?? t('image.hint')),
    bar.element,
    problem,
  );
}
