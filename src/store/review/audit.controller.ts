import { Get } from '@nestjs/common';
import { IsInt, IsOptional, Matches, Min } from 'class-validator';
import { Transform } from 'class-transformer';

import { Rate } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { Paging, sliceOf } from '../call/index.js';
import { ApiPage, Query, StoreAccess, StoreController } from '../http/index.js';

import { AuditNames, StoreAuditLog } from '../audit/index.js';

import { AuditEntryDto } from './audit.dto.js';

const toNumber = ({ value }: { value: unknown }): unknown => (/^\d{1,9}$/.test(String(value)) ? Number(value) : value);

/** Filter of log entries. */
class AuditQuery extends Paging {
  @IsOptional() @Matches(/^[a-z_.-]{1,40}$/) action?: string;
  @IsOptional() @Matches(/^[a-z_-]{1,20}$/) subject?: string;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) subject_id?: number;
  @IsOptional() @Transform(toNumber) @IsInt() @Min(1) actor_id?: number;
}

/** The audit log for administrators. */
@StoreController('admin/logs')
export class AuditController {
  constructor(
    private readonly log: StoreAuditLog,
    private readonly names: AuditNames,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Decisions of administrators and, for 400 days, actions of accounts, newest first' })
  @ApiPage(AuditEntryDto)
  async list(@Query() query: AuditQuery): Promise<object> {
    const slice = sliceOf(query);
    const filter = { action: query.action, subject: query.subject, subjectId: query.subject_id, actorId: query.actor_id };
    const { total, entries } = await this.log.page(filter, slice);
    const names = await this.names.of(entries);
    const items = entries.map(({ id, actorId, actorName, action, subject, subjectId, detail, ip, createdAt }, i) => ({
      id,
      actor_id: actorId,
      actor_name: actorName,
      action,
      subject,
      subject_id: subjectId,
      detail,
      ...names[i],
      ip,
      created_at: createdAt.toISOString(),
    }));
    return { items, total, page: slice.page, page_size: slice.pageSize };
  }
}
