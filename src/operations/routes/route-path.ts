import { METHODS } from 'node:http';

import { closestNames } from '../../common/index.js';

/** Maximum length of a route's path, in characters. */
export const MAX_ROUTE_PATH_LENGTH = 2048;

/** Maximum number of segments of a route. */
export const MAX_ROUTE_SEGMENTS = 32;

/** CONNECT never arrives as an ordinary request. */
const METHOD_NAMES = METHODS.filter((method) => method !== 'CONNECT');
const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;
const OUTSIDE_ASCII = /[^\x21-\x7e]+/g;

/** A route was rejected at registration. The message is for the plugin's author: it names the route, the rule and the remedy. */
export class RouteRefusedError extends Error {
  constructor(path: string, rule: string) {
    super(`The route "${path.length > 100 ? `${path.slice(0, 100)}…` : path}" was rejected: ${rule}`);
    this.name = 'RouteRefusedError';
  }
}

/** A route path parsed for comparison with the segments of a request. */
export interface ParsedRoutePath {
  /** One per segment: the text it must equal, or null for a parameter. Empty for `/`. */
  readonly segments: readonly (string | null)[];
  /** Names of the parameters in the order of their segments. */
  readonly names: readonly string[];
}

/**
 * Parses a route path. A trailing slash is ignored; characters outside ASCII are compared in the percent-encoded form that browsers send.
 *
 * @throws RouteRefusedError naming the rule the path breaks.
 * @example
 * ```ts
 * parseRoutePath('/shop/{plan}/'); // { segments: ['shop', null], names: ['plan'] }
 * ```
 */
export function parseRoutePath(path: string): ParsedRoutePath {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new RouteRefusedError(String(path), 'a path must start with "/".');
  }
  if (path.length > MAX_ROUTE_PATH_LENGTH) {
    throw new RouteRefusedError(path, `a path may have at most ${MAX_ROUTE_PATH_LENGTH} characters, this one has ${path.length}.`);
  }
  if (/[?#]/.test(path)) {
    throw new RouteRefusedError(path, 'a path must not contain "?" or "#"; read the query from the context instead.');
  }
  const bare = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  const parts = path === '/' ? [] : bare.split('/');
  if (parts.length > MAX_ROUTE_SEGMENTS) {
    throw new RouteRefusedError(path, `a path may have at most ${MAX_ROUTE_SEGMENTS} segments, this one has ${parts.length}.`);
  }
  const names: string[] = [];
  const segments = parts.map((part) => {
    const name = parameterName(path, part);
    if (name === null) return staticSegment(path, part);
    if (names.includes(name)) {
      throw new RouteRefusedError(path, `the parameter {${name}} occurs twice; use different names.`);
    }
    names.push(name);
    return null;
  });
  return { segments, names };
}

/**
 * Returns the method of a route in upper case; `*` for any.
 *
 * @throws RouteRefusedError for an unknown method.
 */
export function parseRouteMethod(method: string, path: string): string {
  const upper = String(method).toUpperCase();
  if (upper !== '*' && !METHOD_NAMES.includes(upper)) {
    const meant = closestNames(upper, METHOD_NAMES, 1)[0];
    throw new RouteRefusedError(
      path,
      `"${String(method).slice(0, 40)}" is no HTTP ` +
        `method${meant === undefined ? '' : ` (did you mean ${meant}?)`}; write one such as GET or ` +
        'POST, or * for any.',
    );
  }
  return upper;
}

function parameterName(path: string, part: string): string | null {
  const name = PARAMETER.exec(part)?.[1];
  if (name !== undefined) return name;
  if (/[{}]/.test(part)) {
    throw new RouteRefusedError(
      path,
      `in "${part}" a parameter must be the whole segment: {name}, with a name of letters, digits and "_", not starting with a digit.`,
    );
  }
  return null;
}

function staticSegment(path: string, part: string): string {
  if (part === '') throw new RouteRefusedError(path, 'it has an empty segment ("//").');
  try {
    return part.replace(OUTSIDE_ASCII, encodeURIComponent);
  } catch {
    throw new RouteRefusedError(path, 'it contains half of a surrogate pair.');
  }
}
