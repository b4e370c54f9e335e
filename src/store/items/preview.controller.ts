import { Post } from '@nestjs/common';
import { IsString } from 'class-validator';

import { Rate, RateLimiter } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { NotAudited } from '../audit/index.js';
import { Caller, type StoreCaller } from '../call/index.js';
import { Body, ApiData, ApiErrors, StoreAccess, StoreController, withinLimit } from '../http/index.js';

import { ITEM_FIELDS } from './item-fields.js';
import { Preview } from './item.dto.js';

/** Previews per account: the worst case uses a CPU for half a second. */
const PREVIEWS = { limit: 60, windowSeconds: 600 };

/** Description to be previewed. */
export class PreviewForm {
  /** HTML, as in a submission. */
  @IsString({ message: 'store.description_required' }) description!: string;
}

/** Previews a description as the store would keep it. */
@StoreController('developer')
export class PreviewController {
  constructor(private readonly limiter: RateLimiter) {}

  @Post('preview')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @NotAudited('keeps nothing')
  @ApiOperation({
    summary: 'Previews a description as the store would save it, without saving it',
    description: 'Sanitized and validated by the same rules as the description of an item.',
  })
  @ApiData(Preview)
  @ApiErrors(429)
  async preview(@Caller() caller: StoreCaller, @Body() { description }: PreviewForm) {
    await withinLimit(this.limiter, `store-preview:${caller.id}`, PREVIEWS);
    return { description: ITEM_FIELDS.description.read(description) };
  }
}
