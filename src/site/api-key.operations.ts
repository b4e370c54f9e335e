import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { Administrators, PasswordHasher, RateLimiter } from '../auth/index.js';
import { SuccessReply, Operation, OperationError } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { SiteSettings } from './site-settings.js';

/** Guesses at the password of a signed-in administrator. */
const PASSWORD_RATE = { limit: 10, windowSeconds: 600 };

class ShownAgainstPassword {
  /** The administrator's present password: a session left open is not enough to take the key away. */
  @IsString() @MaxLength(256) ypass!: string;
}

/** The API key in the panel: seen and renewed against the administrator's password, both audited. Source: docs/panel-api.md "Settings". */
@Injectable()
export class ApiKeyOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly administrators: Administrators,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
  ) {}

  @Operation({ side: 'admin', gn: 'apimyck', auth: 'admin', input: ShownAgainstPassword, audit: 'site.audit.api_key_shown', rate: 'write' })
  async show({ ypass }: ShownAgainstPassword, ctx: CallContext): Promise<SuccessReply> {
    await this.checkPassword(ypass, ctx);
    return new SuccessReply('site.api_key', { apikey: this.settings.current.api });
  }

  /** A new random key; the old one ends at once. */
  @Operation({
    side: 'admin',
    gn: 'apimygx',
    auth: 'admin',
    input: ShownAgainstPassword,
    audit: 'site.audit.api_key_renewed',
    rate: 'write',
  })
  async renew({ ypass }: ShownAgainstPassword, ctx: CallContext): Promise<SuccessReply> {
    await this.checkPassword(ypass, ctx);
    const api = randomBytes(24).toString('hex');
    await this.settings.change({ api });
    return new SuccessReply('site.api_key_renewed', { apikey: api });
  }

  private async checkPassword(given: string, ctx: CallContext): Promise<void> {
    const { id } = ctx.admin!;
    const { allowed, retryAfterSeconds } = await this.limiter.hit(`password:admin:${id}`, PASSWORD_RATE);
    if (!allowed) throw new OperationError('RATE_LIMITED', { seconds: retryAfterSeconds });
    const administrator = await this.administrators.findById(id);
    if (!(await this.hasher.verify(given, administrator?.passwordHash ?? null))) {
      throw new OperationError('INVALID_INPUT', { field: 'ypass' }, { ypass: 'site.password_wrong' });
    }
  }
}
