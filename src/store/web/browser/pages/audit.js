// @ts-check
/** @import { AuditEntry, Page } from '../api-types' */
import { get } from '../lib/api.js';
import { emptyState, make, show, table } from '../lib/dom.js';
import { filterForm } from '../lib/filters.js';
import { moment } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

const ACTIONS = ['item.approve', 'item.reject', 'item.suspend', 'item.delete', 'edit.approve', 'edit.reject', 'user.update', 'report.close', 'digest.block', 'digest.unblock'];

const form = filterForm({ choices: [{ name: 'action', label: t('audit.action'), options: [['', t('audit.every_action')], ...ACTIONS.map((action) => /** @type {[string, string]} */ ([action, t(`action.${action}`)]))] }] });
// What happened to one thing: linked from its page.
form.append(make('input', { type: 'hidden', name: 'subject', pattern: '[a-z]{1,20}' }), make('input', { type: 'hidden', name: 'subject_id', pattern: '[1-9][0-9]{0,8}' }));
const place = make('div');
show(form, place);
addressedList({ form, place, load: (query) => get(`/admin/logs?${query}`), draw });

/** @param {Page<AuditEntry>} page */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('audit.none'), t('list.change_filters'));
  return make(
    'div',
    { class: 'card' },
    table(
      [
        { title: t('audit.when'), cell: (/** @type {AuditEntry} */ { created_at: at }) => moment(at) },
        { title: t('audit.who'), cell: ({ actor_name: name }) => name, class: 'breakable' },
        { title: t('audit.action'), cell: ({ action }) => t(`action.${action}`) },
        { title: t('audit.subject'), cell: subjectOf },
        { title: t('audit.detail'), cell: detailOf, class: 'breakable' },
        { title: t('sessions.ip'), cell: ({ ip }) => ip },
      ],
      items,
    ),
  );
}

/** @param {AuditEntry} entry */
function detailOf({ detail }) {
  const entries = Object.entries(detail).filter(([, value]) => value !== '' && value !== null);
  return make('span', {}, ...entries.map(([name, value]) => make('span', { class: 'd-block' }, make('code', {}, name), ' ', Array.isArray(value) ? value.join(' → ') : String(value))));
}

/** @param {AuditEntry} entry */
function subjectOf({ action, subject, subject_id: id }) {
  const name = `${subject} ${id}`;
  return subject === 'item' && action !== 'item.delete' ? make('a', { href: `/store/review/items/${id}` }, name) : name;
}
