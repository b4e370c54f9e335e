// @ts-check
/** @import { Item, Page } from '../api-types' */
import { get } from '../lib/api.js';
import { emptyState, icon, make, show, table } from '../lib/dom.js';
import { formatNumber, formatPrice, moment, statusBadge, typeBadge } from '../lib/format.js';
import { select } from '../lib/form.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

const type = select([['', t('browse.every_type')], ['plugin', t('type.plugin')], ['theme', t('type.theme')]]);
type.name = 'type';
type.setAttribute('aria-label', t('browse.type'));
const form = make('form', { class: 'd-flex flex-wrap gap-2 mb-3' }, make('div', {}, type), make('a', { class: 'btn btn-primary ms-auto', href: '/store/developer/submit' }, icon('plus'), t('submit.title')));
const place = make('div');
show(form, place);
addressedList({ form, place, load: (query) => get(`/developer/items?${query}`), draw });

/** @param {Page<Item>} page */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('own.none'), t('own.none_text'), make('a', { class: 'btn btn-primary', href: '/store/developer/submit' }, t('submit.title')));
  return make(
    'div',
    { class: 'card' },
    table(
      [
        { title: t('field.name'), cell: (/** @type {Item} */ item) => make('a', { href: `/store/developer/items/${item.id}` }, item.name), class: 'breakable' },
        { title: t('browse.type'), cell: ({ type: kind }) => typeBadge(kind) },
        { title: t('field.version'), cell: ({ version }) => version },
        { title: t('common.status'), cell: ({ status }) => statusBadge(status) },
        { title: t('field.price'), cell: ({ price }) => formatPrice(price) },
        { title: t('item.downloads'), cell: ({ downloads }) => formatNumber(downloads) },
        { title: t('item.updated'), cell: ({ updated_at: at }) => moment(at, false) },
      ],
      items,
    ),
  );
}
