import { Inject, Injectable, Optional } from '@nestjs/common';

import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import type { Scope } from '../sdk/index.js';

import { Administrators } from './administrators.js';
import { LoginError, LoginRefusal } from './errors.js';
import { LocalSignIn, type HttpExchange } from './local-sign-in.js';
import { MAX_PASSWORD, PasswordHasher } from './password-hasher.js';
import { type LoginCandidate, UserDirectory } from './user-directory.js';

/** In characters, as in the form that sets it. */
const MAX_USERNAME = 64;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** An account whose password was verified, with the hash it was verified against. */
export type Subject = Pick<LoginCandidate, 'id' | 'username' | 'passwordHash'>;

/** An entered name and password, with the request that carried them. */
export interface TypedCredentials {
  readonly username: string;
  readonly password: string;
  readonly exchange: HttpExchange;
}

/** Looks up accounts and verifies passwords: passport's local strategy ({@link LocalSignIn}) over the accounts of both sides. */
@Injectable()
export class Credentials {
  constructor(
    private readonly config: AppConfig,
    private readonly local: LocalSignIn,
    private readonly administrators: Administrators,
    private readonly hasher: PasswordHasher,
    /** Directory of the user side's accounts; null in a process without a panel. */
    @Optional() @Inject(UserDirectory) private readonly directory: UserDirectory | null = null,
  ) {}

  /** Returns the account of a name. MySQL ignores accents in comparisons; such variants are treated as different names. */
  async candidateFor(scope: Scope, username: string): Promise<LoginCandidate | null> {
    if (!isWithin(username, MAX_USERNAME) || CONTROL.test(username)) return null;
    if (scope === 'admin') {
      const administrator = await this.administrators.findByName(username);
      return administrator && { ...administrator, ...(administrator.enabled ? {} : { refusal: { text: 'auth.administrator_disabled' } }) };
    }
    const found = (await this.directory?.findForLogin(username)) ?? null;
    return found?.username.toLowerCase() === username.toLowerCase() ? found : null;
  }

  /** @throws LoginError, the same for an unknown account and a wrong password; LoginRefusal for an account that may not sign in */
  async check(scope: Scope, { username, password, exchange }: TypedCredentials, candidate: LoginCandidate | null): Promise<Subject> {
    const isPossible = isWithin(username, MAX_USERNAME) && isWithin(password, MAX_PASSWORD) && !CONTROL.test(username);
    const form = { user: username, pass: password };
    const subject = isPossible && (await this.local.admit(exchange, form, (_user, pass) => this.verify(scope, candidate, pass)));
    if (!subject) throw wrongCredentials(scope);
    return subject;
  }

  /** Takes equally long for unknown names. */
  private async verify(scope: Scope, candidate: LoginCandidate | null, password: string): Promise<Subject | false> {
    if (!(await this.hasher.verify(password, candidate?.passwordHash ?? null))) return false;
    if (scope === 'admin' && password === DEFAULT_ADMIN_PASSWORD && !this.config.defaultPasswordAllowed)
      throw new LoginError('DEFAULT_PASSWORD_REFUSED');
    if (candidate!.refusal) throw new LoginRefusal(candidate!.refusal.text, candidate!.refusal.params);
    return candidate!;
  }
}

/** Returns the error for a wrong name or password. */
export function wrongCredentials(scope: Scope): LoginError {
  return new LoginError(scope === 'admin' ? 'CREDENTIALS_WRONG_ADMIN' : 'CREDENTIALS_WRONG_USER');
}

function isWithin(text: string, length: number): boolean {
  return text !== '' && text.length <= 2 * length && [...text].length <= length;
}
