import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { type ControllerHandler, controllerHandlers } from '../../src/common/index.js';
import { type AuditRule, auditRuleOf } from '../../src/store/audit/index.js';
import { type AccessRule, accessRuleOf } from '../../src/store/http/index.js';

/** An endpoint as its decorators declare it. */
export interface StoreRoute {
  /** Such as `GET`. */
  readonly method: string;
  /** Such as `/api/items/:id`. */
  readonly path: string;
  /** `Controller.method`. */
  readonly name: string;
  readonly access: AccessRule | undefined;
  /** What it leaves in the log; undefined where it is only read. */
  readonly audit: AuditRule | undefined;
}

/** Prefixes of the store's controllers: its JSON API, without the panel's addresses there, and the pictures. */
const IS_OURS = /^(api\/(?!.*\.php$)|uploads\/)/;

/** Every endpoint of the store, by path, then method. What only catches unknown addresses is none. @param get of the application */
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
