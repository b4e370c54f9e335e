import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { HostHistoryEntry } from '../hosting/index.js';
import { ListInput, ListReply, Operation, OperationLog, RowId, subjectOf } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { changeLines } from './log-changes.js';
import { logLine } from './log-lines.js';

/** Maximum log lines and other entries read. */
const MAX_ROWS = 200;

/** Fields of the administrators' `listzjls`. */
class HostHistoryInput extends ListInput {
  /** Id of the host. */
  @RowId() id!: number;
}

/** An event of a host on the wire: every value is text. */
interface HistoryRow {
  id: string;
  date: string;
  /** Display name of the actor. */
  czuser: string;
  /** Description, with the changed values below it. */
  lr: string;
}

/** History of a host: its states, renewals and limit changes, with actor and time. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostHistoryOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'listzjls',
    auth: 'admin',
    input: HostHistoryInput,
    audit: null,
    rate: 'read',
    servers: { of: 'host', field: 'id' },
  })
  ofHost(input: HostHistoryInput, ctx: CallContext): Promise<ListReply<HistoryRow>> {
    return this.page(input.id, input, localeOf(ctx.locale), false);
  }

  /** For the caller's own host; does not reveal which administrator acted. */
  @Operation({ side: 'user', gn: 'listzjls', auth: 'user', input: ListInput, audit: null, rate: 'read' })
  ofOwn(input: ListInput, ctx: CallContext): Promise<ListReply<HistoryRow>> {
    return this.page(ctx.user!.id, input, localeOf(ctx.locale), true);
  }

  private async page(id: number, { page, limit }: ListInput, locale: Locale, isOwner: boolean): Promise<ListReply<HistoryRow>> {
    const newest = { order: { id: 'DESC' }, take: MAX_ROWS } as const;
    const [lines, entries] = await Promise.all([
      this.database.repository(OperationLog).find({ ...newest, where: { subject: subjectOf({ of: 'host', id: String(id) }) } }),
      // How its server was chosen is only shown to the reseller.
      this.database
        .repository(HostHistoryEntry)
        .find({ ...newest, where: { hostId: id, ...(isOwner ? { what: Not('host.placed') } : {}) } }),
    ]);
    const merged = [
      ...lines.map((line) => ({ at: line.createdAt, row: this.ofLine(line, locale, isOwner) })),
      ...entries.map((entry) => ({ at: entry.createdAt, row: this.ofEntry(entry, locale) })),
    ].sort((a, b) => b.at.getTime() - a.at.getTime());
    return new ListReply(
      merged.length,
      merged.slice((page - 1) * limit, page * limit).map(({ row }) => row),
    );
  }

  private ofLine(line: OperationLog, locale: Locale, isOwner: boolean): HistoryRow {
    const { date, czuser, lrbg } = logLine(line, locale, this.config.timezone);
    const who = isOwner && line.side !== 'user' ? translate(locale, 'account.history.by_admin') : czuser;
    return { id: `l${line.id}`, date, czuser: who, lr: lrbg };
  }

  private ofEntry({ id, what, source, params, changes, createdAt }: HostHistoryEntry, locale: Locale): HistoryRow {
    const known = ['admin', 'cron', 'api', 'user'].includes(source);
    const reasons = (params.reasons ?? '').split(',').filter(Boolean);
    // The host had no package before, or has none now.
    const none = (value: string | undefined): string => value || translate(locale, 'account.history.none');
    const words = {
      ...params,
      from: none(params.from),
      to: none(params.to),
      rule: params.rule ? translate(locale, `hosting.rule_${params.rule}`) : '',
      group: params.group || translate(locale, 'hosting.any_server'),
      reasons: reasons.map((reason) => reasonWord(reason, locale)).join(translate(locale, 'common.list_comma')),
    };
    return {
      id: `e${id}`,
      date: legacyTime(createdAt, this.config.timezone),
      czuser: known ? translate(locale, `account.history.by_${source}`) : source,
      lr: [translate(locale, `account.history.${what}`, words), ...changeLines({ changes }, locale, this.config.timezone).slice(1)].join(
        '\n',
      ),
    };
  }
}

function reasonWord(reason: string, locale: Locale): string {
  const key = `hosting.reason_${reason}`;
  const text = translate(locale, key);
  return text === key ? reason : text;
}
