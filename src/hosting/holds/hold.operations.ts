import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { ZonedClock } from '../../config/index.js';
import { checkVersion, VersionField } from '../../http/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import { AccountHolds } from '../accounts/index.js';
import { expiryField, HostIdInput, HostRows, withFormNames } from '../operations/index.js';
import { holdForm } from '../wire/index.js';

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.hold_title' },
  texts: [{ key: 'hosting.hold_notice', params: { day: '2026-12-31' } }, { key: 'hosting.hold_ended_notice' }],
});

/** Fields of `zjgq`. */
export class HoldInput extends HostIdInput {
  /** Last day of the hold; empty, `0` or `0000-00-00` ends it. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(40) date = '';
  @VersionField() row_version?: string;
}

/** Manages holds of hosts. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HoldOperations {
  constructor(
    private readonly holds: AccountHolds,
    private readonly rows: HostRows,
    private readonly notices: Notices,
    private readonly clock: ZonedClock,
  ) {}

  /** Prevents jobs from pausing a host until a day, and notifies its owner. @throws StaleForm */
  @Operation({
    side: 'admin',
    gn: 'zjgq',
    auth: 'admin',
    input: HoldInput,
    audit: 'hosting.audit_hold',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async hold({ id, date, row_version }: HoldInput): Promise<SuccessReply> {
    const day = expiryField(date, this.clock.timezone, 'date');
    const { user, holdUntil } = await withFormNames(() =>
      this.holds.set(id, day, 'admin', {
        check: (present) => checkVersion(row_version, holdForm(present)),
        also: ({ username }) => this.notify(id, username, day),
      }),
    );
    const text = holdUntil === null ? 'hosting.hold_ended' : 'hosting.held';
    return new SuccessReply(text, await this.rows.row(id), { user, day: holdUntil ?? { key: 'hosting.no_hold' } });
  }

  private notify(id: number, user: string, day: string | null): Promise<number> {
    return this.notices.send({
      to: { account: user },
      kind: 'expire',
      level: 'info',
      key: `hold:${id}:${this.clock.now().getTime()}`,
      title: { key: 'hosting.hold_title' },
      text: day === null ? { key: 'hosting.hold_ended_notice' } : { key: 'hosting.hold_notice', params: { day } },
      link: '/user/',
    });
  }
}
