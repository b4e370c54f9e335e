import type { ServerResponse } from 'node:http';

import { Get, Res } from '@nestjs/common';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { Rate } from '../../auth/index.js';
import { ApiOperation, sendBody, TEXT_TYPE } from '../../http/index.js';
import { ApiData, ApiFile, Id, Query, StoreAccess, StoreController } from '../http/index.js';

import { PackageView } from './package-view.js';
import { PackageFiles } from './review.dto.js';

const VERSION = /^[0-9A-Za-z.+_-]{1,32}$/;

class FilesQuery {
  @IsOptional()
  @Matches(VERSION, { message: 'store.version_invalid' })
  version?: string;
}

class ContentQuery extends FilesQuery {
  @IsString({ message: 'store.path_required' })
  @MaxLength(500, { message: 'store.path_required' })
  path!: string;
}

class DiffQuery {
  @Matches(VERSION, { message: 'store.version_invalid' })
  from!: string;

  @Matches(VERSION, { message: 'store.version_invalid' })
  to!: string;
}

/** Package contents for reviewers; by default of the pending version, else of the current one. */
@StoreController('admin/items')
export class PackageViewController {
  constructor(private readonly view: PackageView) {}

  @Get(':id/files')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Lists the files of a package' })
  @ApiData(PackageFiles)
  files(@Id() id: number, @Query() { version }: FilesQuery) {
    return this.view.files(id, version);
  }

  @Get(':id/files/content')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Returns a file of a package as text' })
  @ApiFile('text/plain')
  async content(@Id() id: number, @Query() { version, path }: ContentQuery, @Res() res: ServerResponse): Promise<void> {
    sendText(res, await this.view.content(id, version, path));
  }

  @Get(':id/diff')
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Returns the differences between two versions' })
  @ApiFile('text/plain')
  async diff(@Id() id: number, @Query() { from, to }: DiffQuery, @Res() res: ServerResponse): Promise<void> {
    sendText(res, await this.view.diff(id, from, to));
  }
}

/** Sends untrusted text as plain text, so that a browser never interprets it. */
const sendText = (res: ServerResponse, text: string): void =>
  sendBody(res, 200, TEXT_TYPE, text, { 'Content-Security-Policy': "default-src 'none'; sandbox" });
