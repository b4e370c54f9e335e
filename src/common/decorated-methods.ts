import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A method of a provider or controller that carries a decorator's metadata. */
export interface DecoratedMethod<T> {
  readonly declaration: T;
  /** Bound to its instance. */
  readonly method: (...args: unknown[]) => unknown;
  /** `Class.method`, for messages. */
  readonly place: string;
}

/**
 * Yields every method of every provider and controller that carries the metadata `key`.
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
  // A provider under several tokens (`useExisting`) is listed once per token.
  const instances = new Set<unknown>(
    [...discovery.getProviders(), ...discovery.getControllers()].map(({ instance }) => instance as unknown),
  );
  for (const instance of instances) {
    if (!instance || typeof instance !== 'object') continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, unknown> | null;
    if (!prototype) continue;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const method = prototype[name] as (...args: unknown[]) => unknown;
      // Own metadata only: looking it up through the prototype chain takes longer than everything else here.
      const declaration = Reflect.getOwnMetadata(key, method) as T | undefined;
      if (declaration) yield { declaration, method: method.bind(instance), place: `${prototype.constructor.name}.${name}` };
    }
  }
}
