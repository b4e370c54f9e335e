// @ts-check
/** @import { Item, Page } from '../api-types' */
import { queryOfAddress } from '../lib/address.js';
import { get } from '../lib/api.js';
import { emptyState, icon, make, show } from '../lib/dom.js';
import { formatNumber, formatPrice, typeBadge } from '../lib/format.js';
import { plainText } from '../lib/description.js';
import { input, select, submitButton } from '../lib/form.js';
import { categoryName, t } from '../lib/i18n.js';
import { itemImage } from '../lib/item-card.js';
import { addressedList } from '../lib/list.js';

const SUMMARY_LENGTH = 90;
/** Longest name of a category. */
const CATEGORY_LENGTH = 40;
/** What the API takes for a price. */
const PRICES = { min: 0, max: 9_999_999_999.99, step: '0.01', inputmode: 'decimal' };

const categories = select([['', t('browse.every_category')]]);
const chosen = new URLSearchParams(location.search).get('category');
// Until the list is there, so that a shared link keeps its filter.
if (chosen && chosen.length <= CATEGORY_LENGTH) categories.append(make('option', { value: chosen }, categoryName(chosen)));

const form = make(
  'form',
  { class: 'card card-body mb-3', role: 'search' },
  make(
    'div',
    { class: 'filters' },
    labelled('keyword', t('browse.keyword'), input({ type: 'search', maxlength: 200, placeholder: t('browse.keyword_hint') }), 'filter-wide'),
    labelled('type', t('browse.type'), select([['', t('browse.every_type')], ['plugin', t('type.plugin')], ['theme', t('type.theme')]])),
    labelled('category', t('field.category'), categories),
    labelled('min_price', t('browse.min_price'), input({ type: 'number', ...PRICES })),
    labelled('max_price', t('browse.max_price'), input({ type: 'number', ...PRICES, placeholder: t('browse.max_price_hint') })),
    labelled('sort', t('browse.sort'), select([['', t('browse.sort_newest')], ['relevance', t('browse.sort_relevance')], ['downloads', t('browse.sort_downloads')], ['updated', t('browse.sort_updated')], ['price', t('browse.sort_price')]])),
    make('div', { class: 'filter-buttons' }, submitButton(t('browse.search')), make('button', { type: 'reset', class: 'btn' }, t('browse.reset'))),
  ),
  // An author's page is a filter too; it is in the address and goes with the other filters.
  make('input', { type: 'hidden', name: 'author_id', pattern: '[1-9][0-9]{0,8}' }),
);
form.querySelector('[type=submit]')?.prepend(icon('magnify'));

const place = make('div');
show(form, place);
addressedList({ form, place, load: (query) => get(`/items?${query}`), draw });
void get('/items/categories?with=counts').then(
  (/** @type {{ name: string, count: number }[]} */ list) => {
    const { value } = categories;
    const used = list.filter(({ name, count }) => count > 0 || name === value);
    categories.replaceChildren(make('option', { value: '' }, t('browse.every_category')), ...used.map(({ name, count }) => make('option', { value: name }, t('browse.category_count', { name: categoryName(name), count: formatNumber(count) }))));
    categories.value = value;
  },
  // The list of items says what is wrong.
  () => undefined,
);

/** @param {string} name @param {string} label @param {HTMLElement} control @param {string} [className] */
function labelled(name, label, control, className = '') {
  control.id = `filter-${name}`;
  control.setAttribute('name', name);
  return make('div', { class: className }, make('label', { class: 'form-label', for: control.id }, label), control);
}

/** @param {Page<Item>} page */
function draw({ items }) {
  if (items.length === 0) {
    return String(queryOfAddress(form)) !== ''
      ? emptyState(t('browse.nothing_found'), t('browse.nothing_found_text'), make('a', { class: 'btn btn-primary', href: '/store/' }, t('browse.reset')))
      : emptyState(t('browse.empty'), t('browse.empty_text'), make('a', { class: 'btn btn-primary', href: '/store/developer/submit' }, t('submit.title')));
  }
  return make('ul', { class: 'item-grid list-unstyled' }, ...items.map(itemCard));
}

/** @param {Item} item */
function itemCard(item) {
  return make(
    'li',
    { class: 'card item-card' },
    itemImage(item),
    make(
      'div',
      { class: 'card-body' },
      make('div', { class: 'd-flex gap-2 align-items-center mb-1' }, typeBadge(item.type), item.category && make('span', { class: 'small text-secondary text-truncate' }, categoryName(item.category)), make('span', { class: 'small text-secondary ms-auto' }, item.version)),
      make('h2', { class: 'card-title mb-1' }, make('a', { class: 'stretched-link text-reset', href: `/store/${item.type}/${item.slug}` }, item.name)),
      make('p', { class: 'text-secondary mb-0 item-summary' }, plainText(item.description, SUMMARY_LENGTH)),
    ),
    make(
      'div',
      { class: 'card-footer item-foot' },
      make('span', { class: 'text-truncate' }, t('item.by', { author: item.author_name })),
      make('span', { class: 'text-nowrap' }, icon('download-outline'), make('span', { class: 'visually-hidden' }, t('item.downloads')), ' ', formatNumber(item.downloads)),
      make('strong', { class: 'text-nowrap' }, formatPrice(item.price)),
    ),
  );
}
