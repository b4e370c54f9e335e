import { Injectable } from '@nestjs/common';

import { IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf, translate } from '../../common/index.js';
import { ListInput, ListReply, Operation, RowId, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';

import { NodeDifferences } from './node-differences.js';
import { SiteAdoption } from './site-adoption.js';

const CODE = { of: 'server-code', field: 'btdh' } as const;
const SERVER = [{ of: 'server', field: 'id' }, CODE] as const;
const HOST_OR_SERVER = [{ of: 'host', field: 'id' }, CODE] as const;

/** A server, by its id or its code. */
class ServerInput {
  @IsOptional() @RowId() id?: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) btdh = '';
}

/** Fields of `zjtb`: a host, or a server instead. */
class DriftRepairInput extends ServerInput {}

/** Fields of `listbtzj`. */
class DifferenceListInput extends ListInput {
  /** Id of the server. */
  @RowId() id!: number;
}

/** A difference on the wire: every value is text. */
interface DifferenceRow {
  /** Id of the host; `0` for a site without a host. */
  id: string;
  /** A `DifferenceKind`. */
  lx: string;
  site: string;
  user: string;
  /** `open`, `done` or `failed`. */
  zt: string;
  /** Reason of the failure, translated. */
  yy: string;
  /** Whether the site can be adopted. */
  jg: string;
}

/** Compares a server with the panel and repairs differences. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class DriftOperations {
  constructor(
    private readonly differences: NodeDifferences,
    private readonly adoption: SiteAdoption,
  ) {}

  /** Starts a comparison; `listbtzj` returns its result. */
  @Operation({
    side: 'admin',
    gn: 'btzj',
    auth: 'admin',
    input: ServerInput,
    audit: 'hosting.audit_compare',
    rate: 'expensive',
    servers: SERVER,
  })
  async compare(input: ServerInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = await this.differences.server(input.id ?? input.btdh);
    const task = await this.differences.order({ nodeId: id, isRepair: false, by: ctx.admin!.username });
    return new SuccessReply('hosting.compare_begun', { task_id: task, redirect: `/admin/server-drift?id=${id}` }, { id });
  }

  @Operation({
    side: 'admin',
    gn: 'listbtzj',
    auth: 'admin',
    input: DifferenceListInput,
    audit: null,
    rate: 'read',
    servers: { of: 'server', field: 'id' },
  })
  async list({ id, page, limit }: DifferenceListInput, ctx: CallContext): Promise<ListReply<DifferenceRow>> {
    const locale = localeOf(ctx.locale);
    const [{ total, rows }, adopts] = await Promise.all([this.differences.page(id, page, limit), this.adoption.isOffered(id)]);
    return new ListReply(
      total,
      rows.map(({ accountId, kind, siteName, username, state, reason }) => ({
        id: String(accountId),
        lx: kind,
        site: siteName,
        user: username,
        zt: state,
        yy: reason ? translate(locale, reason.key, reason.params) : '',
        jg: String(adopts && kind === 'unknown' && state !== 'done'),
      })),
    );
  }

  /** Repairs the site of a host now, according to its row. */
  @Operation({
    side: 'admin',
    gn: 'zjtb',
    auth: 'admin',
    input: DriftRepairInput,
    audit: 'hosting.audit_repaired_what',
    rate: 'expensive',
    servers: HOST_OR_SERVER,
  })
  async repair({ id, btdh }: DriftRepairInput, ctx: CallContext): Promise<SuccessReply> {
    if (id === undefined) return this.repairAll({ btdh }, ctx);
    const outcome = await this.differences.repairHost(id);
    return new SuccessReply(
      outcome === 'made' ? 'hosting.repair_made' : 'hosting.repair_told',
      { id },
      { id, what: { key: 'hosting.what_host', params: { id } } },
    );
  }

  /** Repairs everything the last comparison of a server found. */
  @Operation({
    side: 'admin',
    gn: 'bttb',
    auth: 'admin',
    input: ServerInput,
    audit: 'hosting.audit_repair_begun',
    rate: 'expensive',
    servers: SERVER,
  })
  async repairAll(input: ServerInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = await this.differences.server(input.id ?? input.btdh);
    const task = await this.differences.order({ nodeId: id, isRepair: true, by: ctx.admin!.username });
    const params = { id, what: { key: 'hosting.what_server', params: { id } } };
    return new SuccessReply('hosting.repair_begun', { task_id: task, redirect: `/admin/server-drift?id=${id}` }, params);
  }
}
