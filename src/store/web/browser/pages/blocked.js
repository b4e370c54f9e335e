// @ts-check
/** @import { BlockedDigest, Page } from '../api-types' */
import { call, get } from '../lib/api.js';
import { card, emptyState, make, show, table } from '../lib/dom.js';
import { confirmed, say } from '../lib/feedback.js';
import { actionButton, field, input, onSubmit, submitButton } from '../lib/form.js';
import { moment } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { addressedList } from '../lib/list.js';

// A file of a package leads here with its digest.
const wanted = new URLSearchParams(location.search).get('sha256') ?? '';
const form = make(
  'form',
  {},
  field('sha256', 'SHA-256', input({ required: true, pattern: '\\s*[0-9A-Fa-f]{64}\\s*', class: 'form-control font-monospace', autocapitalize: 'none', spellcheck: 'false', value: wanted })),
  field('reason', t('blocked.reason'), input({ maxlength: 255 })),
  submitButton(t('blocked.block')),
);
const place = make('div');
show(make('p', { class: 'text-secondary' }, t('blocked.intro')), card(t('blocked.new'), form), place);
const list = addressedList({ place, load: (query) => get(`/admin/blocked-digests?${query}`), draw });
onSubmit(form, async (fields) => {
  const { msg } = await call('POST', '/admin/blocked-digests', { sha256: fields.get('sha256'), reason: fields.get('reason') });
  say(msg);
  for (const filled of form.querySelectorAll('input')) filled.value = '';
  await list.refresh();
});

/** @param {Page<BlockedDigest>} page @returns {Node} */
function draw({ items }) {
  if (items.length === 0) return emptyState(t('blocked.none'), t('blocked.none_text'));
  return make(
    'div',
    { class: 'card' },
    table(
      [
        { title: 'SHA-256', cell: (/** @type {BlockedDigest} */ { sha256 }) => make('code', { class: 'digest' }, sha256) },
        { title: t('blocked.reason'), cell: ({ reason }) => reason || '–', class: 'breakable' },
        { title: t('item.created'), cell: ({ created_at: at }) => moment(at, false) },
        { title: t('common.actions'), cell: unblock },
      ],
      items,
    ),
  );
}

/** @param {BlockedDigest} digest */
function unblock({ id }) {
  return actionButton(
    t('blocked.unblock'),
    async () => {
      if (!(await confirmed({ text: t('blocked.confirm_unblock'), action: t('blocked.unblock') }))) return;
      const { msg } = await call('DELETE', `/admin/blocked-digests/${id}`);
      say(msg);
      await list.refresh();
    },
    'btn btn-sm',
  );
}
