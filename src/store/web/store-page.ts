import { applyDecorators, Get, Post, Res, SetMetadata, type Type, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';

import { Rate, rateOf } from '../../auth/index.js';
import { ApiExcludeEndpoint } from '../../http/index.js';
import { AuditedAs, AuditTrail, auditRuleOf } from '../audit/index.js';
import { accessRuleOf, bodyOf, StoreAccess, StoreGuard } from '../http/index.js';

import { ExactAddress } from './exact-address.js';
import { StoreFormAnswers, StorePageAnswers } from './store-page-answers.js';
import {
  STORE_FORM_METADATA,
  STORE_PAGE_METADATA,
  routeOf,
  type DeclaredStoreForm,
  type StoreFormDeclaration,
  type StorePageDeclaration,
} from './page-declaration.js';
import { PageErrors } from './page-errors.js';
import { Requested } from './page-request.js';

/**
 * Declares a controller method as a store page; route, access, tab and policy follow from this record. The method gets the
 * {@link PageRequest} and returns additional view variables. Visitors who are not signed in are redirected to the login page and back; a
 * `StoreError` becomes an error page with its status.
 *
 * @example
 * ```ts
 * @StorePage({ path: 'developer/', view: 'own-items', title: 'own.title', needs: ['developer'] })
 * async list({ call, query }: PageRequest): Promise<object> {
 *   return { items: await this.items.list(call.caller!, undefined, slice) };
 * }
 * ```
 */
export const StorePage = (page: StorePageDeclaration): MethodDecorator =>
  handling(
    Get(routeOf(page.path)),
    Rate('read'),
    StoreAccess(page.open ? 'public' : page.needs[0]),
    UseGuards(ExactAddress, StoreGuard),
    UseFilters(PageErrors),
    UseInterceptors(StorePageAnswers),
    SetMetadata(STORE_PAGE_METADATA, page),
  );

/**
 * Declares a controller method as a form of a page, backed by an API endpoint: access, rate limit and audit rule are those of the endpoint,
 * except that API tokens are not accepted. The method gets the {@link FormRequest} and returns a {@link FormRedirect}, {@link FormPage} or
 * {@link FormFragment}; if it throws a `StoreError`, the page is shown again with the submitted values and the error at its field.
 *
 * @param does controller and method of the endpoint
 * @throws Error if the page is not a method of the same controller
 * @example
 * ```ts
 * @StoreForm({ path: 'account/sessions/:id/end', page: 'sessions' }, CredentialsController, 'endSession')
 * ```
 */
export function StoreForm<C extends object>(form: StoreFormDeclaration, controller: Type<C>, does: keyof C & string): MethodDecorator {
  const endpoint = controller.prototype[does] as (...args: never[]) => unknown;
  const declare = handling(
    Post(routeOf(form.path)),
    Rate(rateOf(endpoint, controller)!),
    StoreAccess(accessRuleOf(endpoint)!.level),
    AuditedAs(auditRuleOf(endpoint)!),
    UseGuards(ExactAddress, StoreGuard),
    UseFilters(PageErrors),
    UseInterceptors(StoreFormAnswers, AuditTrail),
    SetMetadata(STORE_FORM_METADATA, { ...form, input: bodyOf(controller, does) } satisfies DeclaredStoreForm),
  );
  return (target, key, descriptor) => {
    if (typeof (target as Record<string, unknown>)[form.page] !== 'function')
      throw new Error(`The form ${form.path} belongs to the page "${form.page}", which does not exist.`);
    declare(target, key, descriptor);
  };
}

/** Injects request and response; the interceptor sends the response instead of Nest. */
function handling(...decorators: MethodDecorator[]): MethodDecorator {
  const route = applyDecorators(...decorators, ApiExcludeEndpoint());
  return (target, key, descriptor) => {
    Requested()(target, key, 0);
    Res()(target, key, 1);
    return route(target, key, descriptor);
  };
}

/** All pages of the controllers, in order of declaration. */
export const pagesOf = (controllers: readonly Type[]): StorePageDeclaration[] => declaredIn(controllers, STORE_PAGE_METADATA);

/** All forms of the controllers, by path. */
export const formsOf = (controllers: readonly Type[]): ReadonlyMap<string, DeclaredStoreForm> =>
  new Map(declaredIn<DeclaredStoreForm>(controllers, STORE_FORM_METADATA).map((form) => [form.path, form]));

function declaredIn<T>(controllers: readonly Type[], metadata: string): T[] {
  return controllers.flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const declared: unknown = Reflect.getMetadata(metadata, (prototype as Record<string, object>)[name]!);
      return declared ? [declared as T] : [];
    }),
  );
}
