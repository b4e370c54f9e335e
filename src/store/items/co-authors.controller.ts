import { Delete, Get, Post, Put } from '@nestjs/common';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { Audited, ofItem } from '../audit/index.js';
import { Answer, Caller, type StoreCaller } from '../call/index.js';
import { StoreError } from '../errors.js';
import { ApiData, ApiList, Body, ID, Id, StoreAccess, StoreController } from '../http/index.js';
import type { StoreItem } from '../entities/index.js';

import { CoAuthors } from './co-authors.js';
import { OwnItems } from './own-items.js';

/** Invitation of a co-author by user name. */
export class InviteForm {
  @IsString({ message: 'store.co_author_name' }) @MaxLength(60, { message: 'store.co_author_name' }) username!: string;
}

/** Refers to a co-author by account id. */
export class CoAuthorForm {
  @IsInt({ message: 'store.id_invalid' }) @Min(1, { message: 'store.id_invalid' }) user_id!: number;
}

class CoAuthorWire {
  @ApiProperty(ID) user_id!: number;
  @ApiProperty() username!: string;
  @ApiProperty({ description: 'Whether the invitation was accepted' }) accepted!: boolean;
  @ApiProperty({ description: 'Whether the ownership of the item is offered to this co-author' }) offered!: boolean;
}

class InvitationWire {
  @ApiProperty(ID) item_id!: number;
  @ApiProperty() item_name!: string;
  @ApiProperty() author_name!: string;
  @ApiProperty({ enum: ['co_author', 'transfer'] }) kind!: 'co_author' | 'transfer';
}

/** Co-authors and ownership transfer of items. Sessions only: an API token cannot grant rights. */
@StoreController('developer')
export class CoAuthorsController {
  constructor(
    private readonly items: OwnItems,
    private readonly authors: CoAuthors,
  ) {}

  @Get('invitations')
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'Own invitations: to become co-author of an item, or to take over its ownership' })
  @ApiList(InvitationWire, { maxItems: 200 })
  invitations(@Caller() { id }: StoreCaller) {
    return this.authors.invitations(id);
  }

  @Get('items/:id/authors')
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'Co-authors of an item and open invitations' })
  @ApiList(CoAuthorWire, { maxItems: 10 })
  async list(@Caller() caller: StoreCaller, @Id() id: number) {
    return this.authors.of((await this.items.require(caller, id)).id);
  }

  @Put('items/:id/authors')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('item.invite', ofItem)
  @ApiOperation({ summary: 'Invites a co-author; only for the author' })
  @ApiData(null)
  async invite(@Caller() caller: StoreCaller, @Id() id: number, @Body() { username }: InviteForm): Promise<Answer> {
    await this.authors.invite(await this.ownItem(caller, id), username);
    return new Answer('store.co_author_asked');
  }

  @Post('items/:id/authors/accept')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('item.accept', ofItem)
  @ApiOperation({ summary: 'Accepts an invitation' })
  @ApiData(null)
  async accept(@Caller() caller: StoreCaller, @Id() id: number): Promise<Answer> {
    const kind = await this.authors.accept(id, caller.id);
    return new Answer(kind === 'transfer' ? 'store.item_taken_over' : 'store.co_author_joined');
  }

  @Delete('items/:id/authors/me')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('item.leave', ofItem)
  @ApiOperation({ summary: 'Declines an invitation, or leaves the co-authors' })
  @ApiData(null)
  async leave(@Caller() caller: StoreCaller, @Id() id: number): Promise<Answer> {
    await this.authors.remove(id, caller.id);
    return new Answer('store.co_author_left');
  }

  @Post('items/:id/authors/remove')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('item.remove_author', ofItem)
  @ApiOperation({ summary: 'Removes a co-author; only for the author' })
  @ApiData(null)
  async remove(@Caller() caller: StoreCaller, @Id() id: number, @Body() { user_id: userId }: CoAuthorForm): Promise<Answer> {
    await this.authors.remove((await this.ownItem(caller, id)).id, userId);
    return new Answer('store.co_author_removed');
  }

  @Post('items/:id/transfer')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('item.offer', ofItem)
  @ApiOperation({ summary: 'Offers the ownership to a co-author, who takes it over by accepting; only for the author' })
  @ApiData(null)
  async offer(@Caller() caller: StoreCaller, @Id() id: number, @Body() { user_id: userId }: CoAuthorForm): Promise<Answer> {
    await this.authors.offer(await this.ownItem(caller, id), userId);
    return new Answer('store.item_offered');
  }

  /** Returns an item the caller is the author of; being a co-author is not enough. */
  private async ownItem(caller: StoreCaller, id: number): Promise<StoreItem> {
    const item = await this.items.require(caller, id, 'ITEM_NOT_FOUND_OR_YOURS');
    if (item.authorId !== caller.id) throw new StoreError('ITEM_NOT_YOURS');
    return item;
  }
}
