import type { ServerResponse } from 'node:http';

import { Controller } from '@nestjs/common';

import { AuthController, LoginForm, RegisterForm } from '../../accounts/index.js';

import { FormRedirect } from '../form-results.js';
import { formOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

/** Pages for registration, sign-in and sign-out. */
@Controller()
export class SignInPages {
  constructor(private readonly auth: AuthController) {}

  @StorePage({ path: 'login', view: 'login', title: 'login.title', open: true })
  loginPage(request: PageRequest): object {
    return this.signInPage(request);
  }

  @StoreForm({ path: 'login', page: 'loginPage' }, AuthController, 'login')
  async login(request: FormRequest, res: ServerResponse): Promise<FormRedirect> {
    const answer = await this.auth.login(formOf(LoginForm, request, captchaOf(request)), request.call, res);
    return FormRedirect.after(answer, nextAddress(request.fields.get('next')));
  }

  @StorePage({ path: 'register', view: 'register', title: 'register.title', open: true })
  registerPage(request: PageRequest): object {
    return this.signInPage(request);
  }

  @StoreForm({ path: 'register', page: 'registerPage' }, AuthController, 'register')
  async register(request: FormRequest, res: ServerResponse): Promise<FormRedirect> {
    const answer = await this.auth.register(formOf(RegisterForm, request, captchaOf(request)), request.call, res);
    return FormRedirect.after(answer, nextAddress(request.fields.get('next')));
  }

  @StoreForm({ path: 'logout', page: 'loginPage' }, AuthController, 'logout')
  async logout({ call }: FormRequest, res: ServerResponse): Promise<FormRedirect> {
    return FormRedirect.after(await this.auth.logout(call, res), '/store/');
  }

  private signInPage({ query, refused }: PageRequest): object {
    const next = nextAddress(refused?.values.next ?? query.next);
    // Keeps the return address when switching between sign-in and registration.
    const search = next === '/store/' ? '' : `?next=${encodeURIComponent(next)}`;
    return { next_address: next, next_search: search, typed: refused?.values ?? {} };
  }
}

/** The captcha answer, including the browser's proof of work if required. */
function captchaOf({ fields }: FormRequest): { captcha: string } {
  return { captcha: fields.get('captcha')?.trim() ?? '' };
}

/** Return address after sign-in; only pages of the store are allowed. */
function nextAddress(wanted: string | null | undefined): string {
  // An arbitrary base: a URL with another host will not match its origin.
  const base = 'http://store.invalid';
  const url = wanted && URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  return url && url.origin === base && url.pathname.startsWith('/store/') ? url.pathname + url.search : '/store/';
}
