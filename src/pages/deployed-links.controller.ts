import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res } from '@nestjs/common';

import { Limited, pathOf, sendLocalRedirect } from '../http/index.js';

/**
 * URLs known to existing links, bookmarks and shop modules: redirected to the current pages with their query. A posted
 * form is redirected to the page by GET; its content is ignored.
 */
@Limited('public')
@Controller()
export class DeployedLinksController {
  @Get(['user/login.php', 'admin/login.php', 'user/index.php', 'admin/index.php'])
  follow(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    sendLocalRedirect(res, pageBehind(req.url ?? '/'));
  }

  @Post(['user/login.php', 'admin/login.php', 'user/index.php', 'admin/index.php'])
  leave(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    sendLocalRedirect(res, pageBehind(req.url ?? '/'), 303);
  }
}

function pageBehind(address: string): string {
  const [path, query] = divide(address);
  return path.replace(/(?:login|index)\.php$/, (name) => (name === 'login.php' ? 'login' : '')) + query;
}

function divide(address: string): [path: string, query: string] {
  const path = pathOf(address);
  return [path, address.slice(path.length)];
}
