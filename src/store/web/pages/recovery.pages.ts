import { Controller } from '@nestjs/common';

import { trustedHtml } from '../../../theme/index.js';
import {
  CodeForm,
  LostPasswordController,
  LostPasswordForm,
  NewPasswordForm,
  SecondFactorController,
  StoreMail,
  UserRecoveryController,
} from '../../accounts/index.js';
import { StoreError } from '../../errors.js';

import { FormRedirect, FormPage } from '../form-results.js';
import { backTo, formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

const FACTOR = '/store/account/second-factor';

/** Pages for lost passwords and second factors. */
@Controller()
export class RecoveryPages {
  constructor(
    private readonly lost: LostPasswordController,
    private readonly factor: SecondFactorController,
    private readonly users: UserRecoveryController,
    private readonly mail: StoreMail,
  ) {}

  @StorePage({ path: 'forgot', view: 'forgot', title: 'forgot.title', open: true })
  forgotPage({ refused }: PageRequest): object {
    return { has_mail: this.mail.isAvailable, typed: refused?.values ?? {} };
  }

  @StoreForm({ path: 'forgot', page: 'forgotPage' }, LostPasswordController, 'ask')
  async forgot(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.lost.ask(formOf(LostPasswordForm, request), request.call), '/store/login');
  }

  @StorePage({ path: 'reset', view: 'reset', title: 'forgot.new_title', open: true })
  resetPage({ query, refused }: PageRequest): object {
    return { link_token: refused?.values.token ?? query.t ?? '' };
  }

  @StoreForm({ path: 'reset', page: 'resetPage' }, LostPasswordController, 'use')
  async reset(request: FormRequest): Promise<FormRedirect> {
    const { fields, call } = request;
    if (fields.get('newPassword') !== fields.get('again'))
      throw new StoreError('INVALID', {}, { rule: 'storePages.password.differ', field: 'again' });
    return FormRedirect.after(await this.lost.use(formOf(NewPasswordForm, request), call), '/store/login');
  }

  @StorePage({
    path: 'account/second-factor',
    view: 'second-factor',
    title: 'factor.title',
    needs: ['developer'],
    menu: { title: 'factor.title', order: 25 },
  })
  async factorPage({ call }: PageRequest): Promise<object> {
    return { factor: await this.factor.state(call.caller!) };
  }

  @StoreForm({ path: 'account/second-factor/begin', page: 'factorPage' }, SecondFactorController, 'begin')
  async begin({ call }: FormRequest): Promise<FormPage> {
    const { secret, uri } = await this.factor.begin(call);
    const { default: QRCode } = await import('qrcode');
    const picture = await QRCode.toString(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
    return new FormPage({ seed: secret, picture: trustedHtml(picture) }, 'store.factor_begun');
  }

  @StoreForm({ path: 'account/second-factor', page: 'factorPage' }, SecondFactorController, 'confirm')
  async confirm(request: FormRequest): Promise<FormPage> {
    return shown(await this.factor.confirm(request.call, formOf(CodeForm, request)));
  }

  @StoreForm({ path: 'account/second-factor/codes', page: 'factorPage' }, SecondFactorController, 'renew')
  async renew(request: FormRequest): Promise<FormPage> {
    return shown(await this.factor.renew(request.call.caller!, formOf(CodeForm, request)));
  }

  @StoreForm({ path: 'account/second-factor/remove', page: 'factorPage' }, SecondFactorController, 'remove')
  async remove(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.factor.remove(request.call.caller!, formOf(CodeForm, request)), FACTOR);
  }

  @StorePage({ path: 'review/users/:id/recovery', view: 'user-recovery', title: 'recovery.title', needs: ['admin'] })
  userPage(request: PageRequest): object {
    return { user_id: idOf(request) };
  }

  @StoreForm({ path: 'review/users/:id/password-link', page: 'userPage' }, UserRecoveryController, 'link')
  async passwordLink(request: FormRequest): Promise<FormPage> {
    const { text, data } = await this.users.link(request.call, idOf(request));
    return new FormPage({ link: (data as { link: string }).link }, text);
  }

  @StoreForm({ path: 'review/users/:id/remove-factor', page: 'userPage' }, UserRecoveryController, 'removeFactor')
  async removeFactor(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.users.removeFactor(request.call, idOf(request)), backTo(request, '/store/review/users'));
  }
}

/** Shows the recovery codes once. */
function shown({ text, data }: { text: string; data: unknown }): FormPage {
  return new FormPage({ codes: (data as { recovery_codes: string[] }).recovery_codes }, text);
}
