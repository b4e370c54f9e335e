// @ts-check
/** @import { EditRequest, ItemNames } from '../api-types' */
import { get } from '../lib/api.js';
import { emptyState, make, show } from '../lib/dom.js';
import { editRequestEntry } from '../lib/edit-requests.js';
import { filterForm, statusChoice } from '../lib/filters.js';
import { typeBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

/** The most the API answers at once. */
const MOST = 200;

const form = filterForm({ choices: [statusChoice(['pending', 'approved', 'rejected', 'superseded'])] });
const place = make('div');
show(make('p', { class: 'text-secondary' }, t('edits.intro', { n: MOST })), form, place);
const list = addressedList({ form, place, load, draw });

/** @param {URLSearchParams} query */
async function load(query) {
  /** @type {(EditRequest & ItemNames)[]} */
  const items = await get(`/admin/edit-requests?${query}`);
  return { items, total: items.length, page: 1, page_size: MOST };
}

/** @param {{ items: (EditRequest & ItemNames)[] }} page @returns {Node} */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('edits.none'), t('edits.none_text'));
  const entries = items.map((request) => {
    const title = make('span', { class: 'd-flex gap-2 align-items-center' }, typeBadge(request.type), make('a', { href: `/store/review/items/${request.item_id}` }, request.item_name));
    return editRequestEntry(request, { title, onDecided: list.refresh });
  });
  return make('div', { class: 'card' }, make('ul', { class: 'list-group list-group-flush' }, ...entries));
}
