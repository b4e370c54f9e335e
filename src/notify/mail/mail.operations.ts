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
  /** Name or address of the server; empty: no mail is sent. */
  @IsOptional() @Trimmed() @Matches(/^$|^[A-Za-z0-9.:_-]{1,253}$/, { message: 'notify.mail_host_rule' }) host?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(65_535) port?: number;
  /** Account at the server; empty: nobody signs in, and the password is forgotten. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(254) user?: string;
  /** Empty leaves it as it is. */
  @IsOptional() @IsString() @MaxLength(512) password?: string;
  /** `ssl` from the first byte on, `starttls` after the greeting, `none`. */
  @IsOptional() @OneOf(MAIL_TLS) tls?: MailTls;
  /** Name of the sender; empty: that of the site. */
  @IsOptional() @Trimmed() @Matches(/^[^\p{Cc}<>"]{0,100}$/u, { message: 'notify.mail_name_rule' }) name?: string;
  /** Address of the sender; empty: the account. */
  @IsOptional() @Trimmed() @ValidateIf((_, value) => value !== '') @IsEmail({}, { message: 'notify.mail_address_rule' }) from?: string;
  @VersionField() row_version?: string;
}

class MailTestInput {
  @Trimmed() @MaxLength(254) @IsEmail({}, { message: 'notify.mail_address_rule' }) to!: string;
}

/** What `mailmode` sets, by the names of its fields, as the page shows it: the password never. */
export const mailForm = (settings: Readonly<SiteConfig>) => ({
  host: settings.mailHost,
  port: settings.mailPort,
  user: settings.mailUser,
  tls: settings.mailTls,
  name: settings.mailSender,
  from: settings.mailFrom,
});

/** The mail server of the installation. Source: docs/panel-api.md "Mail". */
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
      // Nobody learns a password he is not shown by naming a server of his own.
      if (host && host !== row.mailHost && row.mailPassword !== null && given.mailPassword === undefined)
        throw new NotifyError('MAIL_PASSWORD_AGAIN', {}, { password: 'notify.mail_password_again' });
    });
    const extras = nextVersion(row_version, mailForm(this.settings.current));
    return new SuccessReply('site.saved', extras);
  }

  /** Sends a mail with the settings as they are saved, and says what is wrong with them. @throws MailFailure */
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
