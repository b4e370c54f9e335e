import { Injectable } from '@nestjs/common';

import { CORE_OWNER, operationNameKey, translate, type Locale } from '../common/index.js';
import { OperationRegistry } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { PageRegistry } from '../web/index.js';

import { PERMISSION_GROUPS } from './permissions.js';

/** The permission of each operation. */
const PERMISSIONS: ReadonlyMap<string, string> = new Map(
  PERMISSION_GROUPS.flatMap(({ permissions }) =>
    permissions.flatMap(({ id, operations }) => operations.map((name) => [name, id] as const)),
  ),
);

/** Display names of operations. */
@Injectable()
export class OperationWords {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly pages: PageRegistry,
  ) {}

  /** Returns the name in the operation log, else the operation's permission, plugin, the page whose list it fills, or its audience. */
  of(side: Scope, name: string, locale: Locale): string {
    const label = logLabel(name, locale);
    if (label !== null) return label;
    const permission = PERMISSIONS.get(name);
    if (permission !== undefined) return translate(locale, `access.permission.${permission}`);
    const operation = this.operations.find(side, name);
    if (operation && operation.owner !== CORE_OWNER) return translate(locale, 'access.plugin', { slug: operation.owner });
    const page = this.pages.list().find(({ record }) => record.side === side && record.lists?.some((list) => list.operation === name));
    if (page) return translate(locale, page.record.title);
    return translate(locale, operation?.auth === 'none' ? 'access.operation_of_anyone' : `access.operation_of_${side}`);
  }
}

/** Returns the name in the operation log; null if the operation is never logged. */
export function logLabel(name: string, locale: Locale): string | null {
  const key = operationNameKey(name);
  return key === null ? null : translate(locale, key);
}
