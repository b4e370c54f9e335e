#!/usr/bin/env node
// The npm package contains the built program. A checkout of the panel contains only sources after `npm ci`, so they are bundled at the
// first run, which takes about a second.
import { existsSync } from 'node:fs';

const program = new URL('../dist/svc-plugin.mjs', import.meta.url);
const sources = new URL('../../src/cli/bundle-sdk.mjs', import.meta.url);

if (existsSync(program) || existsSync(sources)) {
  if (!existsSync(program)) await (await import(sources)).bundleSdk();
  const { runCommand } = await import(program);
  process.exitCode = await runCommand(process.argv.slice(2));
} else {
  console.error('svc-plugin: this copy of @svc/sdk is not complete. Install it again: npm install --save-dev @svc/sdk');
  process.exitCode = 1;
}
