// @ts-check
/** @import { ItemNames, Stats, Version } from '../api-types' */
import { get } from '../lib/api.js';
import { card, emptyState, make, show, table } from '../lib/dom.js';
import { loadFailure } from '../lib/feedback.js';
import { formatDay, formatDuration, formatNumber, formatSize, secondsSince, typeBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';

/** @typedef {Version & ItemNames & { item_status: string }} Waiting */

const SVG = 'http://www.w3.org/2000/svg';
const DAYS = 30;
const CHART_HEIGHT = 100;

void open();

async function open() {
  try {
    /** @type {[Stats, Waiting[]]} */
    const [stats, queue] = await Promise.all([get('/admin/stats'), get('/admin/versions?status=pending')]);
    show(
      make(
        'div',
        { class: 'stat-grid mb-3' },
        stat('stats.waiting', stats.waiting_versions),
        stat('stats.edits', stats.pendingEdits, '/store/review/edits?status=pending'),
        stat('stats.reports', stats.open_reports, '/store/review/reports?status=open'),
        stat('stats.plugins', stats.plugins),
        stat('stats.themes', stats.themes),
        stat('stats.users', stats.users, '/store/review/users'),
        stat('stats.downloads', stats.downloads),
      ),
      queueCard(queue),
      make('div', { class: 'row g-3' }, make('div', { class: 'col-lg-7' }, downloadsCard(stats)), make('div', { class: 'col-lg-5' }, topCard(stats))),
    );
  } catch (error) {
    show(loadFailure(error, () => void open()));
  }
}

/** @param {string} label @param {number} value @param {string} [href] */
function stat(label, value, href) {
  const content = [make('div', { class: 'text-secondary' }, t(label)), make('div', { class: 'stat-value' }, formatNumber(value))];
  return href ? make('a', { class: 'card card-sm card-body text-reset', href }, ...content) : make('div', { class: 'card card-sm card-body' }, ...content);
}

/** @param {Waiting[]} queue those that waited longest first */
function queueCard(queue) {
  const content =
    queue.length === 0
      ? emptyState(t('review.queue_empty'), t('review.queue_empty_text'))
      : table(
          [
            { title: t('field.name'), cell: (/** @type {Waiting} */ row) => make('a', { href: `/store/review/items/${row.item_id}` }, row.item_name), class: 'breakable' },
            { title: t('browse.type'), cell: ({ type }) => typeBadge(type) },
            { title: t('field.version'), cell: ({ version }) => version },
            { title: t('review.what'), cell: ({ item_status: status }) => t(status === 'pending' ? 'review.new_item' : 'review.new_version') },
            { title: t('item.size'), cell: ({ zip_size: size }) => formatSize(size) },
            { title: t('own.waiting_time'), cell: ({ created_at: at }) => formatDuration(secondsSince(at)) },
          ],
          queue,
        );
  return make('section', { class: 'card mb-3' }, make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('review.queue'))), content);
}

/** @param {Stats} stats */
function downloadsCard({ days }) {
  if (days.length === 0) return card(t('stats.by_day'), make('p', { class: 'text-secondary mb-0' }, t('stats.no_downloads')));
  const byDay = new Map(days.map((row) => [row.day, row]));
  const series = Array.from({ length: DAYS }, (_, i) => new Date(Date.now() - (DAYS - 1 - i) * 86_400_000).toISOString().slice(0, 10));
  const most = Math.max(...days.map(({ downloads }) => downloads), 1);
  const chart = document.createElementNS(SVG, 'svg');
  chart.setAttribute('class', 'chart');
  chart.setAttribute('viewBox', `0 0 ${DAYS * 10} ${CHART_HEIGHT}`);
  chart.setAttribute('preserveAspectRatio', 'none');
  // The table below says the same.
  chart.setAttribute('aria-hidden', 'true');
  series.forEach((day, i) => {
    const height = ((byDay.get(day)?.downloads ?? 0) / most) * (CHART_HEIGHT - 2);
    const bar = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({ x: i * 10 + 1, y: CHART_HEIGHT - Math.max(height, 1), width: 8, height: Math.max(height, 1) })) bar.setAttribute(name, String(value));
    chart.append(bar);
  });
  const numbers = table(
    [
      { title: t('stats.day'), cell: (/** @type {Stats['days'][number]} */ { day }) => formatDay(day) },
      { title: t('item.downloads'), cell: ({ downloads }) => formatNumber(downloads) },
      { title: t('stats.visitors'), cell: ({ visitors }) => formatNumber(visitors) },
    ],
    [...days].reverse(),
  );
  return card(t('stats.by_day'), chart, make('details', { class: 'mt-2' }, make('summary', {}, t('stats.as_table')), numbers));
}

/** @param {Stats} stats */
function topCard({ top }) {
  const list = top.map(({ id, name, downloads }) => make('li', { class: 'd-flex gap-2 mb-1' }, make('a', { class: 'text-truncate', href: `/store/review/items/${id}` }, name), make('span', { class: 'ms-auto' }, formatNumber(downloads))));
  return card(t('stats.top'), list.length > 0 ? make('ol', { class: 'list-unstyled mb-0' }, ...list) : make('p', { class: 'text-secondary mb-0' }, t('stats.no_items')));
}
