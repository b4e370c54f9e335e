import type { ServerResponse } from 'node:http';

import { Controller } from '@nestjs/common';

import { AuthController, LoginForm, RegisterForm } from '../../accounts/index.js';

import { GoOn } from '../go-on.js';
import { formOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

/** Signing up, in and out. */
@Controller()
export class SignInPages {
  constructor(private readonly auth: AuthController) {}

  @StorePage({ path: 'login', view: 'login', title: 'login.title', open: true })
  loginPage(request: PageRequest): object {
    return this.signInPage(request);
  }

  @StoreForm({ path: 'login', page: 'loginPage' }, AuthController, 'login')
  async login(request: FormRequest, res: ServerResponse): Promise<GoOn> {
    const answer = await this.auth.login(formOf(LoginForm, request, captchaOf(request)), request.call, res);
    return GoOn.after(answer, nextAddress(request.fields.get('next')));
  }

  @StorePage({ path: 'register', view: 'register', title: 'register.title', open: true })
  registerPage(request: PageRequest): object {
    return this.signInPage(request);
  }

  @StoreForm({ path: 'register', page: 'registerPage' }, AuthController, 'register')
  async register(request: FormRequest, res: ServerResponse): Promise<GoOn> {
    const answer = await this.auth.register(formOf(RegisterForm, request, captchaOf(request)), request.call, res);
    return GoOn.after(answer, nextAddress(request.fields.get('next')));
  }

  @StoreForm({ path: 'logout', page: 'loginPage' }, AuthController, 'logout')
  async logout({ call }: FormRequest, res: ServerResponse): Promise<GoOn> {
    return GoOn.after(await this.auth.logout(call, res), '/store/');
  }

  private signInPage({ query, refused }: PageRequest): object {
    const next = nextAddress(refused?.values.next ?? query.next);
    // The other of the two pages leads to the same place.
    const search = next === '/store/' ? '' : `?next=${encodeURIComponent(next)}`;
    return { next_address: next, next_search: search, typed: refused?.values ?? {} };
  }
}

/** What was read in the picture, with the work of the browser behind it where some was asked. */
function captchaOf({ fields }: FormRequest): { captcha: string } {
  return { captcha: fields.get('captcha')?.trim() ?? '' };
}

/** Where somebody wanted to go before signing in: a page of the store, nothing else. */
function nextAddress(wanted: string | null | undefined): string {
  // Any base does: what names another host is not below it.
  const base = 'http://store.invalid';
  const url = wanted && URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  return url && url.origin === base && url.pathname.startsWith('/store/') ? url.pathname + url.search : '/store/';
}
