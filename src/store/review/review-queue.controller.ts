import { Delete, Post } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { actorOf, AuditedWithin, NotAudited } from '../audit/index.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { ApiData, ApiList, Body, ID, Id, StoreAccess, StoreController } from '../http/index.js';

import { Note } from './note.js';
import { ReviewQueue } from './review-queue.js';

/** Maximum versions per bulk decision. */
const MAX_DECISIONS = 50;

/** One decision for many versions. */
export class ManyForm extends Note {
  @IsIn(['approve', 'reject'], { message: 'store.decision_invalid' })
  decision!: 'approve' | 'reject';

  /** `id`s of pending versions. */
  @IsArray({ message: 'store.versions_invalid' })
  @ArrayMinSize(1, { message: 'store.versions_invalid' })
  @ArrayMaxSize(MAX_DECISIONS, { message: 'store.versions_invalid' })
  @IsInt({ each: true, message: 'store.versions_invalid' })
  @ApiProperty({ type: 'array', items: ID, minItems: 1, maxItems: MAX_DECISIONS })
  versions!: number[];
}

/** Outcome for one version of a bulk decision. */
export class DecidedVersion {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ description: 'Empty if this id does not exist' }) version!: string;
  @ApiProperty() done!: boolean;
  @ApiProperty({ description: 'Result, or why it failed' }) msg!: string;
}

/** Claims and bulk decisions of reviewers. The operation ids keep their former names for clients generated from the API description. */
@StoreController('admin/versions')
export class ReviewQueueController {
  constructor(private readonly reviews: ReviewQueue) {}

  @Post(':id/claim')
  @Rate('write')
  @StoreAccess('admin')
  @NotAudited('expires automatically')
  @ApiOperation({ operationId: 'ReviewDeskController.claim', summary: 'Claims a waiting version for review, for two hours' })
  @ApiData(null)
  async claim(@Caller() { id: userId }: StoreCaller, @Id() id: number): Promise<Answer> {
    await this.reviews.claim(id, userId);
    return new Answer('store.version_claim_made');
  }

  @Delete(':id/claim')
  @Rate('write')
  @StoreAccess('admin')
  @NotAudited('decides nothing')
  @ApiOperation({ operationId: 'ReviewDeskController.release', summary: 'Releases the claim' })
  @ApiData(null)
  async release(@Caller() { id: userId }: StoreCaller, @Id() id: number): Promise<Answer> {
    await this.reviews.release(id, userId);
    return new Answer('store.version_claim_released');
  }

  @Post('decide')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('item.approve', 'item.reject')
  @ApiOperation({
    operationId: 'ReviewDeskController.decide',
    summary: 'Decides on up to 50 waiting versions, each independently',
    description: 'Versions with findings of severity `danger` or with blocked files are not published this way.',
  })
  @ApiList(DecidedVersion, { maxItems: MAX_DECISIONS })
  async decide(@Call() call: StoreCall, @Body() { decision, versions, msg }: ManyForm): Promise<Answer> {
    const outcomes = await this.reviews.decide(versions, decision === 'approve', msg ?? '', actorOf(call), call.locale);
    const done = outcomes.filter((one) => one.done).length;
    return new Answer('store.versions_decided', outcomes, { n: done, all: outcomes.length });
  }
}
