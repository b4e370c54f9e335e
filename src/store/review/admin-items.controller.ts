import { Delete, Get, Put } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { translate } from '../../common/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import type { ItemStatus, ItemType, VersionStatus } from '../entities/index.js';
import { Answer, Call, Paging, sliceOf, type StoreCall } from '../call/index.js';
import { Body, ApiData, ApiList, ApiPage, Id, Query, StoreAccess, StoreController } from '../http/index.js';
import { ListedEditRequest, ListedVersion, OwnItems, OwnVersion, PublicItems, Review, ReviewedItem } from '../items/index.js';
import { MAX_FINDINGS } from '../packages/index.js';

import { AdminLists } from './admin-lists.js';
import { actorOf, AuditedWithin } from '../audit/index.js';
import { Decisions } from './decisions.js';
import { EditDecisions } from './edit-decisions.js';
import { Note } from './note.js';
import { Stats } from './review.dto.js';
import { StoreStats } from './store-stats.js';

class AdminItemsQuery extends Paging {
  @IsOptional()
  @IsIn(['plugin', 'theme', ''], { message: 'store.type_required' })
  type?: ItemType | '';

  @IsOptional()
  @IsIn(['pending', 'approved', 'rejected', 'suspended', ''], { message: 'store.status_invalid' })
  status?: ItemStatus | '';

  @IsOptional()
  @IsString()
  @MaxLength(100, { message: 'store.keyword_too_long' })
  keyword?: string;
}

class DecisionStatusQuery {
  @IsOptional()
  @IsIn(['pending', 'approved', 'rejected', 'superseded', ''], { message: 'store.status_invalid' })
  status?: 'pending' | 'approved' | 'rejected' | 'superseded' | '';
}

class ListedVersionsQuery {
  @IsOptional()
  @IsIn(['pending', 'approved', 'rejected', 'superseded', 'withdrawn', ''], { message: 'store.status_invalid' })
  @ApiProperty({ default: 'pending' })
  status?: VersionStatus | '';
}

/** An administrator's note about a version. */
export class ReviewNote extends Note {
  /** The reviewed version. */
  @IsOptional()
  @Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'store.version_invalid' })
  version?: string;
}

/** Maximum acknowledged files: all files of a package, and the package itself. */
const MAX_SEEN = 501;

/** Approval note with the findings the administrator has seen. */
export class ApprovalNote extends ReviewNote {
  /** SHA-256 of the acknowledged blocked files. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'string' ? one.toLowerCase() : one)) : value,
  )
  @IsArray({ message: 'store.blocked_seen_invalid' })
  @ArrayMaxSize(MAX_SEEN, { message: 'store.blocked_seen_invalid' })
  @Matches(/^[0-9a-f]{64}$/, { each: true, message: 'store.blocked_seen_invalid' })
  @ApiProperty({
    items: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    description: 'SHA-256 of the blocked files the reviewer has seen: `excerpt` of the findings `blocked`',
  })
  blocked_seen?: string[];

  /** Rules of the acknowledged serious findings. */
  @IsOptional()
  @IsArray({ message: 'store.findings_seen_invalid' })
  @ArrayMaxSize(MAX_FINDINGS, { message: 'store.findings_seen_invalid' })
  @Matches(/^[a-z0-9_.]{1,60}$/, { each: true, message: 'store.findings_seen_invalid' })
  @ApiProperty({ description: '`rule` of the findings of severity `danger` the reviewer has seen' })
  findings_seen?: string[];
}

/** Reason for blocking an item, shown to administrators of panels. */
export class BlockNote {
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString({ message: 'store.digest_reason_invalid' })
  @MaxLength(255, { message: 'store.digest_reason_invalid' })
  msg?: string;
}

/** Endpoints of administrators for items, versions and edit requests. */
@StoreController('admin')
export class AdminItemsController {
  constructor(
    private readonly lists: AdminLists,
    private readonly decisions: Decisions,
    private readonly edits: EditDecisions,
    private readonly stats: StoreStats,
    private readonly publicItems: PublicItems,
    private readonly ownItems: OwnItems,
  ) {}

  @Get('stats')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Statistics of the store' })
  @ApiData(Stats)
  statistics() {
    return this.stats.read();
  }

  @Get('items')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({
    summary: 'Items in every state',
    description:
      '`status=pending` are all that wait: items never published, and published or suspended ones with a waiting ' +
      'version (`pending_version`).',
  })
  @ApiPage(ReviewedItem)
  items(@Query() query: AdminItemsQuery) {
    const { type, status, keyword } = query;
    return this.lists.items(
      { type: type || undefined, status: status || undefined, keyword: keyword?.trim() || undefined },
      sliceOf(query),
    );
  }

