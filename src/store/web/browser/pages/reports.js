// @ts-check
/** @import { Page, Report } from '../api-types' */
import { call, get } from '../lib/api.js';
import { accountLink } from '../lib/audit-details.js';
import { emptyState, make, show } from '../lib/dom.js';
import { say } from '../lib/feedback.js';
import { filterForm, statusChoice } from '../lib/filters.js';
import { actionButton, textarea } from '../lib/form.js';
import { moment, statusBadge, typeBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

const form = filterForm({ choices: [statusChoice(['open', 'closed'])] });
const place = make('div');
show(form, place);
const list = addressedList({ form, place, load: (query) => get(`/admin/reports?${query}`), draw });

/** @param {Page<Report>} page @returns {Node} */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('reports.none'), t('reports.none_text'));
  return make('div', { class: 'card' }, make('ul', { class: 'list-group list-group-flush' }, ...items.map(entry)));
}

/** @param {Report} report */
function entry(report) {
  return make(
    'li',
    { class: 'list-group-item' },
    make('div', { class: 'd-flex flex-wrap gap-2 align-items-center mb-1' }, statusBadge(report.status), make('strong', {}, t(`reason.${report.reason}`)), typeBadge(report.type), make('a', { href: `/store/review/items/${report.item_id}` }, report.item_name)),
    make('div', { class: 'text-secondary small mb-2' }, moment(report.created_at), ' · ', report.reporter_name ? accountLink(report.reporter_name) : t('reports.by_visitor'), ' · ', report.ip),
    report.text && make('p', { class: 'pre-line text-break' }, report.text),
    report.status === 'open' && closing(report),
  );
}

/** @param {Report} report */
function closing({ id }) {
  const note = textarea({ rows: 1, maxlength: 2000, 'aria-label': t('reports.note'), placeholder: t('reports.note') });
  const close = async () => {
    const { msg } = await call('PUT', `/admin/reports/${id}/close`, { msg: note.value });
    say(msg);
    await list.refresh();
  };
  return make('div', { class: 'd-flex flex-wrap gap-2 decision-row' }, note, actionButton(t('reports.close'), close));
}
