import { Delete, Get, Post, Put } from '@nestjs/common';

import { addressForLimits, Rate, RateLimiter } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { actorOf, Audited, AuditedWithin, type SuccessfulCall, ofItem } from '../audit/index.js';
import { Answer, Call, Caller, Paging, sliceOf, type StoreCall, type StoreCaller } from '../call/index.js';
import { StoreError } from '../errors.js';
import { ApiData, ApiErrors, ApiList, ApiPage, Body, Id, Query, StoreAccess, StoreController, withinLimit } from '../http/index.js';
import { CoAuthors, PublicItems } from '../items/index.js';
import { Moderation, Note } from '../review/index.js';

import { Rating, RatingForm, RatingReportForm, ReplyForm, VersionQuery } from './rating.dto.js';
import { Ratings } from './ratings.js';

/** Limits per hour: ratings per account, and reports per address. */
const RATING_LIMIT = { limit: 30, windowSeconds: 3_600 };
const REPORT_LIMIT = { limit: 10, windowSeconds: 3_600 };

const ofRating = ({ id, data }: SuccessfulCall) => ({ subject: 'rating', subjectId: id, detail: { item_id: data.item_id } });

/** Endpoints for the ratings of an item. */
@StoreController('items')
export class ItemRatingsController {
  constructor(
    private readonly items: PublicItems,
    private readonly ratings: Ratings,
    private readonly limiter: RateLimiter,
  ) {}

  @Get(':id/ratings')
  @Rate('read')
  @StoreAccess('public', 'read')
  @ApiOperation({ summary: 'Ratings of an item, newest first' })
  @ApiPage(Rating)
  async list(@Call() { caller }: StoreCall, @Id() id: number, @Query() query: Paging) {
    return this.ratings.page((await this.items.require({ id }, caller)).id, sliceOf(query));
  }

  @Get(':id/ratings/mine')
  @Rate('read')
  @StoreAccess('user', 'read')
  @ApiOperation({ summary: 'Own ratings of an item' })
  @ApiList(Rating, { maxItems: 200 })
  async mine(@Caller() caller: StoreCaller, @Id() id: number) {
    return this.ratings.of((await this.items.require({ id }, caller)).id, caller.id);
  }

  @Put(':id/rating')
  @Rate('write')
  @StoreAccess('user', 'publish')
  @Audited('rating.give', (done) => ({ ...ofItem(done)!, detail: { version: done.data.version } }))
  @ApiOperation({ summary: 'Rates a published version, or changes the own rating' })
  @ApiData(Rating)
  @ApiErrors(409, 429)
  async rate(@Caller() caller: StoreCaller, @Id() id: number, @Body() form: RatingForm): Promise<Answer> {
    const { stars, text, version, row_version: rowVersion } = form;
    const item = await this.items.require({ id }, caller);
    await withinLimit(this.limiter, `store-rating:${caller.id}`, RATING_LIMIT);
    if (item.status !== 'approved') throw new StoreError('ITEM_NOT_FOUND');
    const given = { stars, text: (text ?? '').trim() };
    return new Answer('store.rated', await this.ratings.rate(item, caller.id, version ?? item.version, given, rowVersion));
  }

  @Delete(':id/rating')
  @Rate('write')
  @StoreAccess('user', 'publish')
  @Audited('rating.remove', ofItem)
  @ApiOperation({ summary: 'Deletes the own rating of a version' })
  @ApiData(null)
  async remove(@Caller() caller: StoreCaller, @Id() id: number, @Query() { version }: VersionQuery): Promise<Answer> {
    const item = await this.items.require({ id }, caller);
    await this.ratings.remove(item.id, caller.id, version ?? item.version);
    return new Answer('store.rating_removed');
  }
}

/** Endpoints for a single rating: the author's reply, and reports. */
@StoreController('ratings')
export class RatingsController {
  constructor(
    private readonly ratings: Ratings,
    private readonly moderation: Moderation,
    private readonly coAuthors: CoAuthors,
    private readonly limiter: RateLimiter,
  ) {}

  @Put(':id/reply')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('rating.reply', ofRating)
  @ApiOperation({ summary: 'Sets the reply of the author' })
  @ApiData(Rating)
  @ApiErrors(409)
  async reply(@Caller() caller: StoreCaller, @Id() id: number, @Body() form: ReplyForm): Promise<Answer> {
    const { item } = await this.ratings.require(id);
    if (!(await this.coAuthors.isAuthor(item, caller.id))) throw new StoreError('ITEM_NOT_YOURS');
    await this.ratings.reply(id, form.text.trim(), form.row_version);
    return new Answer('store.rating_replied', (await this.ratings.byIds([id]))[0]);
  }

  @Post(':id/report')
  @Rate('write')
  @StoreAccess('public', 'read')
  @Audited('rating.report', ofRating)
  @ApiOperation({ summary: 'Reports a rating' })
  @ApiData(null)
  @ApiErrors(429)
  async report(@Call() call: StoreCall, @Id() id: number, @Body() { reason, text }: RatingReportForm): Promise<Answer> {
    const { itemId } = await this.ratings.require(id);
    await withinLimit(this.limiter, `store-report:${addressForLimits(call.ip)}`, REPORT_LIMIT);
    await this.moderation.report(itemId, reason, (text ?? '').trim(), call, id);
    return new Answer('store.reported');
  }
}

/** Moderation of ratings by administrators. */
@StoreController('admin')
export class RatingModerationController {
  constructor(private readonly ratings: Ratings) {}

  @Put('ratings/:id/hide')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('rating.hide')
  @ApiOperation({ summary: 'Hides a rating; it no longer counts' })
  @ApiData(null)
  async hide(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.ratings.decide(id, 'hidden', msg ?? '', actorOf(call));
    return new Answer('store.rating_hidden');
  }

  @Put('ratings/:id/show')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('rating.show')
  @ApiOperation({ summary: 'Shows a hidden rating again' })
  @ApiData(null)
  async show(@Call() call: StoreCall, @Id() id: number, @Body() { msg }: Note): Promise<Answer> {
    await this.ratings.decide(id, 'shown', msg ?? '', actorOf(call));
    return new Answer('store.rating_shown');
  }
}
