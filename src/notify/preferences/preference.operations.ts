import { Injectable } from '@nestjs/common';
import { IsBoolean, IsEmail, IsIn, IsOptional, MaxLength, ValidateIf } from 'class-validator';

import { DAY_MS, Clock, LOCALES } from '../../common/index.js';
import { checkVersion, VersionField } from '../../http/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { Operation, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';
import { NotifyError } from '../errors.js';
import { Mailer } from '../mail/index.js';
import { NOTICE_KINDS, type NoticeKind } from '../notice.js';
import { NOTICE_WAYS, Preferences, type NoticeWay } from '../receivers/index.js';

import { MAIL_CONFIRM_TASK, type ConfirmMail } from './confirm-mails.js';
import { preferenceForm } from './preference-form.js';

/** Field of {@link PreferenceInput} for a kind and way, such as `traffic_mail`. */
type SwitchField = `${NoticeKind}_${NoticeWay}`;

/** Fields of `tzsz`, including one switch per kind and way, such as `traffic_mail`. */
class PreferenceInput {
  /** Address for mails; empty for the account's address. A user's address must be confirmed first. */
  @IsOptional()
  @Trimmed()
  @ValidateIf((_, value) => value !== '')
  @MaxLength(254)
  @IsEmail({}, { message: 'notify.mail_address_rule' })
  email?: string;
  /** Language of mails; empty for that of the installation. */
  @IsOptional() @IsIn([...LOCALES, '']) yy?: string;
  /** Whether many notices are combined into one message. */
  @IsOptional() @Switch() @IsBoolean() hz?: boolean;
  @VersionField() row_version?: string;
}

/** Like {@link PreferenceInput} for users, with channel switches; administrators share channels, which select their kinds themselves. */
class UserPreferenceInput extends PreferenceInput {}

for (const kind of NOTICE_KINDS) {
  for (const way of NOTICE_WAYS) {
    const { prototype } = way === 'channel' ? UserPreferenceInput : PreferenceInput;
    for (const decorate of [IsOptional(), Switch(), IsBoolean()]) decorate(prototype, `${kind}_${way}`);
  }
}

/** Fields of `mailbd`. */
class MailAddressInput {
  /** Address for mails after its confirmation. */
  @Trimmed() @MaxLength(254) @IsEmail({}, { message: 'notify.mail_address_rule' }) mail!: string;
}

/** How long a confirmation link is valid, in milliseconds. */
const CONFIRM_MS = DAY_MS;

/** Operations on the caller's notification preferences. Source: docs/panel-api.md "Notices". */
@Injectable()
export class PreferenceOperations {
  constructor(
    private readonly preferences: Preferences,
    private readonly mailer: Mailer,
    private readonly queue: BackgroundQueue,
    private readonly clock: Clock,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'tzsz',
    auth: 'admin',
    input: PreferenceInput,
    audit: 'notify.audit_preferences',
    rate: 'write',
    own: true,
  })
  async ofAdmin(input: PreferenceInput, ctx: CallContext): Promise<SuccessReply> {
    const email = input.email === undefined ? {} : { email: input.email || null };
    await this.save('admin', ctx.admin!.id, input, email);
    return new SuccessReply('site.saved');
  }

  @Operation({ side: 'user', gn: 'tzsz', auth: 'user', input: UserPreferenceInput, audit: 'notify.audit_preferences', rate: 'write' })
  async ofUser(input: UserPreferenceInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = ctx.user!;
    const { email } = input;
    const isNew = !!email && email !== (await this.preferences.of('user', id)).email;
    if (isNew) this.requireMail('email');
    await this.save('user', id, input, email === '' ? { email: null } : {});
    return isNew ? this.askToConfirm(id, email) : new SuccessReply('site.saved');
  }

  /** Sets only the address, under the name used by older clients. Source: docs/panel-api.md "Notices". */
  @Operation({ side: 'user', gn: 'mailbd', auth: 'user', input: MailAddressInput, audit: 'notify.audit_preferences', rate: 'write' })
  async bindMail({ mail }: MailAddressInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = ctx.user!;
    if ((await this.preferences.of('user', id)).email === mail) return new SuccessReply('site.saved');
    this.requireMail('mail');
    return this.askToConfirm(id, mail);
  }

  private requireMail(field: string): void {
    if (!this.mailer.isSetUp) throw new NotifyError('NO_MAIL', {}, { [field]: 'notify.no_mail' });
  }

  private async askToConfirm(id: number, email: string): Promise<SuccessReply> {
    const mail: ConfirmMail = { side: 'user', accountId: id, email, until: this.clock.now().getTime() + CONFIRM_MS };
    // Deduplicated by key until the first mail is sent, so that an address cannot be flooded.
    await this.queue.add(MAIL_CONFIRM_TASK, mail, { key: `${id}:${email}`.slice(0, 120) });
    return new SuccessReply('notify.confirm_sent', {}, { email });
  }

  private save(side: Scope, id: number, input: PreferenceInput, email: { email?: string | null }): Promise<void> {
    const switches = input as PreferenceInput & Partial<Record<SwitchField, boolean>>;
    return this.preferences.change(side, id, (row) => {
      checkVersion(input.row_version, preferenceForm(side, row));
      const off = new Set(row.off);
      for (const kind of NOTICE_KINDS) {
        for (const way of NOTICE_WAYS) {
          const wanted = switches[`${kind}_${way}`];
          if (wanted === true) off.delete(`${kind}.${way}`);
          if (wanted === false) off.add(`${kind}.${way}`);
        }
      }
      return {
        ...email,
        off: [...off],
        ...(input.yy === undefined ? {} : { locale: input.yy }),
        ...(input.hz === undefined ? {} : { digest: input.hz }),
      };
    });
  }
}
