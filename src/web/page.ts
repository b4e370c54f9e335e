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

/** The request as prepared by the page's guard. */
const Call = createParamDecorator((_, context: ExecutionContext) => callOf(context.switchToHttp().getRequest<IncomingMessage>()));

const PATH = /^(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*)?$/;

/**
 * Declares a controller method as a page: its URL, permissions, menu entry and lists follow from this record. The
 * method receives the request and returns further variables of the view; it throws {@link PageMissing} if nothing exists, and
 * {@link PageRedirect} to redirect.
 * Visitors who are not signed in are redirected to the login page and back.
 * @throws Error for a path with a slash at its ends
 * @example
 * ```ts
 * @Controller()
 * export class HostPages {
 *   @Page({ side: 'admin', path: 'hosts', title: 'hosting.menu.hosts', menu: { icon: 'mdi-web', order: 20 }, lists: [HOSTS] })
 *   hosts(): object {
 *     return {};
 *   }
 * }
 * ```
 */
export function Page(page: PageDeclaration): MethodDecorator {
  if (!PATH.test(page.path))
    throw new Error(`The path of the page "${page.path}" must be like "hosts": below its side, without slashes at its ends.`);
  const route = applyDecorators(
    // Nest would drop a trailing slash.
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
    // The interceptor sends the response: Nest sends nothing for a handler that injects it.
    Res()(target, key, 1);
    return route(target, key, descriptor);
  };
}
