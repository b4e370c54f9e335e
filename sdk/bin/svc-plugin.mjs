#!/usr/bin/env node
// A package from npm holds what is run here. A checkout of the panel has only sources after `npm ci`: they are put together at the
// first run, in about a second.
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
