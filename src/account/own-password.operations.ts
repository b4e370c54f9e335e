import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { PasswordHasher, UserDirectory } from '../auth/index.js';
import { DATABASE_PASSWORD, HostingError, HostingService } from '../hosting/index.js';
import { SuccessReply, Operation, PresentPassword, Switch } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { OwnDatabase } from './own-database.js';
import { MIN_PASSWORD } from './password-rules.js';
import { SignIn } from './sign-in.js';

class NewPasswordInput {
  /** The present password. */
  @IsOptional() @IsString() @MaxLength(256) yp = '';
  @IsOptional() @IsString() @MaxLength(64) pass = '';
  /** The name `pass` has in older themes. */
  @IsOptional() @IsString() @MaxLength(64) ftp?: string;
  /** New password of the database, where the server has one for each site. */
  @IsOptional() @IsString() @MaxLength(64) sql?: string;
  /** Whether FTP gets it too: it always does. */
  @IsOptional() @Switch() @IsBoolean() tb?: boolean;
}

/** The password of a host's owner, which is that of FTP too. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class OwnPasswordOperations {
  constructor(
    private readonly users: UserDirectory,
    private readonly hosting: HostingService,
    private readonly database: OwnDatabase,
    private readonly hasher: PasswordHasher,
    private readonly password: PresentPassword,
    private readonly signIn: SignIn,
  ) {}

  @Operation({
    side: 'user',
    gn: 'xgpass',
    auth: 'user',
    input: NewPasswordInput,
    audit: 'account.audit.password',
    rate: 'write',
    own: true,
  })
  async changeUserPassword(input: NewPasswordInput, ctx: CallContext): Promise<SuccessReply> {
    if (input.tb === false) throw new AccountError('PASSWORD_SYNCED', {}, { tb: 'account.password_synced' });
    const hasDatabase = Boolean(input.sql) && (await this.database.isThere(ctx));
    const wanted = newPassword(input, hasDatabase);
    const { id, username } = ctx.user!;
    await this.password.countGuess('user', id);
    const candidate = await this.users.findForLogin(username);
    if (!(await this.hasher.verify(input.yp, candidate?.passwordHash ?? null))) throw new AccountError('OLD_PASSWORD_WRONG');
    // First, while the caller's session still is what it was: where the server does not take it, nothing else is changed.
    if (hasDatabase) await this.database.changePassword(ctx, input.sql!);
    const headers = wanted ? await this.setUserPassword(id, wanted, candidate!.passwordHash, ctx) : {};
    const changed = [...(wanted ? ['account.password_of_panel'] : []), ...(hasDatabase ? ['account.password_of_database'] : [])];
    const text = input.sql && !hasDatabase ? 'account.changed_without_database' : 'account.changed';
    return new SuccessReply(text, {}, { what: changed.map((key) => ({ key })) }, headers);
  }

  /** On the server too, where the password is that of FTP; the caller goes on under a new session. */
  private async setUserPassword(id: number, password: string, presentHash: string, ctx: CallContext): Promise<Record<string, string[]>> {
    let headers: Record<string, string[]> = {};
    const afterwards = async (): Promise<void> => {
      headers = await this.signIn.rotate('user', id, ctx);
    };
    try {
      await this.hosting.changePassword(id, password, { presentHash, afterwards });
      return headers;
    } catch (error) {
      throw error instanceof HostingError && error.code === 'ACCOUNT_STATE' ? new AccountError('OLD_PASSWORD_WRONG') : error;
    }
  }
}

/**
 * What somebody wants to sign in with from now on; empty where it is to stay, and the database alone gets another password.
 *
 * @throws AccountError in the words the form's names go with
 */
function newPassword({ pass, ftp, sql }: NewPasswordInput, hasDatabase: boolean): string {
  if (pass === '' && (ftp !== undefined || sql !== undefined)) {
    if (!ftp && !sql) throw new AccountError('NO_PASSWORD');
    if ([ftp, sql].some((password) => password && password.length < MIN_PASSWORD)) throw new AccountError('PASSWORDS_RULE');
  }
  const wanted = pass || (ftp ?? '');
  if (hasDatabase && !DATABASE_PASSWORD.test(sql!)) throw new AccountError('PASSWORDS_RULE', {}, { sql: 'hosting.database_password' });
  if (hasDatabase && wanted === '') return '';
  // Alone it would be a success that changed nothing.
  if (sql && wanted === '') throw new AccountError('DATABASE_PASSWORD', {}, { sql: 'account.database_password' });
  if (wanted.length < MIN_PASSWORD) throw new AccountError('PASSWORD_RULE');
  return wanted;
}
