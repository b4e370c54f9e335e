import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';
import { expect } from 'vitest';

import { callDriver, type DriverAccount, type DriverResult, type FilesPort } from '../../src/hosting/index.js';

const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
const turn = () => ({ id: 'contract', signal: AbortSignal.timeout(20_000), progress: () => undefined });
const LARGE = 'TOP-SECRET'.repeat(1_000);
const whole = { folder: '/', sort: 'name', descending: false, offset: 0, limit: 100 } as const;

/** Checks of files ports for special files and for similar names. */
export class FileContract {
  constructor(
    private readonly files: FilesPort,
    private readonly account: DriverAccount,
  ) {}

  /** Checks names that differ only in case: they are two files or the second is refused; neither replaces the other. */
  async caseOfNames(): Promise<void> {
    const { files, account } = this;
    expect((await this.write('/Case.txt', 'upper')).outcome).toBe('ok');
    const second = await this.write('/case.txt', 'lower');
    expect(['ok', 'refused']).toContain(second.outcome);
    if (second.outcome === 'refused') expect(second).toMatchObject({ problem: { code: 'TAKEN' } });
    expect(await this.read('/Case.txt')).toBe('upper');
    const isApart = second.outcome === 'ok';
    if (isApart) expect(await this.read('/case.txt')).toBe('lower');
    const renamed = await this.ask((deadline) => files.rename(account, '/', 'Case.txt', 'CASE.txt', deadline));
    expect(['ok', 'refused']).toContain(renamed.outcome);
    expect(await this.read(renamed.outcome === 'ok' ? '/CASE.txt' : '/Case.txt')).toBe('upper');
    if (isApart) expect(await this.read('/case.txt')).toBe('lower');
    for (const path of ['/Case.txt', '/CASE.txt', '/case.txt']) await this.ask((deadline) => files.discard(account, [path], deadline));
  }

  /** Checks that links, pipes and devices in an archive are not extracted: the archive is refused, or they are skipped. */
  async specialInArchives(): Promise<void> {
    const { files, account } = this;
    const tar = pack();
    tar.entry({ name: 'plain.txt' }, 'plain');
    for (const [name, type] of [
      ['soft', 'symlink'],
      ['hard', 'link'],
    ] as const)
      tar.entry({ name, type, linkname: '/etc/passwd' });
    tar.entry({ name: 'up', type: 'symlink', linkname: '../..' });
    tar.entry({ name: 'up/out.txt' }, 'out');
    tar.entry({ name: 'pipe', type: 'fifo' as 'file' });
    tar.finalize();
    const bytes = gzipSync(await buffer(tar as never));
    expect((await this.write('/special.tar.gz', bytes)).outcome).toBe('ok');
    await this.ask((deadline) => files.makeFolder(account, '/unpacked', deadline));
    const unpacked = await this.ask(() => files.unpack(account, { archive: '/special.tar.gz', folder: '/unpacked' }, space, turn()));
    if ('value' in unpacked) expect(unpacked.value.left).toBeGreaterThanOrEqual(3);
    else expect(unpacked.outcome).toBe('refused');
    const there = await this.ask((deadline) => files.list(account, { ...whole, folder: '/unpacked' }, deadline));
    expect('value' in there && there.value.entries.filter(({ type }) => type === 'other')).toEqual([]);
    for (const path of ['/unpacked/soft', '/unpacked/hard', '/unpacked/pipe']) await this.refused('read', path);
    await this.ask((deadline) => files.discard(account, ['/special.tar.gz', '/unpacked'], deadline));
  }

