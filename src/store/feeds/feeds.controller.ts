import type { IncomingMessage, ServerResponse } from 'node:http';

import { applyDecorators, Get, Param, Req, Res } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { translate, type Locale } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { ApiOperation, ApiParam } from '../../http/index.js';
import { Call, type StoreCall } from '../call/index.js';
import { StoreError } from '../errors.js';
import { ApiRequestHeaders, ApiEmpty, ApiFile, Id, Query, sendCacheable, StoreAccess, StoreController } from '../http/index.js';
import { PublicItems } from '../items/index.js';

import { badge } from './badge.js';
import { atomFeed, jsonFeed } from './feed-text.js';
import { NewestVersions } from './newest-versions.js';

const ATOM = 'application/atom+xml';
const JSON_FEED = 'application/feed+json';
const SVG = 'image/svg+xml';
const KINDS = ['version', 'downloads', 'rating'] as const;
/** Cache lifetime of a response, in seconds. */
const FRESH_SECONDS = 300;
const CACHE_HEADERS = { 'Cache-Control': `public, max-age=${FRESH_SECONDS}`, Vary: 'Accept-Language, Cookie' };
/** Opened on its own, the document may load and run nothing. */
const DOCUMENT_HEADERS = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

class BadgeQuery {
  /** Language of the badge: an embedding page cannot pass on its readers' language. */
  @IsOptional() @IsIn(['en', 'zh-CN'], { message: 'store.lang_invalid' }) lang?: Locale;
}

/** Decorators of public feed endpoints; responses may be cached for five minutes. */
const FeedEndpoint = (media: string, summary: string): MethodDecorator =>
  applyDecorators(
    Rate('read'),
    StoreAccess('public', 'read'),
    ApiOperation({ summary }),
    ApiFile(media, { ETag: 'Version of the content', 'Cache-Control': 'Cache lifetime' }),
    ApiRequestHeaders({ 'If-None-Match': 'A previous `ETag`' }),
    ApiEmpty(304, 'Not modified'),
  );

/** Feeds of new versions in the whole store. */
@StoreController('feeds')
export class FeedsController {
  constructor(
    private readonly versions: NewestVersions,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Get('versions.atom')
  @FeedEndpoint(ATOM, 'The newest 50 versions as Atom')
  async atom(@Call() { locale }: StoreCall, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    send(req, res, ATOM, atomFeed(this.facts(locale, 'atom'), await this.versions.list()));
  }

  @Get('versions.json')
  @FeedEndpoint(JSON_FEED, 'The newest 50 versions as JSON Feed')
  async json(@Call() { locale }: StoreCall, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    send(req, res, JSON_FEED, jsonFeed(this.facts(locale, 'json'), await this.versions.list()));
  }

  private facts(locale: Locale, form: string) {
    const origin = this.baseUrl.current();
    return { title: translate(locale, 'store.feed_title'), page: `${origin}/store/`, self: `${origin}/api/feeds/versions.${form}`, origin };
  }
}

/** Feeds of one item's new versions, and its badges. */
@StoreController('items')
export class ItemFeedsController {
  constructor(
    private readonly items: PublicItems,
    private readonly versions: NewestVersions,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Get(':id/feed.atom')
  @FeedEndpoint(ATOM, 'The newest 50 versions of an item as Atom')
  async atom(@Id() id: number, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    send(req, res, ATOM, atomFeed(await this.facts(id, 'atom'), await this.versions.list(id)));
  }

  @Get(':id/feed.json')
  @FeedEndpoint(JSON_FEED, 'The newest 50 versions of an item as JSON Feed')
  async json(@Id() id: number, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    send(req, res, JSON_FEED, jsonFeed(await this.facts(id, 'json'), await this.versions.list(id)));
  }

  @Get(':id/badges/:kind')
  @FeedEndpoint(SVG, 'A badge: `version.svg`, `downloads.svg` or `rating.svg`')
  @ApiParam({ name: 'kind', schema: { type: 'string', enum: KINDS.map((kind) => `${kind}.svg`) } })
  async badge(
    @Call() call: StoreCall,
    @Id() id: number,
    @Param('kind') name: string,
    @Query() { lang }: BadgeQuery,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const kind = KINDS.find((one) => `${one}.svg` === name);
    if (!kind) throw new StoreError('NOT_FOUND');
    const { version, downloads, rating } = this.items.row(await this.items.require({ id }, null), null);
    const locale = lang ?? call.locale;
    const values = {
      version,
      downloads: new Intl.NumberFormat(locale, { notation: 'compact' }).format(downloads),
      rating: rating === null ? '–' : `${rating} / 5`,
    };
    send(req, res, SVG, badge(translate(locale, `store.badge_${kind}`), values[kind]));
  }

  private async facts(id: number, form: string) {
    const { type, slug, name } = await this.items.require({ id }, null);
    const origin = this.baseUrl.current();
    return { title: name, page: `${origin}/store/${type}/${slug}`, self: `${origin}/api/items/${id}/feed.${form}`, origin };
  }
}

const send = (req: IncomingMessage, res: ServerResponse, media: string, text: string): void =>
  sendCacheable(req, res, `${media}; charset=utf-8`, text, CACHE_HEADERS, DOCUMENT_HEADERS);
