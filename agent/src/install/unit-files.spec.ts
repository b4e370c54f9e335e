import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { AGENT_UNIT, agentUnit, HOSTING_DROP_IN, PHP_UNIT } from './unit-files.js';

const beside = (name: string): string => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');

/** Units are checked with what they start. CI has both, and fails where it has not. */
const canVerify = process.env.CI === 'true' || ['/usr/bin/systemd-analyze', '/usr/sbin/php-fpm8.2'].every((path) => existsSync(path));

describe('the systemd units', () => {
  it('match the unit files next to the sources', () => {
    expect(AGENT_UNIT).toBe(beside('svc-agent.service'));
    expect(HOSTING_DROP_IN).toBe(beside('svc-agent-hosting.conf'));
    expect(PHP_UNIT).toBe(beside('svc-php@.service'));
  });

  it('start the installed Node.js if a unit can name its path', () => {
    expect(agentUnit('/usr/local/bin/node')).toContain('\nExecStart=/usr/local/bin/node /opt/svc-agent/svc-agent.mjs --config');
    for (const odd of ['/opt/my node/bin/node', '/opt/100%/node', 'node', '/opt/$x/node', '/opt/a\nExecStart=/bin/sh'])
      expect(() => agentUnit(odd)).toThrow(/Create a symbolic link to it/);
  });

  it.skipIf(!canVerify)('are what systemd understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-units-'));
    try {
      mkdirSync(join(folder, 'svc-agent.service.d'));
      writeFileSync(join(folder, 'svc-agent.service'), agentUnit(process.execPath));
      writeFileSync(join(folder, 'svc-agent.service.d', 'hosting.conf'), HOSTING_DROP_IN);
      writeFileSync(join(folder, 'svc-php@.service'), PHP_UNIT);
      for (const unit of ['svc-agent.service', 'svc-php@8.2.service']) expect(verified(unit, folder), unit).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** What `systemd-analyze verify` complains of. */
function verified(unit: string, folder: string): string {
  try {
    return execFileSync('systemd-analyze', ['verify', '--man=no', unit], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
