import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { legacyTime, localeOf, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, EntityPages, likeAnywhere, type SqlValue } from '../../database/index.js';
import { EmptyIsUnset } from '../../http/index.js';
import { ListInput, ListReply, Operation, RowId, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { NoticeDelivery } from '../entities/index.js';
import { NotifyError } from '../errors.js';

import { Deliveries } from './deliveries.js';

class DeliveryListInput extends ListInput {
  @IsOptional()
  @EmptyIsUnset()
  @IsIn(['waiting', 'sent', 'failed', 'dropped'])
  zt?: string;
}

class DeliveryInput {
  @RowId() id!: number;
}

/** Administrators' operations on sent, waiting and failed messages. Source: docs/panel-api.md "Notices". */
@Injectable()
export class DeliveryOperations {
  private readonly log: EntityPages<NoticeDelivery>;

  constructor(
    database: Database,
    private readonly deliveries: Deliveries,
    private readonly config: AppConfig,
  ) {
    this.log = new EntityPages(database, NoticeDelivery);
  }

  @Operation({ side: 'admin', gn: 'listtdjl', auth: 'admin', input: DeliveryListInput, audit: null, rate: 'read' })
  async list({ zt, ss, page, limit }: DeliveryListInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const { timezone } = this.config;
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    if (zt) {
      conditions.push('{NoticeDelivery.state} = ?');
      params.push(zt);
    }
    if (ss) {
      conditions.push("({NoticeDelivery.target} LIKE ? ESCAPE '!' OR {NoticeDelivery.username} LIKE ? ESCAPE '!')");
      const like = likeAnywhere(ss);
      params.push(like, like);
    }
    const { total, rows } = await this.log.page({ conditions, params, sort: null, direction: 'desc', offset: (page - 1) * limit, limit });
    return new ListReply(
      total,
      rows.map((row) => ({
        id: row.id,
        user: row.username,
        side: row.side,
        route: row.route,
        lxmc: translate(locale, row.channelId === null ? 'notify.way_mail' : 'notify.way_channel'),
        target: row.target,
        title: row.title,
        zt: row.state,
        cs: row.attempts,
        hz: row.digest,
        cw: row.error ? translate(locale, row.error.key, row.error.params) : '',
        created_at: legacyTime(row.createdAt, timezone),
        ended_at: row.endedAt ? legacyTime(row.endedAt, timezone) : '',
      })),
    );
  }

  /** Resends a message and unblocks its address if it had bounced. */
  @Operation({ side: 'admin', gn: 'tdcf', auth: 'admin', input: DeliveryInput, audit: 'notify.audit_sent_again', rate: 'write' })
  async again({ id }: DeliveryInput): Promise<SuccessReply> {
    if (!(await this.deliveries.resend(id))) throw new NotifyError('DELIVERY_MISSING');
    return new SuccessReply('notify.sent_again');
  }
}
