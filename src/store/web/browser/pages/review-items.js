// @ts-check
/** @import { Item, Page } from '../api-types' */
import { get } from '../lib/api.js';
import { emptyState, make, show, table } from '../lib/dom.js';
import { filterForm, statusChoice, typeChoice } from '../lib/filters.js';
import { formatNumber, moment, statusBadge, typeBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

const form = filterForm({ keyword: t('browse.keyword_hint'), choices: [typeChoice(), statusChoice(['pending', 'approved', 'rejected', 'suspended'])] });
const place = make('div');
show(form, place);
addressedList({ form, place, load: (query) => get(`/admin/items?${query}`), draw });

/** @param {Page<Item>} page */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('browse.nothing_found'), t('list.change_filters'));
  return make(
    'div',
    { class: 'card' },
    table(
      [
        { title: t('field.name'), cell: (/** @type {Item} */ item) => make('a', { href: `/store/review/items/${item.id}` }, item.name), class: 'breakable' },
        { title: t('browse.type'), cell: ({ type }) => typeBadge(type) },
        { title: t('field.slug'), cell: ({ slug }) => make('code', {}, slug), class: 'breakable' },
        { title: t('item.author'), cell: ({ author_name: author }) => author, class: 'breakable' },
        { title: t('field.version'), cell: ({ version }) => version },
        { title: t('common.status'), cell: statusOf },
        { title: t('item.downloads'), cell: ({ downloads }) => formatNumber(downloads) },
        { title: t('item.created'), cell: ({ created_at: at }) => moment(at, false) },
      ],
      items,
    ),
  );
}

/** How an item stands, and what of it waits. @param {Item} item */
function statusOf({ item_status: status = 'pending', pending_version: waiting, version }) {
  if (!waiting || (status === 'pending' && waiting === version)) return statusBadge(status);
  return make('div', { class: 'd-flex flex-wrap gap-1' }, statusBadge(status), make('span', { class: 'badge bg-yellow-lt' }, t('review.version_waits', { version: waiting })));
}
