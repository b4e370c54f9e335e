// @ts-check
/** @import { AuditEntry, Page } from '../api-types' */
import { get } from '../lib/api.js';
import { accountLink, detailOf, subjectOf } from '../lib/audit-details.js';
import { emptyState, make, show, table } from '../lib/dom.js';
import { filterForm } from '../lib/filters.js';
import { moment, timeZoneName } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

const ACTIONS = ['item.approve', 'item.reject', 'item.suspend', 'item.delete', 'edit.approve', 'edit.reject', 'user.update', 'auth.register', 'auth.login', 'auth.login_failed', 'auth.logout', 'auth.password', 'auth.profile', 'auth.session_end', 'auth.failures_seen', 'token.create', 'token.revoke', 'image.upload', 'item.submit', 'item.edit', 'item.version', 'item.report', 'report.close', 'digest.block', 'digest.unblock'];

const form = filterForm({ choices: [{ name: 'action', label: t('audit.action'), options: [['', t('audit.every_action')], ...ACTIONS.map((action) => /** @type {[string, string]} */ ([action, t(`action.${action}`)]))] }] });
// What happened to one thing: linked from its page.
const subject = make('input', { type: 'hidden', name: 'subject', pattern: '[a-z]{1,20}' });
form.append(subject, make('input', { type: 'hidden', name: 'subject_id', pattern: '[1-9][0-9]{0,8}' }));
const place = make('div');
show(make('p', { class: 'text-secondary' }, t('audit.intro', { zone: timeZoneName() })), form, place);
addressedList({ form, place, load: (query) => get(`/admin/logs?${query}`), draw });

/** @param {Page<AuditEntry>} page @returns {Node} */
function draw({ items }) {
  const everything = make('a', { class: 'btn btn-sm', href: '/store/review/log' }, t('audit.everything'));
  const [first] = items;
  if (!first) return emptyState(t('audit.none'), t('list.change_filters'), everything);
  return make(
    'div',
    {},
    subject.value && make('div', { class: 'd-flex flex-wrap gap-2 align-items-center mb-2' }, make('span', {}, t('audit.only_about')), subjectOf(first), everything),
    make(
      'div',
      { class: 'card' },
      table(
        [
          { title: t('audit.when'), cell: (/** @type {AuditEntry} */ { created_at: at }) => moment(at) },
          { title: t('audit.who'), cell: ({ actor_name: name }) => (name ? accountLink(name) : t('audit.visitor')), class: 'breakable' },
          { title: t('audit.action'), cell: ({ action }) => t(`action.${action}`) },
          { title: t('audit.subject'), cell: subjectOf, class: 'breakable' },
          { title: t('audit.detail'), cell: detailOf, class: 'breakable' },
          { title: t('sessions.ip'), cell: ({ ip }) => ip },
        ],
        items,
      ),
    ),
  );
}
