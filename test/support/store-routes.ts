import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { type ControllerHandler, controllerHandlers } from '../../src/common/index.js';
import { type AuditRule, auditRuleOf } from '../../src/store/audit/index.js';
import { type AccessRule, accessRuleOf } from '../../src/store/http/index.js';

/** Endpoint as declared by its decorators. */
export interface StoreRoute {
  /** For example `GET`. */
  readonly method: string;
  /** For example `/api/items/:id`. */
  readonly path: string;
  /** `Controller.method`. */
  readonly name: string;
  readonly access: AccessRule | undefined;
  /** Audit rule; undefined for endpoints that only read. */
  readonly audit: AuditRule | undefined;
}

/** Path prefixes of the store's controllers: its JSON API, without the panel's endpoints below it, and the images. */
const IS_OURS = /^(api\/(?!.*\.php$)|uploads\/)/;

/**
 * Returns all endpoints of the store, sorted by path and method, without the handlers of unknown paths.
 *
 * @param get resolves providers of the application
 */
export function storeRoutes(get: <T>(type: Type<T>) => T): StoreRoute[] {
  return [...controllerHandlers(get(DiscoveryService), get(MetadataScanner))]
    .flatMap((found) => {
      const prefix = Reflect.getMetadata(PATH_METADATA, found.controller) as unknown;
      return typeof prefix === 'string' && IS_OURS.test(prefix) ? [routeOf(found, prefix)] : [];
    })
    .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)));
}

function routeOf({ controller, name, handler }: ControllerHandler, prefix: string): StoreRoute {
  const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  return {
    method: RequestMethod[method],
    path: `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
    name: `${controller.name}.${name}`,
    access: accessRuleOf(handler),
    audit: auditRuleOf(handler),
  };
}
