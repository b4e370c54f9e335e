import type { IncomingMessage } from 'node:http';

import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Res,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';

import { Limited } from '../http/index.js';
import { AdminGuard, Needs, Own, UserGuard, callOf } from '../operations/index.js';

import { PAGE_METADATA, needsOf, type PageDeclaration } from './page-declaration.js';
import { PageInterceptor } from './page-interceptor.js';
import { PageFilter } from './web-entry.js';

/** The request as the page's guard made it. */
const Call = createParamDecorator((_, context: ExecutionContext) => callOf(context.switchToHttp().getRequest<IncomingMessage>()));

/**
 * Declares a controller's method as a page: its address, who may see it, its place in the menu and its lists follow from this record. The
 * method gets the request and returns what the view sees besides; it throws {@link PageMissing} where there is nothing to show, and
 * {@link PageRedirect} to lead elsewhere.
 * Whoever is not signed in is led to the login page and back.
 *
 * @example
 * ```ts
 * @Controller()
 * export class HostPages {
 *   @Page({ side: 'admin', path: 'hosts', title: 'theme.menu.hosts', menu: { icon: 'mdi-web', order: 20 }, lists: [HOSTS] })
 *   hosts(): object {
 *     return {};
 *   }
 * }
 * ```
 */
export function Page(page: PageDeclaration): MethodDecorator {
  const route = applyDecorators(
    // Nest would drop a plain slash at the end of a path.
    Get(page.path === '' ? `${page.side}{/}` : `${page.side}/${page.path}`),
    Limited('public'),
    ...(page.open ? [] : [UseGuards(page.side === 'admin' ? AdminGuard : UserGuard), Needs(...needsOf(page))]),
    ...(page.own ? [Own()] : []),
    UseFilters(PageFilter),
    UseInterceptors(PageInterceptor),
    SetMetadata(PAGE_METADATA, page),
  );
  return (target, key, descriptor) => {
    Call()(target, key, 0);
    // The interceptor answers: Nest sends nothing for a handler that takes the response.
    Res()(target, key, 1);
    return route(target, key, descriptor);
  };
}
