import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { isRateClass } from '../auth/index.js';
import { decoratedMethods, LOCALES, translate } from '../common/index.js';

import { coreOperation } from './core-operation.js';
import { OPERATION_METADATA, type OperationDeclaration, type OperationHandler } from './operation.js';
import { OperationRegistry, PLUGIN_OPERATION_PREFIX } from './operation-registry.js';

/** Registers every method with `@Operation`; an incomplete declaration fails the start. */
@Injectable()
export class OperationDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: OperationRegistry,
  ) {}

  onModuleInit(): void {
    for (const { declaration, method, place } of decoratedMethods<OperationDeclaration>(this.discovery, this.scanner, OPERATION_METADATA)) {
      this.register(declaration, method as OperationHandler, place);
    }
  }

  private register(declaration: OperationDeclaration, handler: OperationHandler, place: string): void {
    for (const gn of [declaration.gn, ...(declaration.also ?? [])]) {
      const named = { ...declaration, gn };
      checkDeclaration(named, place);
      this.registry.add(coreOperation(named, handler));
    }
  }
}

/**
 * Operations that plugins provided on earlier panels of this family; deployed programs still call these names. Source: docs/panel-api.md
 * "Names at the DNS"
 */
const FORMER_PLUGINS = /^p_dns_/;

/** @throws Error listing what the operation's declaration lacks */
export function checkDeclaration(declaration: OperationDeclaration, place: string): void {
  const problems: string[] = [];
  if (declaration.side !== 'admin' && declaration.side !== 'user') problems.push('its side');
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(declaration.gn ?? '')) problems.push('a name (gn)');
  else if (declaration.gn.startsWith(PLUGIN_OPERATION_PREFIX) && !FORMER_PLUGINS.test(declaration.gn))
    problems.push("a name that is not a plugin's (p_…)");
  if (!['none', 'admin', 'user'].includes(declaration.auth)) problems.push('who may call it (auth)');
  if (typeof declaration.input !== 'function') problems.push('its form (input)');
  if (declaration.audit !== null && typeof declaration.audit !== 'string') problems.push('its audit text, or null');
  else if (declaration.audit && LOCALES.some((locale) => translate(locale, declaration.audit!) === declaration.audit)) {
    problems.push(`the text "${declaration.audit}" in every language file`);
  }
  if (!isRateClass(declaration.rate)) problems.push('its rate class (rate)');
  if (declaration.auth !== 'none' && declaration.auth !== declaration.side) problems.push('a policy of its own side');
  if (problems.length) throw new Error(`The operation at ${place} does not declare ${problems.join(', ')}.`);
}
