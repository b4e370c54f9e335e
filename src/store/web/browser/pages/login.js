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
  field('username', t('account.username'), input({ required: true, maxlength: 60, autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' })),
  field('password', t('account.password'), input({ type: 'password', required: true, maxlength: 256, autocomplete: 'current-password' })),
  captcha.row,
  submitButton(t('login.submit'), 'btn btn-primary w-100'),
  make('p', { class: 'text-center text-secondary mt-3 mb-0' }, t('login.no_account'), ' ', make('a', { href: withNext('/store/register') }, t('register.title'))),
);
onSubmit(
  form,
  async (fields) => {
    const { msg } = await call('POST', '/auth/login', { username: fields.get('username'), password: fields.get('password'), captcha: await captcha.answer() }, { staysOnLogin: true });
    sayLater(msg);
    location.assign(nextAddress());
  },
  { onFailure: captcha.renew },
);
show(form);
form.querySelector('input')?.focus();
