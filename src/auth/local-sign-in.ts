import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';

/** A request and its answer, as Node has them. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Name and password as they stand in the form. */
export interface LoginForm {
  readonly user: string;
  readonly pass: string;
}

/** Whose the credentials are; false for nobody's. */
export type VerifyCredentials<Subject> = (user: string, pass: string) => Promise<Subject | false>;

/**
 * Passport's local strategy. A sign-in is an operation of `ajax.php`: its guards, of attempts and captchas, come first, then this with the
 * request itself and the fields of the login form where parsers put them (`req.body`). What the strategy finds there is handed to the
 * caller's check.
 *
 * It is no guard of Nest: those run before an operation's rate is counted and its fields are checked, and a password must not be looked at
 * before its captcha was right and the try is counted; both need the fields.
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

  /** Who signs in; null where a field is missing or `verify` knows nobody. @throws what `verify` throws */
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
