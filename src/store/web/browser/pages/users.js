// @ts-check
/** @import { User } from '../api-types' */
import { call, get } from '../lib/api.js';
import { emptyState, make, show, table } from '../lib/dom.js';
import { confirmed, say } from '../lib/feedback.js';
import { filterForm, statusChoice } from '../lib/filters.js';
import { actionButton } from '../lib/form.js';
import { moment, statusBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { avatarOf } from '../lib/item-card.js';
import { addressedList } from '../lib/list.js';

const form = filterForm({
  keyword: t('users.keyword'),
  choices: [{ name: 'role', label: t('account.role'), options: [['', t('users.every_role')], ['developer', t('role.developer')], ['admin', t('role.admin')]] }, statusChoice(['active', 'banned'])],
});
const place = make('div');
show(form, place);
const list = addressedList({ form, place, load: (query) => get(`/admin/users?${query}`), draw });

/** @param {{ users: User[], total: number, page: number, page_size: number }} page @returns {Node} */
function draw({ users }) {
  if (users.length === 0) return emptyState(t('browse.nothing_found'), t('list.change_filters'));
  return make(
    'div',
    { class: 'card' },
    table(
      [
        { title: t('account.username'), cell: (/** @type {User} */ { avatar, username }) => make('span', { class: 'd-inline-flex gap-2 align-items-center' }, avatarOf(avatar, username), username), class: 'breakable' },
        { title: t('account.email'), cell: ({ email }) => email, class: 'breakable' },
        { title: t('account.role'), cell: ({ role }) => t(`role.${role}`) },
        { title: t('common.status'), cell: ({ status }) => statusBadge(status) },
        { title: t('account.since'), cell: ({ created_at: at }) => moment(at, false) },
        { title: t('common.actions'), cell: actions },
      ],
      users,
    ),
  );
}

/** @param {User} user */
function actions({ id, username, role, status }) {
  /** @param {'ban' | 'unban' | 'promote' | 'demote'} what @param {Partial<User>} body @param {string} className */
  const button = (what, body, className) =>
    actionButton(
      t(`users.${what}`),
      async () => {
        if (!(await confirmed({ text: t(`users.confirm_${what}`, { name: username }), action: t(`users.${what}`), isDanger: what === 'ban' }))) return;
        const { msg } = await call('PUT', `/admin/users/${id}`, body);
        say(msg);
        await list.refresh();
      },
      `btn btn-sm ${className}`,
    );
  return make(
    'span',
    { class: 'd-inline-flex flex-wrap gap-2' },
    status === 'active' ? button('ban', { status: 'banned' }, 'btn-outline-danger') : button('unban', { status: 'active' }, ''),
    role === 'developer' ? button('promote', { role: 'admin' }, '') : button('demote', { role: 'developer' }, ''),
  );
}
