import type { ServerResponse } from 'node:http';

import { Controller } from '@nestjs/common';

import { translate, visitorWords } from '../../../common/index.js';
import { CredentialsController, OwnAccountController, PasswordForm, ProfileForm, TokenForm, type User } from '../../accounts/index.js';
import { StoreError } from '../../errors.js';
import { OwnItems } from '../../items/index.js';

import { FormRedirect, FormPage, FormFragment } from '../form-results.js';
import { allOf, badgePiece, FAILURES, foldPiece, SESSIONS, showList, textPiece, TOKENS } from '../lists/index.js';
import { formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

/** Pages of the reader's own account. */
@Controller()
export class AccountPages {
  constructor(
    private readonly account: OwnAccountController,
    private readonly credentials: CredentialsController,
    private readonly items: OwnItems,
  ) {}

  @StorePage({
    path: 'account',
    view: 'profile',
    title: 'profile.title',
    needs: ['developer'],
    menu: { title: 'profile.title', order: 10 },
  })
  async profile({ call, refused }: PageRequest): Promise<object> {
    const caller = call.caller!;
    const [user, tokens, failures] = await Promise.all([
      this.account.me(caller) as Promise<User>,
      this.credentials.listTokens(caller),
      this.credentials.listFailures(caller),
    ]);
    return {
      user,
      typed: { ...user, ...refused?.values },
      live_tokens: tokens.filter(({ expires_at: end }) => Date.parse(end) > Date.now()).length,
      // With failed sign-ins by others, suggest to revoke the API tokens as well.
      is_tried: failures.length > 0,
      in_password: refused ? 'newPassword' in refused.values : false,
    };
  }

  @StoreForm({ path: 'account', page: 'profile' }, OwnAccountController, 'profile')
  async changeProfile(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.account.profile(await formOf(ProfileForm, request), request.call.caller!), '/store/account');
  }

  @StoreForm({ path: 'account/password', page: 'profile' }, OwnAccountController, 'password')
  async changePassword(request: FormRequest, res: ServerResponse): Promise<FormRedirect> {
    const { fields, call } = request;
    if (fields.get('newPassword') !== fields.get('again'))
      throw new StoreError('INVALID', {}, { rule: 'storePages.password.differ', field: 'again' });
    const form = await formOf(PasswordForm, request, { endTokens: fields.has('endTokens') });
    return FormRedirect.after(await this.account.password(form, call, res), '/store/account');
  }

  @StorePage({
    path: 'account/sessions',
    view: 'sessions',
    title: 'sessions.title',
    needs: ['developer'],
    menu: { title: 'sessions.title', order: 20 },
  })
  async sessions(request: PageRequest): Promise<object> {
    const { caller: reader, locale } = request.call;
    const caller = reader!;
    const [sessions, failures] = await Promise.all([this.credentials.listSessions(caller), this.credentials.listFailures(caller)]);
    const rows = sessions.map((session) => ({
      ...session,
      browser: [
        foldPiece(visitorWords(session.user_agent, locale), session.user_agent),
        ...(session.current ? [badgePiece(locale, 'green', 'sessions.current')] : []),
      ],
    }));
    const networks = failures.map((failure) => ({
      ...failure,
      network: [
        textPiece(failure.network || translate(locale, 'storePages.failures.further')),
        ...(failure.seen ? [] : [badgePiece(locale, 'yellow', 'failures.new')]),
      ],
    }));
    const path = '/store/account/sessions';
    return {
      list: await showList(SESSIONS, path, request, allOf(rows)),
      failures: failures.length > 0 ? await showList(FAILURES, path, request, allOf(networks)) : null,
      has_unseen: failures.some(({ seen }) => !seen),
    };
  }

  @StoreForm({ path: 'account/sessions/:id/end', page: 'sessions' }, CredentialsController, 'endSession')
  async endSession(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.credentials.endSession(idOf(request), request.call.caller!), '/store/account/sessions');
  }

  @StoreForm({ path: 'account/sessions/seen', page: 'sessions' }, CredentialsController, 'markFailuresSeen')
  async markSeen({ call }: FormRequest): Promise<FormFragment> {
    await this.credentials.markFailuresSeen(call.caller!);
    return new FormFragment('failures-seen', {});
  }

  @StorePage({
    path: 'account/tokens',
    view: 'tokens',
    title: 'tokens.title',
    needs: ['developer'],
    menu: { title: 'tokens.title', order: 30 },
  })
  async tokens(request: PageRequest): Promise<object> {
    const { caller, locale } = request.call;
    const { items } = await this.items.list(caller!, undefined, { page: 1, pageSize: 100, offset: 0 });
    const rows = (await this.credentials.listTokens(caller!)).map((token) => ({
      ...token,
      item_text: items.find(({ id }) => id === token.item_id)?.name ?? (token.item_id === null ? '' : `#${token.item_id}`),
      scopes_text: token.scopes.map((scope) => translate(locale, `storePages.scope_short.${scope}`)).join(', '),
    }));
    return {
      list: await showList(TOKENS, '/store/account/tokens', request, allOf(rows)),
      items: items.map(({ id, name }) => ({ id, id_text: String(id), name })),
      typed: request.refused?.values ?? { days: '90' },
    };
  }

  @StoreForm({ path: 'account/tokens', page: 'tokens' }, CredentialsController, 'createToken')
  async createToken(request: FormRequest): Promise<FormPage> {
    const form = await formOf(TokenForm, request, {
      scopes: request.fields.getAll('scopes'),
      item_id: Number(request.fields.get('item_id')) || undefined,
    });
    const { text, data } = await this.credentials.createToken(form, request.call);
    return new FormPage({ token: (data as { token: string }).token }, text, data);
  }

  @StoreForm({ path: 'account/tokens/:id/revoke', page: 'tokens' }, CredentialsController, 'revokeToken')
  async revokeToken(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.credentials.revokeToken(idOf(request), request.call), '/store/account/tokens');
  }
}
