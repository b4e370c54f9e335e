import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';

/** A Node request and response. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Name and password from the form. */
export interface LoginForm {
  readonly user: string;
  readonly pass: string;
}

/** Returns the account of the credentials; false if they are wrong. */
export type VerifyCredentials<Subject> = (user: string, pass: string) => Promise<Subject | false>;

/**
 * Passport's local strategy. A sign-in is an operation of `ajax.php`: its guards, for attempts and captchas, run first, then the
 * strategy with the request itself and the fields of the login form where body parsers put them (`req.body`). It passes
 * them to the caller's check.
 *
 * Not a Nest guard: those run before an operation's rate is counted and its fields are validated, while a password must only be
 * verified after its captcha was right and the attempt was counted; both need the fields.
 *
 * @example
 * ```ts
 * const subject = await signIn.admit(exchange, { user, pass }, (name, password) => accounts.find(name, password));
 * if (subject === null) throw new LoginError('CREDENTIALS_WRONG_USER');
 * ```
 */
@Injectable()
export class LocalSignIn {
  private readonly passport = new Passport();

  /** Returns the authenticated account; null if a field is missing or `verify` returns false. @throws what `verify` throws */
  admit<Subject extends object>({ req, res }: HttpExchange, form: LoginForm, verify: VerifyCredentials<Subject>): Promise<Subject | null> {
    const strategy = new LocalStrategy({ usernameField: 'user', passwordField: 'pass', session: false }, (user, pass, done) => {
      verify(user, pass).then(
        (subject) => done(null, subject),
        (error: unknown) => done(error),
      );
    });
    return new Promise((resolve, reject) => {
      const answer = (error: unknown, subject?: Subject | false): void => {
        if (error) reject(error as Error);
        else resolve(subject || null);
      };
      const authenticate = this.passport.authenticate(strategy, { session: false }, answer) as (
        ...exchange: [IncomingMessage, ServerResponse, (error: unknown) => void]
      ) => void;
      authenticate(Object.assign(req, { body: form }), res, reject);
    });
  }
}
