// @ts-check
import { call } from '../lib/api.js';
import { captchaField } from '../lib/captcha.js';
import { make, show } from '../lib/dom.js';
import { sayLater } from '../lib/feedback.js';
import { field, input, onSubmit, submitButton } from '../lib/form.js';
import { t } from '../lib/i18n.js';
import { nextAddress, withNext } from '../lib/next.js';

const captcha = captchaField();
const form = make(
  'form',
  { class: 'card card-body narrow' },
  make('p', { class: 'text-secondary' }, t('register.intro')),
  field('username', t('account.username'), input({ required: true, minlength: 2, maxlength: 30, autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' }), t('account.username_hint')),
  field('email', t('account.email'), input({ type: 'email', required: true, maxlength: 254, autocomplete: 'email' })),
  field('password', t('account.password'), input({ type: 'password', required: true, minlength: 6, maxlength: 256, autocomplete: 'new-password' }), t('account.password_hint')),
  captcha.row,
  submitButton(t('register.submit'), 'btn btn-primary w-100'),
  make('p', { class: 'text-center text-secondary mt-3 mb-0' }, t('register.has_account'), ' ', make('a', { href: withNext('/store/login') }, t('login.title'))),
);
onSubmit(
  form,
  async (fields) => {
    const body = { username: fields.get('username'), email: fields.get('email'), password: fields.get('password'), captcha: await captcha.answer() };
    const { msg } = await call('POST', '/auth/register', body, { staysOnLogin: true });
    sayLater(msg);
    location.assign(nextAddress());
  },
  { onFailure: captcha.renew },
);
show(form);
form.querySelector('input')?.focus();
