import { Injectable } from '@nestjs/common';

import { IsInt, Max, Min } from 'class-validator';

import { localeOf, translate } from '../../common/index.js';
import { ListInput, ListReply, Operation, SuccessReply, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';

import { NodeDifferences } from './node-differences.js';

const MAX_ID = 2_147_483_647;

class IdInput {
  @WholeNumber() @IsInt() @Min(1) @Max(MAX_ID) id!: number;
}

/** Fields of `listbtzj`. */
class DifferenceListInput extends ListInput {
  /** Id of the server. */
  @WholeNumber() @IsInt() @Min(1) @Max(MAX_ID) id!: number;
}

/** A difference on the wire: every value text. */
interface DifferenceRow {
  /** Of the host; `0` for a site no host knows. */
  id: string;
  /** `unknown`, `foreign`, `missing`, `differing` or `moved`. */
  lx: string;
  site: string;
  user: string;
  /** `open`, `done` or `failed`. */
  zt: string;
  /** Why not, in words. */
  yy: string;
}

/** Comparing a server with the panel, and repairing what differs. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class DriftOperations {
  constructor(private readonly differences: NodeDifferences) {}

  /** Begins to look; what is found is `listbtzj`'s. */
  @Operation({
    side: 'admin',
    gn: 'btzj',
    auth: 'admin',
    input: IdInput,
    audit: 'hosting.audit_compare',
    rate: 'expensive',
    servers: { of: 'server', field: 'id' },
  })
  async compare({ id }: IdInput, ctx: CallContext): Promise<SuccessReply> {
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
    const { total, rows } = await this.differences.page(id, page, limit);
    return new ListReply(
      total,
      rows.map(({ accountId, kind, siteName, username, state, reason }) => ({
        id: String(accountId),
        lx: kind,
        site: siteName,
        user: username,
        zt: state,
        yy: reason ? translate(locale, reason.key, reason.params) : '',
      })),
    );
  }

  /** Makes the site of a host what its row says, now. */
  @Operation({
    side: 'admin',
    gn: 'zjtb',
    auth: 'admin',
    input: IdInput,
    audit: 'hosting.audit_repaired',
    rate: 'expensive',
    servers: { of: 'host', field: 'id' },
  })
  async repair({ id }: IdInput): Promise<SuccessReply> {
    const deed = await this.differences.repairHost(id);
    return new SuccessReply(deed === 'made' ? 'hosting.repair_made' : 'hosting.repair_told', { id }, { id });
  }

  /** The same for everything the last comparison of a server found. */
  @Operation({
    side: 'admin',
    gn: 'bttb',
    auth: 'admin',
    input: IdInput,
    audit: 'hosting.audit_repair_begun',
    rate: 'expensive',
    servers: { of: 'server', field: 'id' },
  })
  async repairAll({ id }: IdInput, ctx: CallContext): Promise<SuccessReply> {
    const task = await this.differences.order({ nodeId: id, isRepair: true, by: ctx.admin!.username });
    return new SuccessReply('hosting.repair_begun', { task_id: task, redirect: `/admin/server-drift?id=${id}` }, { id });
  }
}
