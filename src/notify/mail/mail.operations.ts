import { Injectable } from '@nestjs/common';
import { IsEmail, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';

import { localeOf, translate } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { checkVersion, nextVersion, VersionField } from '../../http/index.js';
import type { SiteConfig } from '../../site/index.js';
import { OneOf, Operation, SuccessReply, Trimmed, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';

import { NotifyError } from '../errors.js';

import { MAIL_PASSWORD_PLACE, Mailer } from './mailer.js';
import { MAIL_TLS, type MailTls } from './smtp.js';

class MailInput {
  /** Host name or address of the server; empty disables mail. */
  @IsOptional() @Trimmed() @Matches(/^$|^[A-Za-z0-9.:_-]{1,253}$/, { message: 'notify.mail_host_rule' }) host?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(65_535) port?: number;
  /** Account at the server; empty disables authentication and deletes the password. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(254) user?: string;
  /** Empty keeps the present password. */
  @IsOptional() @IsString() @MaxLength(512) password?: string;
  /** `ssl` (implicit TLS), `starttls` or `none`. */
  @IsOptional() @OneOf(MAIL_TLS) tls?: MailTls;
  /** Name of the sender; empty for the site's name. */
  @IsOptional() @Trimmed() @Matches(/^[^\p{Cc}<>"]{0,100}$/u, { message: 'notify.mail_name_rule' }) name?: string;
  /** Address of the sender; empty for the account. */
  @IsOptional() @Trimmed() @ValidateIf((_, value) => value !== '') @IsEmail({}, { message: 'notify.mail_address_rule' }) from?: string;
  @VersionField() row_version?: string;
}

class MailTestInput {
  @Trimmed() @MaxLength(254) @IsEmail({}, { message: 'notify.mail_address_rule' }) to!: string;
}

/** Fields of `mailmode` with their values, without the password. */
export const mailForm = (settings: Readonly<SiteConfig>) => ({
  host: settings.mailHost,
  port: settings.mailPort,
  user: settings.mailUser,
  tls: settings.mailTls,
  name: settings.mailSender,
  from: settings.mailFrom,
});

/** Operations on the installation's mail server. Source: docs/panel-api.md "Mail". */
@Injectable()
export class MailOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly secrets: Secrets,
    private readonly mailer: Mailer,
  ) {}

  @Operation({ side: 'admin', gn: 'mailmode', auth: 'admin', input: MailInput, audit: 'notify.audit_mail', rate: 'write' })
  async save({ host, port, user, password, tls, name, from, row_version }: MailInput): Promise<SuccessReply> {
    const given = {
      mailHost: host,
      mailPort: port,
      mailUser: user,
      mailPassword: user === '' ? null : password ? this.secrets.seal(password, MAIL_PASSWORD_PLACE) : undefined,
      mailTls: tls,
      mailSender: name,
      mailFrom: from,
    };
    const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<SiteConfig>;
    await this.settings.change(values, (row) => {
      checkVersion(row_version, mailForm(row));
      // Prevents revealing the stored password by pointing the settings at another server.
      if (host && host !== row.mailHost && row.mailPassword !== null && given.mailPassword === undefined)
        throw new NotifyError('MAIL_PASSWORD_AGAIN', {}, { password: 'notify.mail_password_again' });
    });
    const extras = nextVersion(row_version, mailForm(this.settings.current));
    return new SuccessReply('site.saved', extras);
  }

  /** Sends a test mail with the saved settings. @throws MailFailure describing the problem */
  @Operation({ side: 'admin', gn: 'mailcs', auth: 'admin', input: MailTestInput, audit: 'notify.audit_mail_tested', rate: 'expensive' })
  async test({ to }: MailTestInput, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const site = { site: this.settings.current.name };
    await this.mailer.send({
      to,
      subject: translate(locale, 'notify.mail_test_subject', site),
      text: translate(locale, 'notify.mail_test_text', site),
    });
    return new SuccessReply('notify.mail_sent', {}, { to });
  }
}
