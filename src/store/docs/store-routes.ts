import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { type ControllerHandler, controllerHandlers } from '../../common/index.js';
import { type AuditRule, auditRuleOf } from '../audit/index.js';
import { type AccessRule, accessRuleOf, bodyForm, type Description, descriptionOf, queryForm } from '../http/index.js';

/** An endpoint as its decorators declare it. */
export interface StoreRoute {
  /** Such as `GET`. */
  readonly method: string;
  /** Such as `/api/items/:id`. */
  readonly path: string;
  /** `Controller.method`. */
  readonly name: string;
  readonly access: AccessRule | undefined;
  readonly description: Description | undefined;
  /** What it leaves in the log; undefined where it is only read. */
  readonly audit: AuditRule | undefined;
  /** Form of the JSON body. */
  readonly body: Type | undefined;
  /** Form of the query. */
  readonly query: Type | undefined;
}

/** Prefixes of the store's controllers: its JSON API, without the panel's addresses there, and the pictures. */
const IS_OURS = /^(api\/(?!.*\.php$)|uploads\/)/;

type Argument = { readonly factory?: unknown; readonly data?: unknown };

/** Every endpoint of the store. */
@Injectable()
export class StoreRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** By path, then method. What only catches unknown addresses is none. */
  list(): StoreRoute[] {
    return [...controllerHandlers(this.discovery, this.scanner)]
      .flatMap((found) => {
        const prefix = Reflect.getMetadata(PATH_METADATA, found.controller) as unknown;
        return typeof prefix === 'string' && IS_OURS.test(prefix) ? [routeOf(found, prefix)] : [];
      })
      .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)));
  }
}

function routeOf({ controller, name, handler }: ControllerHandler, prefix: string): StoreRoute {
  const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const found = Object.values((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>);
  const formOf = (factory: unknown): Type | undefined => found.find((argument) => argument.factory === factory)?.data as Type | undefined;
  return {
    method: RequestMethod[method],
    path: `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'),
    name: `${controller.name}.${name}`,
    access: accessRuleOf(handler),
    description: descriptionOf(handler),
    audit: auditRuleOf(handler),
    body: formOf(bodyForm),
    query: formOf(queryForm),
  };
}