  @Get('items/:id/review')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'An item as its author sees it, for reviewers' })
  @ApiData(Review)
  async review(@Call() { caller, locale }: StoreCall, @Id() id: number) {
    return this.ownItems.review(await this.publicItems.require({ id }, caller), locale);
  }

  @Get('items/:id/versions')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Versions of an item in every state, newest first' })
  @ApiList(OwnVersion, { maxItems: 200 })
  async versionsOf(@Call() { caller }: StoreCall, @Id() id: number) {
    return this.ownItems.versions(await this.publicItems.require({ id }, caller));
  }

  @Put('items/:id/approve')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.approve')
  @ApiOperation({
    summary: 'Approves an item, or its waiting version',
    description:
      'If the version has findings of severity `danger` that are neither in `findings_seen` nor in an ' +
      'earlier rejection of the request, or blocked files that are neither in `blocked_seen` nor in one, it is ' +
      'rejected with their names; repeating the decision publishes it.',
  })
  @ApiData(null)
  async approve(
    @Call() call: StoreCall,
    @Id() id: number,
    @Body() { msg, version, blocked_seen: blockedSeen, findings_seen: findingsSeen }: ApprovalNote,
  ): Promise<Answer> {
    await this.decisions.approve(id, msg ?? '', actorOf(call), { version, blockedSeen, findingsSeen });
    return new Answer('store.item_approved');
  }

  @Put('items/:id/reject')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.reject')
  @ApiOperation({ summary: 'Rejects an item, or its waiting version' })
  @ApiData(null)
  async reject(@Call() call: StoreCall, @Id() id: number, @Body() { msg, version }: ReviewNote): Promise<Answer> {
    await this.decisions.reject(id, msg ?? '', actorOf(call), { version });
    return new Answer('store.item_rejected');
  }

  @Put('items/:id/suspend')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.suspend')
  @ApiOperation({ summary: 'Takes an approved item off the public list' })
  @ApiData(null)
  async suspend(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.decisions.suspend(id, msg || translate(call.locale, 'store.item_suspended'), actorOf(call));
    return new Answer('store.item_suspended');
  }

  @Put('items/:id/block')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.block', 'item.suspend')
  @ApiOperation({
    summary: 'Blocks the packages of all versions of an item, and suspends it',
    description: 'Panels that installed it disable it within a day and show `msg` as the reason.',
  })
  @ApiData(null)
  async block(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: BlockNote): Promise<Answer> {
    const n = await this.decisions.block(id, msg || translate(call.locale, 'store.item_blocked_reason'), actorOf(call));
    return new Answer('store.item_blocked', null, { n });
  }

  @Put('items/:id/unblock')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.unblock')
  @ApiOperation({ summary: 'Unblocks the packages of all versions of an item', description: 'The item remains suspended.' })
  @ApiData(null)
  async unblock(@Call() call: StoreCall, @Id() id: number): Promise<Answer> {
    return new Answer('store.item_unblocked', null, { n: await this.decisions.unblock(id, actorOf(call)) });
  }

  @Delete('items/:id')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.delete')
  @ApiOperation({ summary: 'Deletes an item with all versions', description: 'Panels that installed it show `msg` as the reason.' })
  @ApiData(null)
  async remove(@Call() call: StoreCall, @Id() id: number, @Query() { msg }: Note): Promise<Answer> {
    await this.decisions.remove(id, msg || translate(call.locale, 'store.item_deleted'), actorOf(call));
    return new Answer('store.item_deleted');
  }

  @Get('versions')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Versions in a state; by default the waiting ones' })
  @ApiList(ListedVersion, { maxItems: 200 })
  versions(@Query() { status }: ListedVersionsQuery) {
    return this.lists.versions(status || 'pending');
  }

  @Get('edit-requests')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Edit requests, newest first' })
  @ApiList(ListedEditRequest, { maxItems: 200 })
  editRequests(@Query() { status }: DecisionStatusQuery) {
    return this.lists.editRequests(status || undefined);
  }

  @Put('edit-requests/:id/approve')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('edit.approve')
  @ApiOperation({ summary: 'Applies a requested change' })
  @ApiData(null)
  async approveEdit(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.edits.decide(id, 'approved', msg ?? '', actorOf(call));
    return new Answer('store.edit_approved');
  }

  @Put('edit-requests/:id/reject')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('edit.reject')
  @ApiOperation({ summary: 'Rejects a requested change' })
  @ApiData(null)
  async rejectEdit(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.edits.decide(id, 'rejected', msg ?? '', actorOf(call));
    return new Answer('store.edit_rejected');
  }
}
