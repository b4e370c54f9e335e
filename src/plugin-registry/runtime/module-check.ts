import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { PluginError } from '../errors.js';

/** Possible entries of a Nest module's `imports`. */
type ImportedModule = Type<unknown> | DynamicModule | Promise<DynamicModule> | ForwardReference;

/** Metadata keys of Nest's decorators (`@nestjs/common/constants`). */
const METADATA = {
  parameterTypes: 'design:paramtypes',
  parameterTokens: 'self:paramtypes',
  propertyTokens: 'self:properties_metadata',
  optionalParameters: 'optional:paramtypes',
  controller: '__controller__',
} as const;

/** Strings, so that they are equal in a copy of Nest that a plugin bundles. */
const APP_TOKENS: ReadonlySet<unknown> = new Set([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/**
 * Checks a plugin's modules for mistakes that Nest ignores or reports unhelpfully: constructors without type metadata, and parts that only
 * work for requests served by Nest, which never receives the panel's: controllers, middleware of `configure()`, and application-wide
 * guards, interceptors, pipes and filters.
 *
 * @throws PluginError NOT_INJECTABLE naming class and parameter, CONTROLLER, MIDDLEWARE, APP_PROVIDER
 */
export async function checkModules(root: Type<unknown> | DynamicModule): Promise<void> {
  const seen = new Set<unknown>();
  const visit = async (given: ImportedModule | undefined): Promise<void> => {
    const module = await resolveModule(given);
    if (module === null || seen.has(module)) return;
    seen.add(module);
    const type = typeof module === 'function' ? module : module.module;
    checkInjectable(type);
    if (typeof (type.prototype as { configure?: unknown } | undefined)?.configure === 'function')
      throw new PluginError('MIDDLEWARE', { class: type.name });
    const parts = <T>(key: 'imports' | 'providers' | 'controllers'): T[] => [
      ...((Reflect.getMetadata(key, type) as T[] | undefined) ?? []),
      ...((typeof module === 'function' ? undefined : (module[key] as T[] | undefined)) ?? []),
    ];
    for (const controller of parts<Type<unknown>>('controllers')) throw new PluginError('CONTROLLER', { class: controller.name });
    for (const provider of parts<unknown>('providers')) checkProvider(type, provider);
    for (const imported of parts<ImportedModule>('imports')) await visit(imported);
  };
  await visit(root);
}

async function resolveModule(given: ImportedModule | undefined): Promise<Type<unknown> | DynamicModule | null> {
  const module: unknown = await given;
  if (typeof module === 'function') return module as Type<unknown>;
  if (typeof module !== 'object' || module === null) return null;
  if ('forwardRef' in module) return resolveModule((module as ForwardReference<() => ImportedModule>).forwardRef());
  return typeof (module as DynamicModule).module === 'function' ? (module as DynamicModule) : null;
}

function checkProvider(module: Type<unknown>, provider: unknown): void {
  const token: unknown = (provider as { provide?: unknown } | null)?.provide;
  if (APP_TOKENS.has(token)) throw new PluginError('APP_PROVIDER', { class: module.name, token: String(token) });
  const type: unknown = typeof provider === 'function' ? provider : (provider as { useClass?: unknown } | null)?.useClass;
  if (typeof type === 'function') checkInjectable(type as Type<unknown>);
}

function checkInjectable(type: Type<unknown>): void {
  if (Reflect.hasMetadata(METADATA.controller, type)) throw new PluginError('CONTROLLER', { class: type.name });
  const types = metadata<unknown[]>(METADATA.parameterTypes, type) ?? [];
  const tokens = new Map(
    (metadata<{ index: number; param: unknown }[]>(METADATA.parameterTokens, type) ?? []).map(({ index, param }) => [index, param]),
  );
  const optional = new Set(metadata<number[]>(METADATA.optionalParameters, type) ?? []);
  const { names, needed } = constructorOf(type);
  for (let index = 0; index < Math.max(needed, types.length); index += 1) {
    const token = tokens.has(index) ? tokens.get(index) : types[index];
    if (!isToken(token) && !optional.has(index)) throw notInjectable(type, `constructor(${names[index] ?? ''} #${index + 1})`);
  }
  for (const { key, type: token } of metadata<{ key: string; type: unknown }[]>(METADATA.propertyTokens, type) ?? []) {
    if (!isToken(token)) throw notInjectable(type, String(key));
  }
}

function metadata<T>(key: string, type: Type<unknown>): T | undefined {
  return Reflect.getMetadata(key, type) as T | undefined;
}

/** Compilers emit `Object` for interfaces and for type-only imports. */
function isToken(token: unknown): boolean {
  return token !== undefined && token !== null && token !== Object;
}

function notInjectable(type: Type<unknown>, parameter: string): PluginError {
  return new PluginError('NOT_INJECTABLE', { class: type.name || 'class', parameter });
}

/**
 * Returns the names of the constructor's parameters and the number of required ones; a class without a constructor inherits its parent's.
 */
function constructorOf(type: Type<unknown>): { names: string[]; needed: number } {
  for (let at: unknown = type; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at) as unknown) {
    const parameters = /\bconstructor\s*\(([^)]*)/.exec(Function.prototype.toString.call(at))?.[1];
    if (parameters === undefined) continue;
    const names = parameters.split(',').map((parameter) => /^\s*([\w$]+)\s*(?:=|$)/.exec(parameter)?.[1] ?? '');
    return { names, needed: at.length };
  }
  return { names: [], needed: 0 };
}
