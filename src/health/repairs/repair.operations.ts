import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf, translate } from '../../common/index.js';
import { Quiet } from '../../jobs/index.js';
import { ListReply, NoInput, Operation, SuccessReply, Switch } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';

import { RepairError } from './repair-errors.js';
import { REPAIRS, Repairs, type RepairNumber } from './repairs.js';

/** Fields of `xtxf`. */
export class RepairInput {
  /** Repairs as a JSON array such as `["1","3"]`. */
  @IsString() @MaxLength(200) xx!: string;
  /** True repairs what a check of the last day has found; false or omitted only checks. */
  @IsOptional() @Switch() @IsBoolean() xe?: boolean;
}

/** A line of a run on the wire; all values are text. */
interface RepairRow {
  id: string;
  /** Title of the repair. */
  mc: string;
  /** `would`, `done`, `left` or `failed`. */
  zt: string;
  nr: string;
}

/** Administrators' operations on repairs. Source: docs/panel-api.md "Health". */
@Injectable()
export class RepairOperations {
  constructor(
    private readonly repairs: Repairs,
    private readonly quiet: Quiet,
  ) {}

  /** Lists the results of the latest run. */
  @Operation({ side: 'admin', gn: 'xflist', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<ListReply<RepairRow>> {
    const locale = localeOf(ctx.locale);
    const { lines = [] } = (await this.repairs.last())?.report ?? {};
    const rows = lines.map(({ repair, state, text, params }, index) => ({
      id: String(index + 1),
      mc: translate(locale, `health.repair_${REPAIRS[repair]}`),
      zt: state,
      nr: translate(locale, `health.${text}`, params),
    }));
    return new ListReply(rows.length, rows);
  }

  /** Starts a check or repair in the background. @throws RepairError */
  @Operation({ side: 'admin', gn: 'xtxf', auth: 'admin', input: RepairInput, audit: 'health.repair_ordered', rate: 'expensive' })
  async repair({ xx, xe = false }: RepairInput, ctx: CallContext): Promise<SuccessReply> {
    const repairs = chosen(xx);
    if (this.quiet.active) throw new RepairError('HELD');
    const task = await this.repairs.order({ repairs, isRepair: xe, by: ctx.admin!.username });
    return new SuccessReply(
      xe ? 'health.repair_begun' : 'health.repair_looks',
      { task_id: task },
      { names: repairs.join(', '), xe: String(xe) },
    );
  }
}

/** @throws RepairError `NONE`, `UNKNOWN` naming the unknown ones */
function chosen(text: string): RepairNumber[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    given = text.split(',');
  }
  const names = [...new Set((Array.isArray(given) ? given : [given]).map((one) => String(one).trim()).filter((one) => one !== ''))].sort();
  if (names.length === 0) throw new RepairError('NONE');
  const unknown = names.filter((name) => !Object.hasOwn(REPAIRS, name));
  if (unknown.length > 0) throw new RepairError('UNKNOWN', { names: unknown.join(', ').slice(0, 60) });
  return names as RepairNumber[];
}
