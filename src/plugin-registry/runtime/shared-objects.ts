import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

/** Objects shared by all code of the process: a change affects the panel and every plugin. */
const SHARED: readonly (readonly [name: string, object: object])[] = [
  ['globalThis', globalThis],
  ...Object.entries({ Object, Function, Array, String, Number, Promise, Map, Set, WeakMap, Date, RegExp, Error, URL, Buffer }).flatMap(
    ([name, type]) => [[name, type] as const, [`${name}.prototype`, type.prototype as object] as const],
  ),
  ...Object.entries({ JSON, Math, Reflect }),
  ...Object.entries({ 'fs.promises': fs.promises, fs, http, https, net, crypto }),
];

/** Prototypes of all objects and arrays: an added property appears in all of them. */
const EVERYWHERE: readonly (readonly [name: string, object: object])[] = [
  ['Object.prototype', Object.prototype],
  ['Array.prototype', Array.prototype],
];

/** A function property of a shared object. */
interface Member {
  readonly object: Record<PropertyKey, unknown>;
  readonly key: PropertyKey;
  readonly name: string;
  readonly enumerable: boolean;
}

/** Function properties of the shared objects; other properties change legitimately. */
const MEMBERS: readonly Member[] = SHARED.flatMap(([of, object]) =>
  Reflect.ownKeys(object).flatMap((key) => {
    const { value, writable, enumerable = false } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
    const isMember = typeof value === 'function' && writable && key !== 'constructor';
    return isMember ? [{ object: object as Member['object'], key, name: `${of}.${String(key)}`, enumerable }] : [];
  }),
);

/**
 * Takes a snapshot of the shared objects.
 *
 * @returns a function that restores changed properties and returns their names, such as `Array.prototype.map`, `globalThis.fetch`
 */
export function keepSharedObjects(): () => string[] {
  const values = MEMBERS.map(({ object, key }) => object[key]);
  const keys = EVERYWHERE.map(([, object]) => new Set(Reflect.ownKeys(object)));
  return () => {
    const changed = MEMBERS.filter(({ object, key, enumerable }, at) => {
      const value = values[at];
      return object[key] !== value && Reflect.defineProperty(object, key, { value, enumerable, writable: true, configurable: true });
    }).map(({ name }) => name);
    for (const [at, [of, object]] of EVERYWHERE.entries()) {
      const added = Reflect.ownKeys(object).filter((key) => !keys[at]!.has(key) && Reflect.deleteProperty(object, key));
      changed.push(...added.map((key) => `${of}.${String(key)}`));
    }
    return changed;
  };
}
