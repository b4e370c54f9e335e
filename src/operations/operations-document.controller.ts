import type { ServerResponse } from 'node:http';

import { Controller, Get, Res, UseGuards } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';
import { Limited, sendJson } from '../http/index.js';

import { AdminGuard } from './http/guards.js';
import { OperationRegistry } from './operation-registry.js';
import { operationsDocument } from './operations-document.js';
import { Routes } from './routes/route-dispatcher.js';

/** Serves the OpenAPI document of the panel's operations and its plugins' routes to administrators. Source: docs/panel-api.md "AJAX". */
@Limited('read')
@Controller('admin')
export class OperationsDocumentController {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly routes: Routes,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Get('openapi.json')
  @UseGuards(AdminGuard)
  async document(@Res() res: ServerResponse): Promise<void> {
    sendJson(res, { status: 200, body: await operationsDocument(this.registry.all(), this.routes.list(), this.baseUrl.current()) });
  }
}
