import { Injectable } from '@nestjs/common';
import { IsInt, Min } from 'class-validator';

import { ListInput, ListReply, Operation, WholeNumber } from '../../operations/index.js';
import { HostList, HostRows } from '../operations/index.js';

/** Fields of `yhzj`. */
class CustomerHostsInput extends ListInput {
  /** Id of the customer. */
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Lists the hosts of a customer for administrators. Source: docs/panel-api.md "Customers". */
@Injectable()
export class CustomerHostOperations {
  constructor(
    private readonly list: HostList,
    private readonly rows: HostRows,
  ) {}

  @Operation({ side: 'admin', gn: 'yhzj', auth: 'admin', input: CustomerHostsInput, audit: null, rate: 'read' })
  async hosts({ id, page, limit, sortOrder }: CustomerHostsInput): Promise<ListReply> {
    const { total, rows } = await this.list.page({ ownerId: id, page, limit, sortOrder, search: null });
    return new ListReply(total, await this.rows.rowsOf(rows));
  }
}
