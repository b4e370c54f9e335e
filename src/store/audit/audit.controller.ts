import { Get } from '@nestjs/common';
import { IsInt, IsOptional, Matches, Min } from 'class-validator';
import { Transform } from 'class-transformer';

import { Describe, Paging, Query, shape, sliceOf, StoreAccess, StoreController } from '../http/index.js';

import { StoreAuditLog } from './audit-log.js';

const toNumber = ({ value }: { value: unknown }): unknown => (/^\d{1,9}$/.test(String(value)) ? Number(value) : value);

/** Which part of the log. */
class AuditQuery extends Paging {
  @IsOptional() @Matches(/^[a-z_.-]{1,40}$/) action?: string;
  @IsOptional() @Matches(/^[a-z_-]{1,20}$/) subject?: string;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) subject_id?: number;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) actor_id?: number;
}

const ENTRY = shape.record({
  id: shape.integer(),
  actor_id: shape.integer(),
  actor_name: shape.text(),
  action: shape.text('Such as item.approve'),
  subject: shape.text(),
  subject_id: shape.integer(),
  detail: shape.anything('What changed; depends on the action'),
  ip: shape.text(),
  created_at: shape.time(),
});

/** What administrators did, for administrators. */
@StoreController('admin/logs')
export class AuditController {
  constructor(private readonly log: StoreAuditLog) {}

  @Get()
  @StoreAccess('admin')
  @Describe({ summary: 'What administrators did, newest first', answers: shape.page(ENTRY) })
  async list(@Query(AuditQuery) query: AuditQuery): Promise<object> {
    const slice = sliceOf(query, 20);
    const filter = { action: query.action, subject: query.subject, subjectId: query.subject_id, actorId: query.actor_id };
    const { total, entries } = await this.log.page(filter, slice);
    const items = entries.map(({ id, actorId, actorName, action, subject, subjectId, detail, ip, createdAt }) => ({
      id,
      actor_id: actorId,
      actor_name: actorName,
      action,
      subject,
      subject_id: subjectId,
      detail,
      ip,
      created_at: createdAt.toISOString(),
    }));
    return { items, total, page: slice.page, page_size: slice.pageSize };
  }
}
