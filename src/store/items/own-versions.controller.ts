import { Delete, Param, Put } from '@nestjs/common';
import { IsOptional } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiParam, ApiProperty } from '../../http/index.js';
import { Audited, ofItem } from '../audit/index.js';
import { Answer, Caller, type StoreCaller } from '../call/index.js';
import { ApiData, ApiErrors, Body, Characters, Id, StoreAccess, StoreController, Visible } from '../http/index.js';

import { ownVersionRow } from './item-rows.js';
import { EditRequests } from './edit-requests.js';
import { EditsAsked, OwnVersion, ScreenshotsForm } from './item.dto.js';
import { OwnItems } from './own-items.js';
import { OwnVersions } from './own-versions.js';

/** Reason for withdrawing a version. */
export class WithdrawForm {
  /** Shown to panels that have the version. */
  @IsOptional()
  @Characters(0, 500, { message: 'store.withdraw_reason_invalid' })
  @Visible({ message: 'store.withdraw_reason_invalid' })
  reason?: string;
}

/** Response to the deletion of a version. */
export class RemovedVersion {
  @ApiProperty() version!: string;
  @ApiProperty({ description: 'Whether the item was deleted too: it was the last version of an item that was never published' })
  item_removed!: boolean;
}

const ApiVersion = () => ApiParam({ name: 'version', schema: { type: 'string', pattern: '^[0-9A-Za-z.+_-]{1,32}$' } });

/** Endpoints of developers for the versions they submitted and the screenshots of an item. */
@StoreController('developer')
export class OwnVersionsController {
  constructor(
    private readonly items: OwnItems,
    private readonly versions: OwnVersions,
    private readonly edits: EditRequests,
  ) {}

  @Put('items/:id/screenshots')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.edit', (done) => (done.data.requests === 0 ? null : ofItem(done)))
  @ApiOperation({ summary: 'Requests other screenshots, in this order; an administrator decides' })
  @ApiData(EditsAsked)
  @ApiErrors(409)
  async askScreenshots(@Caller() caller: StoreCaller, @Id() id: number, @Body() form: ScreenshotsForm): Promise<Answer> {
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    const n = await this.edits.request(item.id, { screenshots: form.screenshots }, ['screenshots'], form.row_version);
    return n === 0 ? new Answer('store.nothing_to_change', { requests: 0 }) : new Answer('store.edits_submitted', { requests: n }, { n });
  }

  @Put('items/:id/versions/:version/withdraw')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.version_withdraw', (done) => ({ ...ofItem(done)!, detail: { version: done.data.version } }))
  @ApiOperation({ summary: 'Withdraws a published version; panels that installed it show the reason' })
  @ApiVersion()
  @ApiData(OwnVersion)
  async withdraw(
    @Caller() caller: StoreCaller,
    @Id() id: number,
    @Param('version') version: string,
    @Body() { reason }: WithdrawForm,
  ): Promise<Answer> {
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    const row = await this.versions.withdraw(item.id, version, reason ?? '');
    return new Answer('store.version_was_withdrawn', ownVersionRow(row, item.type));
  }

  @Delete('items/:id/versions/:version')
  @Rate('write')
  @StoreAccess('developer', 'publish')
  @Audited('item.version_delete', (done) => ({ ...ofItem(done)!, detail: { version: done.data.version } }))
  @ApiOperation({ summary: 'Deletes a version that was never published' })
  @ApiVersion()
  @ApiData(RemovedVersion)
  async remove(@Caller() caller: StoreCaller, @Id() id: number, @Param('version') version: string): Promise<Answer> {
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    return new Answer('store.version_deleted', {
      version,
      item_removed: await this.versions.remove(item.id, version),
    });
  }
}
