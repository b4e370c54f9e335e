import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { createRequire } from 'node:module';

import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as rxjs from 'rxjs';

import { CodeError, compileCommonJs, errorMessage, type CommonJsCode } from '../../common/index.js';
import * as sdk from '../../sdk/index.js';

import { PluginError } from '../errors.js';

const hostRequire = createRequire(import.meta.url);

/** Command that bundles a plugin's sources into one CommonJS file. Documented in docs/plugin-api.md "From TypeScript". */
export const BUNDLE_COMMAND =
  'npx esbuild src/index.ts --bundle --platform=node --format=cjs --supported:dynamic-import=false ' +
  "'--external:@svc/sdk' '--external:@nestjs/*' --external:typeorm --external:rxjs --external:reflect-metadata " +
  '--outfile=index.js';

/** Packages shared with the panel: decorators work only if both sides use the same classes. */
const SHARED: Readonly<Record<string, unknown>> = {
  '@svc/sdk': sdk,
  '@nestjs/common': nestCommon,
  '@nestjs/core': nestCore,
  rxjs: rxjs,
  'reflect-metadata': {},
};

/** Replacements for Node's globals and modules in a plugin's code; see PluginLife. */
export interface PluginEnvironment {
  /** Values by the names of Node's globals. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Returns a replacement for a built-in module; undefined to use the original. */
  builtin(name: string): unknown;
}

interface LoadedModule {
  exports: unknown;
}

/** The `require` function of one folder. */
interface PluginRequire {
  (name: string): unknown;
  /** Returns the absolute path of a file of the plugin, or the name itself for modules of Node or the panel. */
  resolve(name: string): string;
}

/**
 * Loads a plugin's CommonJS entry with its own `require`: files of its folder, its own `node_modules`, Node's built-ins and the packages
 * shared with the panel; timers and `process` come from `environment`. Every load starts from scratch and leaves nothing in Node's module
 * cache, so a plugin can be reloaded any number of times without leaking memory (an ES module cannot be unloaded).
 *
 * @param packages additional packages for `require`, besides those shared with all plugins
 * @throws PluginError ES_MODULE, TOP_LEVEL_AWAIT, CODE_BROKEN, NATIVE_ADDON, MODULE_NOT_FOUND; errors thrown by the plugin's code while it
 *   loads
 */
export function loadPluginModule(
  folder: string,
  entry: string,
  environment: PluginEnvironment,
  packages: Readonly<Record<string, unknown>> = {},
): unknown {
  const provided = { ...SHARED, ...packages };
  const isProvided = (name: string): boolean => Object.hasOwn(provided, name) || isBuiltin(name);
  const root = realpathSync(folder);
  const modules = new Map<string, LoadedModule>();

  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module: LoadedModule = { exports: {} };
    modules.set(path, module);
    try {
      if (extname(path) === '.node') throw new PluginError('NATIVE_ADDON', { file: shown(path) });
      const source = readFileSync(path, 'utf8');
      if (extname(path) === '.json') module.exports = readJson(source, path);
      else compile(source, path).call(module.exports, module.exports, requireFrom(dirname(path)), module, path, dirname(path));
    } catch (error) {
      modules.delete(path);
      throw error;
    }
    return module.exports;
  };

  const compile = (source: string, path: string): CommonJsCode => {
    try {
      // Node treats this extension as an ES module regardless of its content.
      if (extname(path) === '.mjs') throw new CodeError(path, { kind: 'es_module', line: 1, reason: '.mjs' });
      return compileCommonJs(source, path, environment.globals);
    } catch (error) {
      throw error instanceof CodeError ? codeRefusal(error, shown(path)) : error;
    }
  };
  const readJson = (source: string, path: string): unknown => {
    try {
      return JSON.parse(source.replace(/^\uFEFF/, '')) as unknown;
    } catch (error) {
      throw new PluginError('CODE_BROKEN', { file: shown(path), line: 1, reason: errorMessage(error) }, undefined, { cause: error });
    }
  };
  const resolveFrom = (from: string, name: string): string => {
    if (typeof name !== 'string' || name === '') throw new TypeError(`require needs the name of a module, not ${JSON.stringify(name)}.`);
    return name.startsWith('.') || name.startsWith(sep) ? resolveFile(resolve(from, name), name) : resolvePackage(from, name);
  };
  const requireFrom = (from: string): PluginRequire => {
    const require = (name: string): unknown => {
      if (Object.hasOwn(provided, name)) return provided[name];
      if (isBuiltin(name)) return environment.builtin(name) ?? (hostRequire(name) as unknown);
      return load(resolveFrom(from, name));
    };
    return Object.assign(require, { resolve: (name: string) => (isProvided(name) ? name : resolveFrom(from, name)) });
  };
  /** Path relative to the plugin, for messages. */
  const shown = (path: string): string => relative(root, path);
  /** Resolves a file of the plugin, with the extensions that `require` tries. */
  const resolveFile = (path: string, name: string): string => {
    for (const candidate of [path, `${path}.js`, `${path}.cjs`, `${path}.json`, `${path}.node`, join(path, 'index.js')]) {
      if (existsSync(candidate) && lstatSync(realpathSync(candidate)).isFile()) return inside(realpathSync(candidate), name);
    }
    throw new PluginError('MODULE_NOT_FOUND', { name });
  };

  /** Resolves a package in a `node_modules` of the plugin, or a file of one (`package/part`). */
  const resolvePackage = (from: string, name: string): string => {
    const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    for (let at = from; at.startsWith(root); at = dirname(at)) {
      if (!existsSync(join(at, 'node_modules', packageName))) continue;
      const path = join(at, 'node_modules', name);
      const manifest = join(path, 'package.json');
      const main = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }).main : undefined;
      return resolveFile(main ? resolve(path, main) : path, name);
    }
    throw new PluginError('MODULE_NOT_FOUND', { name });
  };

  const inside = (path: string, name: string): string => {
    if (path !== root && !path.startsWith(root + sep)) throw new Error(`"${name}" is outside the folder of the plugin.`);
    return path;
  };

  return load(inside(realpathSync(entry), entry));
}

function codeRefusal(error: CodeError, file: string): PluginError {
  const { kind, line, reason } = error.problem;
  const options = { cause: error };
  if (kind === 'es_module') return new PluginError('ES_MODULE', { file, line, command: BUNDLE_COMMAND }, undefined, options);
  if (kind === 'top_level_await') return new PluginError('TOP_LEVEL_AWAIT', { file, line }, undefined, options);
  return new PluginError('CODE_BROKEN', { file, line, reason }, undefined, options);
}
