// @ts-check
/** @import { Item, Version } from '../api-types' */
import { icon, make } from './dom.js';
import { formatSize, moment, statusBadge } from './format.js';
import { t } from './i18n.js';

/**
 * The versions of an item with what is new in each, and their packages.
 *
 * @param {Item} item
 * @param {Version[]} versions newest first
 * @param {{ isOwn?: boolean }} [options] an author is told the state of every version and when it was sent; the public what is not published
 */
export function versionsCard(item, versions, { isOwn = false } = {}) {
  return make(
    'section',
    { class: 'card mb-3' },
    make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('item.versions'))),
    make('ul', { class: 'list-group list-group-flush' }, ...versions.map((version) => entry(item, version, isOwn))),
  );
}

/** @param {Item} item @param {Version} version @param {boolean} isOwn */
function entry(item, { version, status, created_at: created, zip_size: size, changelog, review_msg: note, sha256 }, isOwn) {
  const isCurrent = version === item.version && status === 'approved';
  return make(
    'li',
    { class: 'list-group-item' },
    make(
      'div',
      { class: 'd-flex flex-wrap gap-2 align-items-center' },
      make('strong', {}, version),
      isCurrent && make('span', { class: 'badge bg-green-lt' }, t('item.current')),
      (isOwn ? !isCurrent : status !== 'approved') && statusBadge(status),
      make('span', { class: 'text-secondary small' }, moment(created, isOwn), ' · ', formatSize(size)),
      make('a', { class: 'btn btn-sm ms-auto', href: `/api/items/${item.id}/versions/${encodeURIComponent(version)}/download`, download: true, 'aria-label': t('item.download', { version }) }, icon('download-outline'), t('item.download_short')),
    ),
    changelog && make('p', { class: 'pre-line my-2' }, changelog),
    note && make('p', { class: 'my-2' }, t('review.note_of_reviewer'), ' ', make('span', { class: 'pre-line' }, note)),
    make('code', { class: 'digest' }, sha256),
  );
}
