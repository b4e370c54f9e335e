import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { Operation, RowId, SuccessReply, Trimmed } from '../../operations/index.js';

import { ShopTest } from './shop-test.js';

/** Fields of `djcs`. */
export class ShopTestInput {
  /** Id of a server. */
  @RowId() id!: number;
  /** IP address the shop calls from; required if an allow list is set. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) ip?: string;
  /** The API key as entered in the shop; empty: the panel's. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(256) key?: string;
  /** The calling key as entered in the shop; empty: the server's. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(256) keye?: string;
}

/** Operations to connect a shop. Source: docs/panel-api.md "Connecting a shop". */
@Injectable()
export class ShopOperations {
  constructor(private readonly test: ShopTest) {}

  /** Calls the provisioning API as a shop would. @throws ShopError */
  @Operation({
    side: 'admin',
    gn: 'djcs',
    auth: 'admin',
    input: ShopTestInput,
    audit: 'hosting.audit_shop_test',
    rate: 'expensive',
    servers: { of: 'server', field: 'id' },
  })
  async tryOut({ id, ip = '', key = '', keye = '' }: ShopTestInput): Promise<SuccessReply> {
    const { node, url } = await this.test.run({ nodeId: id, ip, apiKey: key, callingKey: keye });
    return new SuccessReply('hosting.shop_works', { bh: node.code, url }, { code: node.code });
  }
}
