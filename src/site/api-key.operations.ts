import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { SuccessReply, Operation, OperationError, PresentPassword } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { SiteSettings } from './site-settings.js';

class ShownAgainstPassword {
  /** The administrator's current password: an unattended session must not be enough to read the key. */
  @IsString() @MaxLength(256) ypass!: string;
}

/** Shows and renews the panel's API key after a password check; both are audited. Source: docs/panel-api.md "Settings". */
@Injectable()
export class ApiKeyOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly password: PresentPassword,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'apimyck',
    auth: 'admin',
    input: ShownAgainstPassword,
    audit: 'site.audit.api_key_shown',
    rate: 'write',
    secondProof: true,
  })
  async show({ ypass }: ShownAgainstPassword, ctx: CallContext): Promise<SuccessReply> {
    await this.checkPassword(ypass, ctx);
    return new SuccessReply('site.api_key', { apikey: this.settings.current.api });
  }

  /** Creates a new random key; the old one becomes invalid immediately. */
  @Operation({
    side: 'admin',
    gn: 'apimygx',
    auth: 'admin',
    input: ShownAgainstPassword,
    audit: 'site.audit.api_key_renewed',
    rate: 'write',
    secondProof: true,
  })
  async renew({ ypass }: ShownAgainstPassword, ctx: CallContext): Promise<SuccessReply> {
    await this.checkPassword(ypass, ctx);
    const api = randomBytes(24).toString('hex');
    await this.settings.change({ api });
    return new SuccessReply('site.api_key_renewed', { apikey: api });
  }

  /** Alias of {@link renew} for older programs. */
  @Operation({
    side: 'admin',
    gn: 'apicz',
    auth: 'admin',
    input: ShownAgainstPassword,
    audit: 'site.audit.api_key_renewed',
    rate: 'write',
    secondProof: true,
  })
  rotate(input: ShownAgainstPassword, ctx: CallContext): Promise<SuccessReply> {
    return this.renew(input, ctx);
  }

  private async checkPassword(given: string, { admin }: CallContext): Promise<void> {
    if (!(await this.password.isRight('admin', admin!, given)))
      throw new OperationError('INVALID_INPUT', { field: 'ypass' }, { ypass: 'site.password_wrong' });
  }
}
