import { Get } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { Caller, type StoreCaller } from '../call/index.js';
import { ApiData, COUNT, Id, Query, StoreAccess, StoreController } from '../http/index.js';

import { ItemDownloadNumbers } from './item-downloads.js';
import { OwnItems } from './own-items.js';

/** Period of the statistics. */
export class DaysQuery {
  /** Number of days, including today. */
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'store.days_invalid' })
  @Min(1, { message: 'store.days_invalid' })
  @Max(365, { message: 'store.days_invalid' })
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 365, default: 90 })
  days?: number;
}

class DownloadsOfDay {
  @ApiProperty({ format: 'date', description: 'UTC' }) day!: string;
  @ApiProperty(COUNT) downloads!: number;
  @ApiProperty({ ...COUNT, description: 'Unique clients per day' }) visitors!: number;
}

class DownloadsOfVersion {
  @ApiProperty() version!: string;
  @ApiProperty(COUNT) downloads!: number;
}

/** Downloads of an item. */
export class ItemDownloadsWire {
  @ApiProperty({ type: [DownloadsOfDay], maxItems: 365, description: 'Days with downloads, oldest first' }) days!: DownloadsOfDay[];
  @ApiProperty({ type: [DownloadsOfVersion], maxItems: 200, description: 'All-time downloads, highest first' })
  versions!: DownloadsOfVersion[];
}

/** Download statistics of items, for their authors. */
@StoreController('developer')
export class ItemDownloadsController {
  constructor(
    private readonly items: OwnItems,
    private readonly numbers: ItemDownloadNumbers,
  ) {}

  @Get('items/:id/downloads')
  @Rate('read')
  @StoreAccess('developer', 'read')
  @ApiOperation({ summary: 'Downloads of an own item, over time and by version' })
  @ApiData(ItemDownloadsWire)
  async downloads(@Caller() caller: StoreCaller, @Id() id: number, @Query() { days }: DaysQuery) {
    return this.numbers.of((await this.items.require(caller, id)).id, days ?? 90);
  }
}
