import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { MIN_PASSWORD } from '../auth/index.js';
import { DATABASE_PASSWORD, HostingError, HostingService } from '../hosting/index.js';
import { SuccessReply, Operation, PresentPassword, Switch } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { OwnDatabase } from './own-database.js';
import { SignIn } from './sign-in.js';

class NewPasswordInput {
  /** The current password. */
  @IsOptional() @IsString() @MaxLength(256) yp = '';
  @IsOptional() @IsString() @MaxLength(64) pass = '';
  /** Name of `pass` in older themes. */
  @IsOptional() @IsString() @MaxLength(64) ftp?: string;
  /** New password of the database, if the server provides one per site. */
  @IsOptional() @IsString() @MaxLength(64) sql?: string;
  /** Whether to change the FTP password as well; ignored, because it always changes. */
  @IsOptional() @Switch() @IsBoolean() tb?: boolean;
}

/** The password of a host's owner, which is also used for FTP. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class OwnPasswordOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly database: OwnDatabase,
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
    const owner = await this.password.verify('user', ctx.user!, input.yp);
    if (!owner) throw new AccountError('OLD_PASSWORD_WRONG');
    // First, while the caller's session is still valid: if the server rejects it, nothing else is changed.
    if (hasDatabase) await this.database.changePassword(ctx, input.sql!);
    const headers = wanted ? await this.setUserPassword(ctx.user!.id, wanted, owner.passwordHash, ctx) : {};
    const changed = [...(wanted ? ['account.password_of_panel'] : []), ...(hasDatabase ? ['account.password_of_database'] : [])];
    const text = input.sql && !hasDatabase ? 'account.changed_without_database' : 'account.changed';
    return new SuccessReply(text, {}, { what: changed.map((key) => ({ key })) }, headers);
  }

  /** Also changes it on the server, if it is used for FTP; the caller gets a new session. */
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
 * Returns the new sign-in password; empty to keep it, if only the database password changes.
 *
 * @throws AccountError whose texts match the form's field names
 */
function newPassword({ pass, ftp, sql }: NewPasswordInput, hasDatabase: boolean): string {
  if (pass === '' && (ftp !== undefined || sql !== undefined)) {
    if (!ftp && !sql) throw new AccountError('NO_PASSWORD');
    if ([ftp, sql].some((password) => password && password.length < MIN_PASSWORD)) throw new AccountError('PASSWORDS_RULE');
  }
  const wanted = pass || (ftp ?? '');
  if (hasDatabase && !DATABASE_PASSWORD.test(sql!)) throw new AccountError('PASSWORDS_RULE', {}, { sql: 'hosting.database_password' });
  if (hasDatabase && wanted === '') return '';
  // Without a database, the request would succeed without changing anything.
  if (sql && wanted === '') throw new AccountError('DATABASE_PASSWORD', {}, { sql: 'account.database_password' });
  if (wanted.length < MIN_PASSWORD) throw new AccountError('PASSWORD_RULE');
  return wanted;
}
