import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as rxjs from 'rxjs';

import * as sdk from '../../sdk/index.js';

const hostRequire = createRequire(import.meta.url);

/** Packages every plugin shares with the panel: decorators only work when both sides mean the same classes. */
const SHARED: Readonly<Record<string, unknown>> = {
  '@svc/sdk': sdk,
  '@nestjs/common': nestCommon,
  '@nestjs/core': nestCore,
  'rxjs': rxjs,
  'reflect-metadata': {},
};

interface LoadedModule {
  exports: unknown;
}

/**
 * Loads a plugin's CommonJS entry with a `require` of its own: files of its folder, its own `node_modules`, Node's
 * built-ins and the packages it shares with the panel. Every load starts from scratch and leaves nothing in Node's module
 * cache, so a plugin can be loaded a thousand times without growing the process (an ES module cannot be unloaded).
 *
 * @throws whatever the plugin's code throws while it loads
 */
export function loadPluginModule(folder: string, entry: string): unknown {
  const root = realpathSync(folder);
  const modules = new Map<string, LoadedModule>();

  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module: LoadedModule = { exports: {} };
    modules.set(path, module);
    try {
      const source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '').replace(/^#!.*/, '');
      if (extname(path) === '.json') {
        module.exports = JSON.parse(source) as unknown;
      } else {
        const run = compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: path });
        run.call(module.exports, module.exports, requireFrom(dirname(path)), module, path, dirname(path));
      }
    } catch (error) {
      modules.delete(path);
      throw error;
    }
    return module.exports;
  };

  const requireFrom = (from: string) => (name: string): unknown => {
    if (Object.hasOwn(SHARED, name)) return SHARED[name];
    if (isBuiltin(name)) return hostRequire(name) as unknown;
    return load(name.startsWith('.') || name.startsWith(sep) ? resolveFile(resolve(from, name), name) : resolvePackage(from, name));
  };

  /** A file of the plugin, with the endings `require` tries. */
  const resolveFile = (path: string, name: string): string => {
    for (const candidate of [path, `${path}.js`, `${path}.cjs`, `${path}.json`, join(path, 'index.js')]) {
      if (existsSync(candidate) && lstatSync(realpathSync(candidate)).isFile()) return inside(realpathSync(candidate), name);
    }
    throw new Error(`Cannot find "${name}" in the plugin's folder.`);
  };

  /** A package in a `node_modules` of the plugin, or a file of one (`package/part`). */
  const resolvePackage = (from: string, name: string): string => {
    const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    for (let at = from; at.startsWith(root); at = dirname(at)) {
      if (!existsSync(join(at, 'node_modules', packageName))) continue;
      const path = join(at, 'node_modules', name);
      const manifest = join(path, 'package.json');
      const main = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string }).main : undefined;
      return resolveFile(main ? resolve(path, main) : path, name);
    }
    throw new Error(`Cannot find the package "${name}": bundle it into the plugin, or ship it in the plugin's node_modules.`);
  };

  const inside = (path: string, name: string): string => {
    if (path !== root && !path.startsWith(root + sep)) throw new Error(`"${name}" lies outside the plugin's folder.`);
    return path;
  };

  return load(inside(realpathSync(entry), entry));
}