  /**
   * Checks links and pipes created outside of the panel: they are listed as such, never followed, never block a call, and their targets
   * stay unchanged.
   *
   * @param webRoot local path of the site's web root
   */
  async plantedSpecials(webRoot: string): Promise<void> {
    const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'));
    try {
      const secret = join(outside, 'secret.txt');
      writeFileSync(secret, 'TOP-SECRET');
      mkdirSync(join(outside, 'folder'));
      writeFileSync(join(outside, 'folder', 'in.txt'), LARGE);
      symlinkSync(secret, join(webRoot, 'soft.txt'));
      symlinkSync(join(outside, 'folder'), join(webRoot, 'away'));
      symlinkSync('nowhere', join(webRoot, 'dangling'));
      linkSync(secret, join(webRoot, 'hard.txt'));
      execFileSync('mkfifo', [join(webRoot, 'pipe')]);
      const names = ['away', 'dangling', 'hard.txt', 'pipe', 'soft.txt'];
      const listed = await this.ask((deadline) => this.files.list(this.account, whole, deadline));
      const told = 'value' in listed ? listed.value.entries.filter(({ name }) => names.includes(name)) : [];
      for (const { name, type } of told) expect([name, type]).toEqual([name, 'other']);
      for (const name of names) for (const way of ['read', 'open', 'write', 'size'] as const) await this.refused(way, `/${name}`);
      for (const path of ['/away/in.txt', '/away/new.txt', '/away/../away/in.txt'])
        for (const way of ['read', 'open', 'write', 'create', 'makeFolder', 'upload'] as const) await this.refused(way, path);
      await this.refused('list', '/away');
      await this.packed(names);
      expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET');
      expect(readdirSync(join(outside, 'folder'))).toEqual(['in.txt']);
      await this.ask((deadline) =>
        this.files.discard(
          this.account,
          names.map((name) => `/${name}`),
          deadline,
        ),
      );
      await this.ask(() => this.files.purge(this.account, {}, space, turn()));
      expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET');
      expect(readFileSync(join(outside, 'folder', 'in.txt'), 'utf8')).toBe(LARGE);
      for (const name of names) rmSync(join(webRoot, name), { force: true });
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  }

  /** Checks that archives and copies of special files do not contain their targets. */
  private async packed(names: readonly string[]): Promise<void> {
    const { files, account } = this;
    const made = await this.ask(() => files.pack(account, { folder: '/', names, archive: '/all.tar.gz' }, space, turn()));
    if ('value' in made) expect(made.value).toMatchObject({ done: 0 });
    await this.ask((deadline) => files.makeFolder(account, '/copies', deadline));
    const copied = await this.ask(() => files.copy(account, { from: '/', names, to: '/copies' }, space, turn()));
    if ('value' in copied) expect(copied.value).toMatchObject({ done: 0 });
    const there = await this.ask((deadline) => files.list(account, { ...whole, folder: '/copies' }, deadline));
    expect('value' in there && there.value.entries).toEqual([]);
    await this.ask((deadline) => files.discard(account, ['/all.tar.gz', '/copies'], deadline));
  }

  private async refused(
    way: 'read' | 'open' | 'write' | 'create' | 'size' | 'list' | 'makeFolder' | 'upload',
    path: string,
  ): Promise<void> {
    const { files, account } = this;
    const bytes = Buffer.from('written');
    const [folder, name] = [path.slice(0, path.lastIndexOf('/')) || '/', path.slice(path.lastIndexOf('/') + 1)];
    const result = await this.ask<unknown>((deadline) => {
      switch (way) {
        case 'read':
          return files.read(account, path, 100, deadline);
        case 'open':
          return files.open(account, path, deadline);
        case 'size':
          return files.size(account, path, deadline);
        case 'list':
          return files.list(account, { ...whole, folder: path }, deadline);
        case 'makeFolder':
          return files.makeFolder(account, path, deadline);
        case 'upload':
          return files.upload(account, { folder, name, size: bytes.length, tag: '' }, 0, bytes, space, deadline);
        case 'write':
        case 'create':
          return files.write(account, { path, bytes, isNew: way === 'create' }, space, deadline);
      }
    });
    // The size of a link itself may be returned, but not that of its target.
    if (way === 'size' && 'value' in result) expect([path, Number(result.value) < LARGE.length]).toEqual([path, true]);
    else expect([way, path, result.outcome]).toEqual([way, path, 'refused']);
  }

  private write(path: string, content: string | Buffer) {
    return this.ask((deadline) => this.files.write(this.account, { path, bytes: Buffer.from(content), isNew: true }, space, deadline));
  }

  private async read(path: string): Promise<string | null> {
    const read = await this.ask((deadline) => this.files.read(this.account, path, 100, deadline));
    return 'value' in read ? read.value.bytes.toString() : null;
  }

  private ask<Value>(work: (deadline: AbortSignal) => Promise<DriverResult<Value>>): Promise<DriverResult<Value>> {
    return callDriver(work, 20_000);
  }
}
