import { Injectable } from '@nestjs/common';

import { Access, SecondFactors, accessOf } from '../auth/index.js';
import { Preferences } from '../notify/index.js';
import { NoInput, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';
import { NoticeBell } from '../web/index.js';

/** The signed-in account and its permissions. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class ProfileOperations {
  constructor(
    private readonly factors: SecondFactors,
    private readonly preferences: Preferences,
    private readonly bell: NoticeBell,
  ) {}

  @Operation({ side: 'admin', gn: 'wdxx', auth: 'admin', input: NoInput, audit: null, rate: 'read', own: true })
  ofAdmin(_input: NoInput, { admin }: CallContext): Promise<SuccessReply> {
    return this.profile('admin', admin!, accessOf(admin));
  }

  @Operation({ side: 'user', gn: 'wdxx', auth: 'user', input: NoInput, audit: null, rate: 'read', own: true })
  ofUser(_input: NoInput, { user }: CallContext): Promise<SuccessReply> {
    return this.profile('user', user!, null);
  }

  private async profile(side: Scope, { id, username }: { id: number; username: string }, access: Access | null): Promise<SuccessReply> {
    const [factor, preferences, bell] = await Promise.all([
      this.factors.state(side, id),
      this.preferences.of(side, id),
      this.bell.of(side, id),
    ]);
    return new SuccessReply('account.profile', {
      id,
      user: username,
      ...(access ? { qx: access.patterns, nodes: access.servers } : {}),
      f2: factor.enabled,
      email: preferences.email ?? '',
      yy: preferences.locale ?? '',
      unread: bell?.unread ?? 0,
      // Cross-site requests are detected by their Origin, so there is no CSRF token.
      csrf: '',
    });
  }
}
