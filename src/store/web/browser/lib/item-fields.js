// @ts-check
/** @import { Item } from '../api-types' */
import { get } from './api.js';
import { descriptionPreview } from './description-preview.js';
import { make } from './dom.js';
import { imageField } from './file-field.js';
import { field, input, textarea } from './form.js';
import { tagsOf } from './format.js';
import { categoryName, t } from './i18n.js';

/** What an author says of an item and may change later. @param {Partial<Item>} [item] its present values */
export function itemFields(item = {}) {
  const categories = make('datalist', { id: 'categories' });
  void get('/items/categories').then(
    (names) => categories.replaceChildren(...names.map((/** @type {string} */ name) => make('option', { value: name }, categoryName(name)))),
    // The field takes any text without the list.
    () => undefined,
  );
  const description = textarea({ required: true, rows: 10, class: 'form-control font-monospace' }, item.description);
  return make(
    'div',
    {},
    field('name', t('field.name'), input({ required: true, maxlength: 100, value: item.name })),
    make(
      'div',
      { class: 'row' },
      make('div', { class: 'col-sm-6' }, field('price', t('field.price'), input({ type: 'number', min: 0, step: '0.01', inputmode: 'decimal', value: item.price ?? 0 }), t('submit.price_hint'))),
      make('div', { class: 'col-sm-6' }, field('category', t('field.category'), input({ maxlength: 40, list: 'categories', value: item.category })), categories),
    ),
    field('tags', t('field.tags'), input({ value: tagsOf(item.tags ?? '[]').join(', ') }), t('submit.tags_hint')),
    field('homepage', t('field.homepage'), input({ type: 'url', maxlength: 500, placeholder: 'https://', value: item.homepage })),
    imageField({ name: 'main_image', label: t('field.main_image'), value: item.main_image }),
    field('description', t('field.description'), description, t('submit.description_hint')),
    descriptionPreview(description),
  );
}

/** Tags as they are typed, in the form the API takes. @param {unknown} typed */
export function tagsJson(typed) {
  return JSON.stringify(
    String(typed ?? '')
      .split(/[,，、]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  );
}
