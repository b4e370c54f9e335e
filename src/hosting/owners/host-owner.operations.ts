import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { Customers } from '../../customers/index.js';
import { Database } from '../../database/index.js';
import { Operation, PresentPassword, RowIdOrZero, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { HostingNode } from '../entities/index.js';
import { fileAccount, HostIdInput, HostOperationError, HostRows } from '../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { HostOwnership } from './host-ownership.js';

/** Fields of `zjzp`: exactly one of the two. */
export class AssignHostInput extends HostIdInput {
  /** Id of the customer account; 0 for no owner. */
  @IsOptional() @RowIdOrZero() yh_id?: number;
  /** User name of the customer instead. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) yh = '';
}

/** Fields of `zjmmck`. */
export class ShowPasswordInput {
  /** Present password of the caller. */
  @IsString() @MaxLength(256) pass!: string;
}

/** Operations on the owner of a host and its credentials. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostOwnerOperations {
  constructor(
    private readonly ownership: HostOwnership,
    private readonly customers: Customers,
    private readonly rows: HostRows,
    private readonly access: SiteAccess,
    private readonly password: PresentPassword,
    private readonly database: Database,
  ) {}

  /** Assigns a host to a customer; the login of the host does not change. */
  @Operation({
    side: 'admin',
    gn: 'zjzp',
    auth: 'admin',
    input: AssignHostInput,
    audit: 'hosting.audit_assign',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async assign({ id, yh_id, yh }: AssignHostInput): Promise<SuccessReply> {
    const field = yh === '' ? 'yh_id' : 'yh';
    if ((yh_id === undefined) === (yh === '')) throw new HostOperationError('INVALID_FIELDS', {}, { [field]: 'hosting.field_customer' });
    const customer = yh_id === 0 ? null : yh === '' ? await this.customers.find(yh_id!) : await this.customers.findByName(yh);
    if (customer === null && yh_id !== 0) throw new HostOperationError('CUSTOMER_MISSING', {}, { [field]: 'hosting.customer_missing' });
    const { user } = await this.ownership.assign(id, customer?.id ?? null);
    const text = customer ? 'hosting.assigned' : 'hosting.unassigned';
    const name = customer?.username ?? { key: 'hosting.nobody' };
    return new SuccessReply(text, { ...(await this.rows.row(id)), yh: customer?.username ?? '' }, { user, customer: name });
  }

  /**
   * Returns the owner's FTP credentials after checking the present password. Only its hash is stored, so the entered password is returned:
   * both passwords are the same.
   *
   * @throws HostingError PORT_MISSING when the server has no FTP
   */
  @Operation({
    side: 'user',
    gn: 'zjmmck',
    auth: 'user',
    input: ShowPasswordInput,
    audit: 'hosting.audit_password_shown',
    rate: 'write',
    secondProof: true,
  })
  async showPassword({ pass }: ShowPasswordInput, ctx: CallContext): Promise<SuccessReply> {
    const { id, username } = ctx.user!;
    if (!(await this.password.isRight('user', { id, username }, pass))) {
      throw new HostOperationError('PASSWORD_WRONG', {}, { pass: 'hosting.password_wrong' });
    }
    const site = await this.access.ofOwner(ctx, 'read');
    const node = await this.database.repository(HostingNode).findOneByOrFail({ code: site.account.nodeCode });
    const ftp = { ...(await fileAccount(site, node.ftpAddress || node.address)), pass };
    return new SuccessReply('hosting.password_shown', { ftp }, { user: username });
  }
}
