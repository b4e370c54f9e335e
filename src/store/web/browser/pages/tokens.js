// @ts-check
/** @import { Token } from '../api-types' */
import { call, get } from '../lib/api.js';
import { card, emptyState, icon, make, show, table } from '../lib/dom.js';
import { confirmed, loadFailure, notice, say } from '../lib/feedback.js';
import { actionButton, field, input, onSubmit, submitButton } from '../lib/form.js';
import { moment } from '../lib/format.js';
import { t } from '../lib/i18n.js';

const SCOPES = ['read', 'publish'];

const list = make('div');
const fresh = make('div', { 'aria-live': 'polite' });
show(make('p', { class: 'text-secondary' }, t('tokens.intro')), fresh, card(t('tokens.new'), createForm()), make('h2', { class: 'h3' }, t('tokens.own')), list);
void refresh();

async function refresh() {
  try {
    /** @type {Token[]} */
    const tokens = await get('/auth/tokens');
    list.replaceChildren(tokens.length === 0 ? emptyState(t('tokens.none'), t('tokens.none_text')) : make('div', { class: 'card' }, table(COLUMNS, tokens)));
  } catch (error) {
    list.replaceChildren(loadFailure(error, () => void refresh()));
  }
}

function createForm() {
  const form = make(
    'form',
    {},
    make(
      'div',
      { class: 'row' },
      make('div', { class: 'col-md-5' }, field('name', t('tokens.name'), input({ required: true, maxlength: 60 }), t('tokens.name_hint'))),
      make('div', { class: 'col-md-3' }, field('days', t('tokens.days'), input({ type: 'number', required: true, min: 1, max: 365, value: 90 }))),
      make(
        'fieldset',
        { class: 'col-md-4 mb-3' },
        make('legend', { class: 'form-label' }, t('tokens.scopes')),
        ...SCOPES.map((scope) => make('label', { class: 'form-check' }, make('input', { type: 'checkbox', class: 'form-check-input', name: 'scopes', value: scope, checked: scope === 'read' }), make('span', { class: 'form-check-label' }, t(`scope.${scope}`)))),
      ),
    ),
    submitButton(t('tokens.create')),
  );
  onSubmit(form, async (fields) => {
    const { data, msg } = await call('POST', '/auth/tokens', { name: fields.get('name'), scopes: fields.getAll('scopes'), days: Number(fields.get('days')) });
    form.reset();
    fresh.replaceChildren(shownOnce(data.token, msg));
    fresh.scrollIntoView({ block: 'nearest' });
    await refresh();
  });
  return form;
}

/** @param {string} token @param {string} msg */
function shownOnce(token, msg) {
  const value = input({ readonly: true, value: token, class: 'form-control font-monospace', 'aria-label': t('tokens.token') });
  value.addEventListener('focus', () => value.select());
  const copy = make('button', { type: 'button', class: 'btn' }, icon('content-copy'), t('tokens.copy'));
  copy.addEventListener('click', async () => {
    value.select();
    try {
      await navigator.clipboard.writeText(token);
      say(t('tokens.copied'));
    } catch {
      // Without TLS browsers give no clipboard; it is selected.
      say(t('tokens.copy_by_hand'), 'danger');
    }
  });
  const box = notice(msg, 'success');
  box.querySelector('.alert-body')?.append(make('div', { class: 'd-flex gap-2 mt-2' }, value, copy));
  return box;
}

/** @type {{ title: string, cell: (token: Token) => import('../lib/dom.js').Child, class?: string }[]} */
const COLUMNS = [
  { title: t('tokens.name'), cell: ({ name }) => name, class: 'breakable' },
  { title: t('tokens.scopes'), cell: ({ scopes }) => scopes.map((scope) => t(`scope_short.${scope}`)).join(', ') },
  { title: t('tokens.expires'), cell: ({ expires_at: at }) => moment(at, false) },
  { title: t('tokens.used'), cell: ({ last_used_at: at }) => (at ? moment(at) : t('tokens.never')) },
  { title: t('common.actions'), cell: (token) => revokeButton(token) },
];

/** @param {Token} token */
function revokeButton({ id, name }) {
  return actionButton(
    t('tokens.revoke'),
    async () => {
      if (!(await confirmed({ text: t('tokens.confirm_revoke', { name }), action: t('tokens.revoke'), isDanger: true }))) return;
      const { msg } = await call('DELETE', `/auth/tokens/${id}`);
      say(msg);
      await refresh();
    },
    'btn btn-sm btn-outline-danger',
  );
}
