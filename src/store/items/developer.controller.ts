import { Get, Post, Put, Req } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiConsumes, ApiOperation, AdmissionLimiter } from '../../http/index.js';
import { Audited, NotAudited, ofItem } from '../audit/index.js';
import type { ItemType, StoreItem, StoreVersion } from '../entities/index.js';
import { Answer, Call, Caller, Paging, sliceOf, type StoreCall, type StoreCaller, type StoreRequest } from '../call/index.js';
import {
  ApiData,
  ApiErrors,
  ApiList,
  ApiPage,
  BodyAs,
  checked,
  Id,
  Query,
  readJsonBody,
  StoreAccess,
  StoreController,
  UploadAdmission,
} from '../http/index.js';

import { EditRequests } from './edit-requests.js';
import { EDIT_FIELDS } from './item-fields.js';
import { ownItemRow, ownVersionRow } from './item-rows.js';
import { DryRun, DryRunForm, EditForm, EditsAsked, ItemForm, OwnItem, OwnItemDetail, OwnVersion, Review, VersionForm } from './item.dto.js';
import { OwnItems } from './own-items.js';
import { SubmissionFollowUp } from './submission-follow-up.js';
import { type ReadFields, Submissions } from './submissions.js';

/** Package upload limits; each package waits on disk to be scanned, two at a time. */
const UPLOADS = {
  kind: 'upload',
  slots: new AdmissionLimiter({ all: 32, each: 8 }),
  reserved: new AdmissionLimiter({ all: 8, each: 4 }),
  limit: 60,
  windowSeconds: 3_600,
};

class OwnItemsQuery extends Paging {
  @IsOptional()
  @IsIn(['plugin', 'theme', ''], { message: 'store.type_required' })
  type?: ItemType | '';
}

/** Endpoints for developers to manage their items. */
@StoreController('developer')
export class DeveloperController {
  constructor(
    private readonly submissions: Submissions,
    private readonly items: OwnItems,
    private readonly edits: EditRequests,
    private readonly admission: UploadAdmission,
    private readonly followUp: SubmissionFollowUp,
  ) {}

  @Get('items')
  @Rate('read')
  @StoreAccess('developer', 'read')
  @ApiOperation({ summary: 'Own items in every state' })
  @ApiPage(OwnItem)
  list(@Caller() caller: StoreCaller, @Query() query: OwnItemsQuery) {
    return this.items.list(caller, query.type || undefined, sliceOf(query));
  }

  @Post('items')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.submit', ({ data }) => ({ subject: 'item', subjectId: Number(data.id), detail: { version: data.version } }))
  @ApiOperation({ summary: 'Submits an item with its first version' })
  @ApiData(OwnItem)
  @ApiConsumes('multipart/form-data')
  @BodyAs(ItemForm)
  @ApiErrors(429)
  async submit(@Caller() caller: StoreCaller, @Req() req: StoreRequest, read?: ReadFields): Promise<Answer> {
    const item = await this.admission.admit(caller, UPLOADS, () => this.submissions.submitItem(caller, req, read));
    return new Answer('store.item_submitted', ownItemRow(item));
  }

  @Post('validate')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @NotAudited('keeps nothing')
  @ApiOperation({ summary: 'Checks a package like a submission, without storing it' })
  @ApiData(DryRun)
  @ApiConsumes('multipart/form-data')
  @BodyAs(DryRunForm)
  @ApiErrors(429)
  validate(@Caller() caller: StoreCaller, @Call() call: StoreCall, @Req() req: StoreRequest, read?: ReadFields) {
    return this.admission.admit(caller, UPLOADS, () => this.submissions.validate(caller, req, call.locale, read));
  }

  @Get('items/:id')
  @Rate('read')
  @StoreAccess('developer', 'read')
  @ApiOperation({ summary: 'An own item' })
  @ApiData(OwnItemDetail)
  async detail(@Caller() caller: StoreCaller, @Id() id: number) {
    const item = await this.items.require(caller, id);
    return { ...ownItemRow(item), row_version: await this.edits.rowVersion(item) };
  }

  @Put('items/:id')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.edit', (done) => (done.data.requests === 0 ? null : ofItem(done)))
  @ApiOperation({ summary: 'Requests changes of an item; an administrator decides on each' })
  @ApiData(EditsAsked)
  @BodyAs(EditForm, { required: false })
  @ApiErrors(409)
  async edit(@Caller() caller: StoreCaller, @Id() id: number, @Req() req: StoreRequest): Promise<Answer> {
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    return this.requestChanges(item, (await readJsonBody(req)) as Record<string, unknown>);
  }

  /** Requests changes to one of the caller's items. @throws StoreError as {@link EditRequests.request} */
  async requestChanges(item: Pick<StoreItem, 'id'>, given: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { row_version: _checked, ...changes } = given;
    const { row_version: rowVersion } = checked(EditForm, given);
    const n = await this.edits.request(item.id, changes, EDIT_FIELDS, rowVersion);
    return n === 0 ? new Answer('store.nothing_to_change', { requests: 0 }) : new Answer('store.edits_submitted', { requests: n }, { n });
  }

  @Get('items/:id/versions')
  @Rate('read')
  @StoreAccess('developer', 'read')
  @ApiOperation({ summary: 'Versions of an own item, newest first' })
  @ApiList(OwnVersion)
  async versions(@Caller() caller: StoreCaller, @Id() id: number) {
    return this.items.versions(await this.items.require(caller, id));
  }

  @Get('items/:id/review')
  @Rate('read')
  @StoreAccess('developer', 'read')
  @ApiOperation({ summary: 'State of the review of an own item' })
  @ApiData(Review)
  async review(@Caller() caller: StoreCaller, @Call() call: StoreCall, @Id() id: number) {
    return this.items.review(await this.items.require(caller, id), call.locale);
  }

  @Post('items/:id/versions')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.version', (done) => ({ ...ofItem(done)!, detail: { version: done.data.version } }))
  @ApiOperation({ summary: 'Submits a new version; the published one remains until it is approved' })
  @ApiData(OwnVersion)
  @ApiConsumes('multipart/form-data')
  @BodyAs(VersionForm)
  @ApiErrors(429)
  async submitVersion(@Call() call: StoreCall, @Id() id: number, @Req() req: StoreRequest, read?: ReadFields): Promise<Answer> {
    const caller = call.caller!;
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    const kept = (fresh: StoreVersion): Promise<void> => this.followUp.enqueue(fresh, call);
    const version = await this.admission.admit(caller, UPLOADS, () =>
      this.submissions.submitVersion(caller, item, req, { read, onStored: kept }),
    );
    const isPublished = await this.followUp.submitted(item, version, call);
    const row = isPublished ? await this.items.version(id, version.id) : version;
    return new Answer(isPublished ? 'store.version_published_at_once' : 'store.version_submitted', ownVersionRow(row, item.type));
  }
}
