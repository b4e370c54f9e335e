import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { localeOf, translate } from '../../common/index.js';
import { ListInput, ListReply, Operation, RawReply, RowId, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SWITCHING, type SiteMove, type SiteMoveState } from '../entities/index.js';
import { NodesService } from '../nodes/index.js';

import { translatedFit } from './move-fit.js';
import { MoveRecords } from './move-records.js';
import { type MoveLine, MoveRows } from './move-rows.js';
import { MoveWork } from './move-work.js';
import { OldSites } from './old-sites.js';

const STATES: readonly SiteMoveState[] = ['copying', 'closing', SWITCHING, 'kept', 'returning', 'clearing', 'done', 'undoing', 'failed'];

/** Identifies a host. */
class MovedHostInput {
  /** Its id. */
  @RowId() id!: number;
}

/** Fields of `zjqyjc` and `zjqy`. */
class MoveInput extends MovedHostInput {
  /** Code of the server to move it to. */
  @Trimmed() @IsString() @MaxLength(64) btdh!: string;
}

/** Fields of `listqy`. */
class MoveListInput extends ListInput {
  /** Only moves of this host. */
  @IsOptional() @RowId() id?: number;
  /** Only moves of this emptying. */
  @IsOptional() @RowId() qk_id?: number;
  @IsOptional() @IsIn(['', ...STATES]) zt?: SiteMoveState | '';
}

const HOST = { of: 'host', field: 'id' } as const;
const BOTH = [HOST, { of: 'server-code', field: 'btdh' }] as const;

/** Operations that move sites to other servers. Source: docs/panel-api.md "Moving sites". */
@Injectable()
export class MoveOperations {
  constructor(
    private readonly work: MoveWork,
    private readonly records: MoveRecords,
    private readonly rows: MoveRows,
    private readonly old: OldSites,
    private readonly nodes: NodesService,
  ) {}

  @Operation({ side: 'admin', gn: 'listqy', auth: 'admin', input: MoveListInput, audit: null, rate: 'read', servers: 'listed' })
  async list({ id, qk_id, zt, page, limit }: MoveListInput, ctx: CallContext): Promise<ListReply<MoveLine>> {
    const locale = localeOf(ctx.locale);
    const ids = accessOf(ctx.admin).servers;
    const servers = ids === null ? undefined : await this.nodes.codesOf(ids);
    const filter = { hostId: id, emptyingId: qk_id, state: zt === '' ? undefined : zt, servers };
    const [moves, total] = await this.records.list(filter, (page - 1) * limit, limit);
    return new ListReply(total, await Promise.all(moves.map((row) => this.rows.of(row, locale))));
  }

  /** Checks the move of a host: what the other server does not support, and what will change. */
  @Operation({ side: 'admin', gn: 'zjqyjc', auth: 'admin', input: MoveInput, audit: null, rate: 'expensive', servers: BOTH })
  async check({ id, btdh }: MoveInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    const fit = translatedFit(await this.work.check(id, btdh), locale);
    const fits = fit.blocks.length === 0;
    const code = translate(locale, fits ? 'moves.check_fits' : 'moves.check_blocked', { to: btdh });
    return new RawReply({ success: true, code, fits: String(fits), ...fit });
  }

  /** Queues the move of a host; its progress is in the list. */
  @Operation({ side: 'admin', gn: 'zjqy', auth: 'admin', input: MoveInput, audit: 'moves.audit_begin', rate: 'expensive', servers: BOTH })
  async begin({ id, btdh }: MoveInput, ctx: CallContext): Promise<SuccessReply> {
    const row = await this.work.begin(id, btdh, ctx.admin?.username ?? 'admin');
    return new SuccessReply('moves.begun', { qy: row.id, redirect: `/admin/host-move?id=${id}` }, auditParams(row));
  }

  /** Cancels a move before the switch, and rolls it back. */
  @Operation({ side: 'admin', gn: 'zjqytz', auth: 'admin', input: MovedHostInput, audit: 'moves.audit_stop', rate: 'write', servers: HOST })
  async stop({ id }: MovedHostInput): Promise<SuccessReply> {
    return new SuccessReply('moves.stopping', {}, auditParams(await this.work.stop(id)));
  }

  /** Returns the host to its old site, in the state of the time it was moved. */
  @Operation({
    side: 'admin',
    gn: 'zjqyhf',
    auth: 'admin',
    input: MovedHostInput,
    audit: 'moves.audit_return',
    rate: 'expensive',
    servers: HOST,
  })
  async takeBack({ id }: MovedHostInput, ctx: CallContext): Promise<SuccessReply> {
    const row = await this.work.takeBack(id, ctx.admin?.username ?? 'admin');
    return new SuccessReply('moves.returning', {}, auditParams(row));
  }

  /** Removes the old site immediately. */
  @Operation({
    side: 'admin',
    gn: 'zjqyqc',
    auth: 'admin',
    input: MovedHostInput,
    audit: 'moves.audit_clear',
    rate: 'expensive',
    servers: HOST,
  })
  async clear({ id }: MovedHostInput): Promise<SuccessReply> {
    const row = await this.records.kept(id);
    const gone = await this.old.now(row);
    return new SuccessReply(gone ? 'moves.cleared' : 'moves.cleared_soon', {}, auditParams(row));
  }
}

const auditParams = ({ hostId, username, fromCode, toCode }: SiteMove) => ({ id: hostId, user: username, from: fromCode, to: toCode });
