import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Get, Post, Req, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { translate } from '../../common/index.js';
import { Body, Call, Describe, Query, shape, StoreAccess, StoreController, type StoreCall } from '../http/index.js';
import { ITEM } from '../items/item-shapes.js';
import { itemRow } from '../items/item-rows.js';

import { Categories } from './categories.js';
import { CategoriesForm, FindItemsForm, queryOf, UpdateCheckForm } from './finding.forms.js';
import { ItemFinder } from './item-finder.js';
import { CATEGORY, UPDATE_CHECK } from './finding-shapes.js';
import { UpdateCheck } from './update-check.js';

/** How long a panel may keep what it was told about updates, in seconds. */
const CHECK_SECONDS = 300;
const CHECK_HEADERS = { ETag: 'What the answer is known by', 'Cache-Control': `For how long it may be kept: ${CHECK_SECONDS} seconds` };

/** How published items are found. */
@StoreController('items')
export class FindingController {
  constructor(
    private readonly finder: ItemFinder,
    private readonly categories: Categories,
    private readonly updates: UpdateCheck,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'Published items', answers: shape.page(ITEM), usual: { page: 1, page_size: 12, sort: 'newest' } })
  async list(@Query(FindItemsForm) form: FindItemsForm) {
    const query = queryOf(form);
    const { items, total } = await this.finder.find(query);
    return { items: items.map(itemRow), total, page: query.page, page_size: query.limit };
  }

  @Get('categories')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'Categories in use and suggested ones, by name; with their counts where asked for', answers: shape.either(shape.list(shape.text()), shape.list(CATEGORY)) })
  async listCategories(@Query(CategoriesForm) form: CategoriesForm) {
    const all = await this.categories.list();
    return form.with === 'counts' ? all : all.map(({ name }) => name);
  }

  @Post('update-check')
  @Rate('read')
  @StoreAccess('public', 'read')
  @Describe({ summary: 'Which of the installed items have newer versions, and which are gone', answers: UPDATE_CHECK, headers: CHECK_HEADERS, asks: { 'If-None-Match': 'The `ETag` of an answer from before' }, others: { 304: { description: 'Nothing has changed since', headers: CHECK_HEADERS } } })
  async check(@Body(UpdateCheckForm) form: UpdateCheckForm, @Call() call: StoreCall, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const data = await this.updates.check(form.panel_version, form.items);
    const body = JSON.stringify({ code: 0, msg: translate(call.locale, 'store.ok'), data });
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = { ETag: etag, 'Cache-Control': `max-age=${CHECK_SECONDS}`, 'X-Content-Type-Options': 'nosniff' };
    if (req.headers['if-none-match'] === etag) return void res.writeHead(304, headers).end();
    res.writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) }).end(body);
  }
}
