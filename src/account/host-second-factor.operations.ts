import { Injectable } from '@nestjs/common';
import { IsInt, Min } from 'class-validator';

import { SecondFactors } from '../auth/index.js';
import { HostingError, HostingService } from '../hosting/index.js';
import { Operation, SuccessReply, WholeNumber } from '../operations/index.js';

import { AccountError } from './errors.js';

class HostInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Removes the lost second factor of a user. Source: docs/panel-api.md "Second factor". */
@Injectable()
export class HostSecondFactorOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly factors: SecondFactors,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'zjf2',
    auth: 'admin',
    input: HostInput,
    audit: 'account.audit.host_f2',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
    secondProof: true,
  })
  async remove({ id }: HostInput): Promise<SuccessReply> {
    const host = await this.hosting.get(id);
    if (!host) throw new HostingError('ACCOUNT_NOT_FOUND');
    if (!(await this.factors.remove('user', id))) throw new AccountError('HOST_SECOND_FACTOR_OFF');
    return new SuccessReply('account.f2_host_off', { id }, { user: host.user });
  }
}
