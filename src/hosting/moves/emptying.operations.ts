import { Injectable } from '@nestjs/common';
import { IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';

import { Operation, RowId, SuccessReply, Trimmed, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';

import { ServerEmptyings } from './server-emptying.js';

/** Maximum parallel moves of one emptying. */
const MAX_PARALLEL = 4;
const SERVER = { of: 'server', field: 'id' } as const;

/** Identifies a server. */
class EmptiedServerInput {
  /** Its id. */
  @RowId() id!: number;
}

/** Fields of `btqk`. */
class EmptyServerInput extends EmptiedServerInput {
  /** Destination: the code of a server, `auto:` and the code of a group, or `auto`. */
  @Trimmed()
  @IsString()
  @IsNotEmpty({ message: 'moves.field_target' })
  @MaxLength(64, { message: 'moves.field_target' })
  btdh!: string;
  /** Parallel moves. */
  @WholeNumber()
  @IsInt({ message: 'moves.field_at_once' })
  @Min(1, { message: 'moves.field_at_once' })
  @Max(MAX_PARALLEL, { message: 'moves.field_at_once' })
  sl = 2;
}

/** Operations that empty servers. Source: docs/panel-api.md "Moving sites". */
@Injectable()
export class EmptyingOperations {
  constructor(private readonly emptyings: ServerEmptyings) {}

  @Operation({
    side: 'admin',
    gn: 'btqk',
    auth: 'admin',
    input: EmptyServerInput,
    audit: 'moves.audit_empty',
    rate: 'expensive',
    servers: [SERVER, { of: 'server-code', field: 'btdh' }],
  })
  async begin({ id, btdh, sl }: EmptyServerInput, ctx: CallContext): Promise<SuccessReply> {
    const { serverCode } = await this.emptyings.begin(id, btdh, sl, ctx.admin?.username ?? 'admin');
    return new SuccessReply('moves.empty_begun', {}, { server: serverCode, target: btdh, n: sl });
  }

  @Operation({
    side: 'admin',
    gn: 'btqktz',
    auth: 'admin',
    input: EmptiedServerInput,
    audit: 'moves.audit_empty_stop',
    rate: 'write',
    servers: SERVER,
  })
  async stop({ id }: EmptiedServerInput): Promise<SuccessReply> {
    const { serverCode } = await this.emptyings.stop(id);
    return new SuccessReply('moves.empty_stopped', {}, { server: serverCode });
  }

  @Operation({
    side: 'admin',
    gn: 'btqkjx',
    auth: 'admin',
    input: EmptiedServerInput,
    audit: 'moves.audit_empty_resume',
    rate: 'expensive',
    servers: SERVER,
  })
  async resume({ id }: EmptiedServerInput): Promise<SuccessReply> {
    const { serverCode } = await this.emptyings.resume(id);
    return new SuccessReply('moves.empty_resumed', {}, { server: serverCode });
  }
}
