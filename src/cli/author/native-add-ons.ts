import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Plugin } from 'esbuild';

/** Packages whose only purpose is to load native add-ons. */
const LOADERS = /^(?:bindings|node-gyp-build|node-gyp-build-optional-packages|@mapbox\/node-pre-gyp|node-addon-api|prebuild-install)$/;

/** Rejects native add-ons, which a panel refuses to load, and names the package that needs them. */
export const nativeAddOns: Plugin = {
  name: 'native-add-ons',
  setup(builder) {
    builder.onResolve({ filter: /\.node$/ }, ({ path, importer }) => {
      // `require('./parser.node')` may mean parser.node.js.
      if (existsSync(join(dirname(importer), `${path}.js`))) return undefined;
      return { errors: [{ text: refusal(packageOf(importer), path) }] };
    });
    builder.onResolve({ filter: LOADERS }, ({ path, importer }) => {
      return LOADERS.test(path) ? { errors: [{ text: refusal(packageOf(importer), path) }] } : undefined;
    });
  },
};

/** Returns the package a file belongs to; empty for the author's own code. */
export function packageOf(file: string): string {
  return /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replaceAll('\\', '/') ?? '';
}

function refusal(name: string, what: string): string {
  const subject = name === '' ? 'Your code' : `The package "${name}"`;
  return (
    `${subject} needs a native add-on (${what}). Panels cannot load native add-ons for plugins, because they cannot be unloaded ` +
    'and must be compiled for each machine. ' +
    'Use a package in plain JavaScript or WebAssembly, or run that part as a separate service and call it over HTTP.'
  );
}
