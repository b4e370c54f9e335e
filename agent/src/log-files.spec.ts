import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Log } from './log.js';
import { LogFiles } from './log-files.js';

const ALL = { offset: null, limit: 500_000, keyword: '', level: null } as const;

describe('the log files', () => {
  let folder: string;
  let files: LogFiles;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'svc-log-')), 'log');
    files = new LogFiles(folder);
  });
  afterEach(() => {
    files.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
  const lines = async (query: Partial<Parameters<LogFiles['read']>[1]> = {}, name = 'agent.log') =>
    (await files.read(name, { ...ALL, ...query }))?.text.toString('utf8') ?? null;

  it('contain log lines without secrets, filter by level and text, and are readable only by the agent’s user', async () => {
    const log = new Log('INFO', ['hush-hush'], (line) => files.append(line));
    log.debug('not written');
    log.info('Started', { node: 'n1' });
    log.warning('slow hush-hush', { ms: 3 });
    log.error('Öffnen failed');
    expect(await files.list()).toEqual([
      {
        name: 'agent.log',
        bytes: readFileSync(join(folder, 'agent.log')).length,
        changedAt: expect.any(Number) as number,
        lines: { DEBUG: 0, INFO: 1, WARNING: 1, ERROR: 1 },
      },
    ]);
    expect(statSync(join(folder, 'agent.log')).mode & 0o777).toBe(0o600);
    expect(await lines()).toMatch(/^\S+ INFO Started node="n1"\n\S+ WARNING slow \*\*\* ms=3\n\S+ ERROR Öffnen failed\n$/);
    expect(await lines({ level: 'WARNING' })).toMatch(/^\S+ WARNING .*\n\S+ ERROR .*\n$/);
    expect(await lines({ keyword: 'STARTED' })).toMatch(/^\S+ INFO Started node="n1"\n$/);
    expect(await lines({ keyword: 'nowhere' })).toBe('');
    log.level = 'DEBUG';
    log.debug('written now');
    expect(await lines({ keyword: 'written now' })).toContain('DEBUG');
  });

  it('are read in whole lines from any position, each once, and are empty past the end', async () => {
    for (let i = 0; i < 500; i++) files.append(`t INFO line ${String(i).padStart(3, '0')} ${'€'.repeat(i % 7)}\n`);
    const whole = (await lines())!;
    let [at, text] = [0, ''];
    for (;;) {
      const part = (await files.read('agent.log', { ...ALL, offset: at, limit: 1_000 }))!;
      if (part.text.length === 0) break;
      expect(part).toMatchObject({ offset: at, size: Buffer.byteLength(whole) });
      text += part.text.toString('utf8');
      at += part.text.length;
    }
    expect(text).toBe(whole);
    const last = (await files.read('agent.log', { ...ALL, limit: 1_000 }))!;
    expect(last.offset + last.text.length).toBe(last.size);
    expect(last.text.toString('utf8')).toMatch(/^t INFO line \d{3}/);
    expect(await files.read('agent.log', { ...ALL, offset: Number.MAX_SAFE_INTEGER })).toMatchObject({
      offset: last.size,
      size: last.size,
    });
  });

  it('are limited to three files of two megabytes, and the oldest lines are dropped', async () => {
    const line = `t INFO ${'x'.repeat(10_000)}\n`;
    for (let i = 0; i < 900; i++) files.append(`${i} ${line}`);
    expect(readdirSync(folder).sort()).toEqual(['agent.1.log', 'agent.2.log', 'agent.log']);
    for (const { bytes } of await files.list()) expect(bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect((await files.list()).map(({ name }) => name)).toEqual(['agent.log', 'agent.1.log', 'agent.2.log']);
    expect(await lines({}, 'agent.log')).toContain('899 t INFO');
    // Another process of the agent goes on where the one before ended.
    const before = statSync(join(folder, 'agent.log')).size;
    const again = new LogFiles(folder);
    again.append('t INFO again\n');
    again.close();
    expect(statSync(join(folder, 'agent.log')).size).toBe(before + 13);
  });

  it('never include other files, whatever name is requested', async () => {
    files.append('t INFO one\n');
    const secret = join(folder, '..', 'secret');
    writeFileSync(secret, 'secret\n');
    symlinkSync(secret, join(folder, 'other.log'));
    for (const name of ['../secret', secret, 'other.log', 'agent.3.log', 'agent.log/../../secret', '', '.']) {
      expect(await lines({}, name)).toBeNull();
      expect(await files.clear(name)).toBe(false);
    }
    expect(readFileSync(secret, 'utf8')).toBe('secret\n');
  });

  it('can be cleared while the agent writes', async () => {
    files.append('t INFO one\n');
    expect(await files.clear('agent.log')).toBe(true);
    files.append('t INFO two\n');
    expect(await lines()).toBe('t INFO two\n');
  });

  it('do not stop the agent if they cannot be written', async () => {
    mkdirSync(join(folder, 'agent.log'), { recursive: true });
    files.append('t INFO one\n');
    rmSync(join(folder, 'agent.log'), { recursive: true });
    files.append('t INFO two\n');
    expect(await lines()).toBe('t INFO two\n');
  });
});
