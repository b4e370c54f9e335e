import { Delete, Get, Post, Put } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { Rate, RateLimiter, addressForLimits } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { PublicItems } from '../items/index.js';
import { Answer, Call, Paging, sliceOf, type StoreCall } from '../call/index.js';
import { Body, ApiData, ApiErrors, ApiPage, Id, Query, StoreAccess, StoreController, withinLimit } from '../http/index.js';

import { actorOf, Audited, AuditedWithin, ofItem } from '../audit/index.js';
import { Moderation, REPORT_REASONS, type ReportReason } from './moderation.js';
import { Note } from './note.js';
import { BlockedDigest, NewBlockedDigest, Report } from './review.dto.js';

/** Reports per address and hour. */
const REPORT_LIMIT = { limit: 10, windowSeconds: 3_600 };

/** A report of an item. */
export class ReportForm {
  @IsIn(REPORT_REASONS, { message: 'store.report_reason_invalid' })
  reason!: ReportReason;

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString({ message: 'store.note_invalid' })
  @MaxLength(2_000, { message: 'store.note_invalid' })
  text?: string;
}

class ReportsQuery extends Paging {
  @IsOptional()
  @IsIn(['open', 'closed', ''], { message: 'store.status_invalid' })
  status?: 'open' | 'closed' | '';
}

/** A file that no package may contain. */
export class DigestForm {
  @ApiProperty({ pattern: '^[0-9A-Fa-f]{64}$' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @Matches(/^[0-9a-f]{64}$/, { message: 'store.digest_invalid' })
  sha256!: string;

  @IsOptional()
  @IsString({ message: 'store.digest_reason_invalid' })
  @MaxLength(255, { message: 'store.digest_reason_invalid' })
  reason?: string;
}

/** Public endpoint to report items. */
@StoreController('items')
export class ReportsController {
  constructor(
    private readonly items: PublicItems,
    private readonly moderation: Moderation,
    private readonly limiter: RateLimiter,
  ) {}

  @Post(':id/report')
  @Rate('write')
  @StoreAccess('public', 'read')
  @Audited('item.report', ofItem)
  @ApiOperation({ summary: 'Reports an item' })
  @ApiData(null)
  @ApiErrors(429)
  async report(@Call() call: StoreCall, @Id() id: number, @Body() { reason, text }: ReportForm): Promise<Answer> {
    const item = await this.items.require({ id }, call.caller);
    await withinLimit(this.limiter, `store-report:${addressForLimits(call.ip)}`, REPORT_LIMIT);
    await this.moderation.report(item.id, reason, text ?? '', call);
    return new Answer('store.reported');
  }
}

/** Endpoints of administrators for reports and blocked files. */
@StoreController('admin')
export class ModerationController {
  constructor(private readonly moderation: Moderation) {}

  @Get('reports')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Reports, newest first' })
  @ApiPage(Report)
  reports(@Query() query: ReportsQuery) {
    return this.moderation.reports(query.status || undefined, sliceOf(query));
  }

  @Put('reports/:id/close')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('report.close')
  @ApiOperation({ summary: 'Closes a report' })
  @ApiData(null)
  async close(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.moderation.close(id, msg ?? '', actorOf(call));
    return new Answer('store.report_closed');
  }

  @Get('blocked-digests')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Blocked files, which no package may contain' })
  @ApiPage(BlockedDigest)
  blocked(@Query() query: Paging) {
    return this.moderation.blocked(sliceOf(query));
  }

  @Post('blocked-digests')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('digest.block')
  @ApiOperation({ summary: 'Blocks a file by its SHA-256' })
  @ApiData(NewBlockedDigest)
  async block(@Call() call: StoreCall, @Body() { sha256, reason }: DigestForm): Promise<Answer> {
    return new Answer('store.digest_blocked', await this.moderation.block(sha256, reason ?? '', actorOf(call)));
  }

  @Delete('blocked-digests/:id')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('digest.unblock')
  @ApiOperation({ summary: 'Unblocks a file' })
  @ApiData(null)
  async unblock(@Call() call: StoreCall, @Id() id: number): Promise<Answer> {
    await this.moderation.unblock(id, actorOf(call));
    return new Answer('store.digest_unblocked');
  }
}
