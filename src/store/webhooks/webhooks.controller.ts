import { Delete, Get, Post } from '@nestjs/common';
import { IsUrl, MaxLength } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { Audited, NotAudited, ofCaller } from '../audit/index.js';
import { Answer, Caller, type StoreCaller } from '../call/index.js';
import { ApiData, ApiList, Body, Id, ID, StoreAccess, StoreController, TIME } from '../http/index.js';

import { Webhooks, WebhookSender } from './webhooks.js';

/** URL of a webhook. */
export class WebhookForm {
  /** http or https, on a public address. */
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true },
    { message: 'store.webhook_url' },
  )
  @MaxLength(500, { message: 'store.webhook_url' })
  url!: string;
}

/** A webhook. */
class WebhookWire {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ maxLength: 500 }) url!: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Status of the last response, 0 for none; null before the first message' })
  last_code!: number | null;
  @ApiProperty({ ...TIME, nullable: true }) last_at!: string | null;
  @ApiProperty(TIME) created_at!: string;
}

/** A new webhook with its secret. */
class NewWebhook {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ description: 'Signs the messages; returned only once' }) secret!: string;
}

/** Endpoints for authors' webhooks. */
@StoreController('developer/webhooks')
export class WebhooksController {
  constructor(
    private readonly hooks: Webhooks,
    private readonly sender: WebhookSender,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'Own webhooks' })
  @ApiList(WebhookWire, { maxItems: 5 })
  list(@Caller() { id }: StoreCaller) {
    return this.hooks.list(id);
  }

  @Post()
  @Rate('write')
  @StoreAccess('developer')
  @Audited('webhook.create', ofCaller)
  @ApiOperation({ summary: 'Adds a webhook: decisions about own items are sent there, signed' })
  @ApiData(NewWebhook)
  async add(@Caller() { id }: StoreCaller, @Body() { url }: WebhookForm): Promise<Answer> {
    return new Answer('store.webhook_added', await this.hooks.add(id, url));
  }

  @Post(':id/test')
  @Rate('write')
  @StoreAccess('developer')
  @NotAudited('a test message')
  @ApiOperation({ summary: 'Sends a message (`ping`) to see whether it arrives' })
  @ApiData(null)
  async test(@Caller() { id: userId }: StoreCaller, @Id() id: number): Promise<Answer> {
    await this.hooks.require(userId, id);
    await this.sender.ping(id);
    return new Answer('store.webhook_tested');
  }

  @Delete(':id')
  @Rate('write')
  @StoreAccess('developer')
  @Audited('webhook.delete', ofCaller)
  @ApiOperation({ summary: 'Removes a webhook' })
  @ApiData(null)
  async remove(@Caller() { id: userId }: StoreCaller, @Id() id: number): Promise<Answer> {
    await this.hooks.remove(userId, id);
    return new Answer('store.webhook_removed');
  }
}
