import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A method of a provider or controller that carries a decorator's metadata. */
export interface DecoratedMethod<T> {
  readonly declaration: T;
  /** Bound to the instance it belongs to. */
  readonly method: (...args: unknown[]) => unknown;
  /** `Class.method`, for messages. */
  readonly place: string;
}

/**
 * Every method of every provider and controller that carries the metadata `key`.
 *
 * @example
 * ```ts
 * for (const { declaration, method } of decoratedMethods<JobDeclaration>(discovery, scanner, JOB_METADATA)) …
 * ```
 */
export function* decoratedMethods<T>(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  key: string | symbol,
): Generator<DecoratedMethod<T>> {
  // A provider under several tokens (`useExisting`) is found once for each.
  const instances = new Set<unknown>(
    [...discovery.getProviders(), ...discovery.getControllers()].map(({ instance }) => instance as unknown),
  );
  for (const instance of instances) {
    if (!instance || typeof instance !== 'object') continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, unknown> | null;
    if (!prototype) continue;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const method = prototype[name] as (...args: unknown[]) => unknown;
      // Of the method itself: looking at what functions inherit takes longer than all the rest.
      const declaration = Reflect.getOwnMetadata(key, method) as T | undefined;
      if (declaration) yield { declaration, method: method.bind(instance), place: `${prototype.constructor.name}.${name}` };
    }
  }
}
