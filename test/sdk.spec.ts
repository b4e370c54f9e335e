import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

/** What a plugin's author writes; the last line is a mistake their compiler is to find. */
const PLUGIN = `
import { definePlugin, html, type SvcFacade } from '@svc/sdk';
declare module '@svc/sdk' { interface HookMap { 'coupon.used': (code: string) => void } }
export default definePlugin((svc: SvcFacade) => {
  svc.svc_add_action('coupon.used', (code) => svc.log.info(code.toUpperCase()));
  svc.svc_add_action('host.created', (user, id, node) => svc.log.info(\`\${user} \${id.toFixed()} \${node}\`));
  svc.svc_register_route('GET', '/x', () => String(html\`<b>\${1}</b>\`));
});
`;

describe('the package @svc/sdk', () => {
  let folder: string;
  const tsc = join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
    const sdk = join(folder, 'node_modules/@svc/sdk');
    mkdirSync(sdk, { recursive: true });
    execFileSync(process.execPath, [tsc, '-p', join(PACKAGE_ROOT, 'tsconfig.sdk.json'), '--outDir', sdk]);
    cpSync(join(PACKAGE_ROOT, 'src/sdk/package.json'), join(sdk, 'package.json'));
    symlinkSync(join(PACKAGE_ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function compile(code: string): string {
    writeFileSync(join(folder, 'plugin.ts'), code);
    try {
      execFileSync(
        process.execPath,
        [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', 'plugin.ts'],
        { cwd: folder },
      );
      return '';
    } catch (error) {
      return String((error as { stdout: Buffer }).stdout);
    }
  }

  it('gives a plugin its types, hooks of its own included', { timeout: 60_000 }, () => {
    expect(compile(PLUGIN)).toBe('');
    expect(
      compile(`${PLUGIN}\nexport const wrong = definePlugin((svc) => { svc.svc_add_action('coupon.used', (code) => code.toFixed()); });`),
    ).toMatch(/toFixed/);
  });
});
