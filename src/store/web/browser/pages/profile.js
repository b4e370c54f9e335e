// @ts-check
/** @import { FailedSignIns, Token, User } from '../api-types' */
import { call, get } from '../lib/api.js';
import { card, facts, make, show } from '../lib/dom.js';
import { loadFailure, notice, say } from '../lib/feedback.js';
import { imageField } from '../lib/file-field.js';
import { field, input, onSubmit, submitButton, textarea } from '../lib/form.js';
import { moment } from '../lib/format.js';
import { t } from '../lib/i18n.js';

void open();
addEventListener('hashchange', toPassword);

async function open() {
  try {
    /** @type {User} */
    const user = await get('/auth/me');
    /** @type {Token[]} */
    const tokens = await get('/auth/tokens');
    /** @type {FailedSignIns[]} */
    const failures = await get('/auth/failed-sign-ins');
    const live = tokens.filter(({ expires_at: end }) => Date.parse(end) > Date.now());
    show(make('div', { class: 'row g-3' }, make('div', { class: 'col-lg-6' }, profileCard(user)), make('div', { class: 'col-lg-6' }, passwordCard(live.length, failures.length > 0))));
    toPassword();
  } catch (error) {
    show(loadFailure(error, () => void open()));
  }
}

/** The warning of a default password leads to `#password`. */
function toPassword() {
  if (location.hash === '#password') document.getElementById('field-oldPassword')?.focus();
}

/** @param {User} user */
function profileCard(user) {
  const form = make(
    'form',
    {},
    facts([
      [t('account.username'), user.username],
      [t('account.role'), t(`role.${user.role}`)],
      [t('account.since'), moment(user.created_at, false)],
    ]),
    make('hr', { class: 'my-3' }),
    imageField({ name: 'avatar', label: t('account.avatar'), value: user.avatar }),
    field('email', t('account.email'), input({ type: 'email', required: true, maxlength: 254, autocomplete: 'email', value: user.email })),
    field('bio', t('account.bio'), textarea({ rows: 4, maxlength: 500 }, user.bio), t('account.bio_hint')),
    submitButton(t('common.save')),
  );
  onSubmit(form, async (fields) => {
    const { msg } = await call('PUT', '/auth/profile', { email: fields.get('email'), avatar: fields.get('avatar'), bio: String(fields.get('bio')).replace(/\r\n/g, '\n') });
    say(msg);
  });
  return card(t('profile.title'), form);
}

/** @param {number} tokens how many work @param {boolean} isTried somebody else has tried the password: the tokens had better go too */
function passwordCard(tokens, isTried) {
  const endTokens = make(
    'label',
    { class: 'form-check' },
    make('input', { type: 'checkbox', class: 'form-check-input', name: 'endTokens', checked: isTried }),
    make('span', { class: 'form-check-label' }, t('password.end_tokens', { count: tokens })),
    make('span', { class: 'form-check-description' }, t('password.end_tokens_hint')),
  );
  const form = make(
    'form',
    {},
    field('oldPassword', t('password.old'), input({ type: 'password', required: true, maxlength: 256, autocomplete: 'current-password' })),
    field('newPassword', t('password.new'), input({ type: 'password', required: true, minlength: 6, maxlength: 256, autocomplete: 'new-password' }), t('account.password_hint')),
    field('again', t('password.again'), input({ type: 'password', required: true, maxlength: 256, autocomplete: 'new-password' })),
    make('p', { class: 'text-secondary small' }, t('password.sessions_end')),
    tokens > 0 && endTokens,
    submitButton(t('password.submit')),
  );
  onSubmit(form, async (fields) => {
    if (fields.get('newPassword') !== fields.get('again')) throw new Error(t('password.differ'));
    const { msg, data } = await call('PUT', '/auth/password', { oldPassword: fields.get('oldPassword'), newPassword: fields.get('newPassword'), ...(tokens > 0 ? { endTokens: fields.has('endTokens') } : {}) });
    form.reset();
    if (data.tokens_left === 0) endTokens.remove();
    document.getElementById('default-password')?.remove();
    form.prepend(notice(msg, 'success'));
  });
  form.addEventListener('input', () => form.querySelector('.alert-success')?.remove());
  const place = card(t('password.title'), form);
  place.id = 'password';
  return place;
}
