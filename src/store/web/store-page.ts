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
 * Declares a controller's method as a page of the store: address, who may see it, tab and policy follow from this record. The method gets
 * the {@link PageRequest} and returns what its view sees besides. Whoever is not signed in is led to the login page and back; a
 * `StoreError` is shown on a page with its status.
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
 * Declares a controller's method as a form of a page. It does what an endpoint of the API does: who may send it, how often, and what it
 * leaves in the log are that endpoint's; only tokens, which are for programs, send no forms. The method gets the {@link FormRequest} and
 * returns a {@link GoOn}, {@link ShowOn} or {@link ShowPart}; where it throws a `StoreError`, the page is shown again with what was typed
 * and the error at its field.
 *
 * @param does controller and method of the endpoint
 * @throws Error where its page is no method of the same controller
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
      throw new Error(`The form ${form.path} is on no page "${form.page}".`);
    declare(target, key, descriptor);
  };
}

/** The method gets its request; the interceptor answers, Nest sends nothing. */
function handling(...decorators: MethodDecorator[]): MethodDecorator {
  const route = applyDecorators(...decorators, ApiExcludeEndpoint());
  return (target, key, descriptor) => {
    Requested()(target, key, 0);
    Res()(target, key, 1);
    return route(target, key, descriptor);
  };
}

/** The pages of controllers, in the order they are declared. */
export const pagesOf = (controllers: readonly Type[]): StorePageDeclaration[] => declaredIn(controllers, STORE_PAGE_METADATA);

/** Their forms, by their paths. */
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
