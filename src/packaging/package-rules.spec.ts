import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LOCALES, translate } from '../common/index.js';

import { PackageContents } from './package-contents.js';
import { PackageRefusal, type PackageRule } from './package-refusal.js';
import { descriptor, extraField, handmadeZip, type HandmadeEntry, type HandmadeOptions } from './testing/handmade-zip.js';

const MB = 1024 * 1024;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-package-rules-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(zip: Buffer, slug?: string): Promise<PackageContents> {
  const path = join(folder, 'upload.zip');
  await writeFile(path, zip);
  return PackageContents.open(path, slug);
}

async function refusal(zip: Buffer, slug?: string): Promise<PackageRefusal> {
  const error = await open(zip, slug).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PackageRefusal);
  return error as PackageRefusal;
}

const good: HandmadeEntry = { name: 'demo/index.js', content: 'module.exports = () => {};' };
const utf8 = 1 << 11;
const streamed = 1 << 3;
const unicodePath = (raw: Buffer, name: string, crc = crc32(raw)): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32LE(crc, 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]));
};
const gbkIntro = Buffer.concat([Buffer.from('demo/'), Buffer.from([0xcb, 0xb5, 0xc3, 0xf7]), Buffer.from('.txt')]);

const named = (name: string | Buffer): HandmadeEntry[] => [good, { name, flags: typeof name === 'string' ? utf8 : 0 }];
const refused: [string, PackageRule, readonly HandmadeEntry[], HandmadeOptions?][] = [
  ['no entries', 'EMPTY', []],
  ['only folders', 'EMPTY', [{ name: 'demo/' }]],
  ['another file type', 'UNREADABLE', [], { end: {}, lead: Buffer.alloc(0), trail: Buffer.from('PK\x05\x06') }],
  ['a count that is too high', 'UNREADABLE', [good], { end: { count: 2 } }],
  ['a count that is too low', 'UNREADABLE', [good, { ...good, name: 'demo/b' }], { end: { count: 1 } }],
  ['a directory past the end', 'UNREADABLE', [good], { end: { directoryOffset: 5_000 } }],
  ['a directory elsewhere', 'HIDDEN_DATA', [good], { end: { directoryOffset: 3 } }],
  ['several disks', 'MULTI_DISK', [good], { end: { disk: 1 } }],
  ['a directory on another disk', 'MULTI_DISK', [good], { end: { directoryDisk: 1 } }],
  ['some entries on another disk', 'MULTI_DISK', [good], { end: { entriesHere: 0 } }],
  ['an entry on another disk', 'MULTI_DISK', [{ ...good, central: { disk: 1 } }]],
  ['ZIP64 by the end record', 'ZIP64', [good], { end: { directoryOffset: 0xffffffff } }],
  ['ZIP64 by its locator', 'ZIP64', [good], { beforeEnd: Buffer.from('PK\x06\x07'.padEnd(20, '\0'), 'latin1') }],
  ['ZIP64 by an extra field', 'ZIP64', [{ ...good, extra: extraField(1, Buffer.alloc(16)) }]],
  ['ZIP64 by a size', 'ZIP64', [{ ...good, central: { size: 0xffffffff } }]],
  ['bytes before the first file', 'HIDDEN_DATA', [good], { lead: Buffer.from('#!/bin/sh\n') }],
  ['bytes behind the end', 'HIDDEN_DATA', [good], { trail: Buffer.from('<script>') }],
  ['bytes between the files', 'HIDDEN_DATA', [{ ...good, after: Buffer.from('secret') }, { name: 'demo/b' }]],
  ['bytes between files and directory', 'HIDDEN_DATA', [{ ...good, after: Buffer.from('secret') }]],
  ['bytes behind the directory', 'HIDDEN_DATA', [good], { beforeEnd: Buffer.from('secret') }],
  ['a second end record in the comment', 'HIDDEN_DATA', [good], { comment: handmadeZip([]) }],
  ['a comment that is cut off', 'UNREADABLE', [good], { comment: Buffer.from('PK\x05\x06 and so on') }],
  ['encryption', 'ENCRYPTED', [{ ...good, flags: 1 }]],
  ['strong encryption', 'ENCRYPTED', [{ ...good, flags: 0x40 }]],
  ['AES by its method', 'ENCRYPTED', [{ ...good, method: 99 }]],
  ['AES by its extra field', 'ENCRYPTED', [{ ...good, extra: extraField(0x9901, Buffer.alloc(7)) }]],
  ['a masked directory', 'ENCRYPTED', [{ ...good, flags: 0x2000 }]],
  ['bzip2', 'METHOD', [{ ...good, method: 12 }]],
  ['LZMA', 'METHOD', [{ ...good, method: 14 }]],
  ['Zstandard', 'METHOD', [{ ...good, method: 93 }]],
  ['patched data', 'METHOD', [{ ...good, flags: 0x20 }]],
  ['a name that differs between the headers', 'HEADER_MISMATCH', [{ ...good, local: { name: Buffer.from('demo/other.js') } }]],
  ['a method that differs', 'HEADER_MISMATCH', [{ ...good, local: { method: 8 } }]],
  ['a size that differs', 'HEADER_MISMATCH', [{ ...good, local: { size: 1 } }]],
  ['a packed size that differs', 'HEADER_MISMATCH', [{ ...good, local: { compressedSize: 1 } }]],
  ['a checksum that differs', 'HEADER_MISMATCH', [{ ...good, local: { crc: 1 } }]],
  ['a flag that differs', 'HEADER_MISMATCH', [{ ...good, local: { flags: utf8 } }]],
  ['sizes left out without a descriptor', 'HEADER_MISMATCH', [{ ...good, local: { size: 0, compressedSize: 0, crc: 0 } }]],
  ['a stored file of two sizes', 'HEADER_MISMATCH', [{ ...good, central: { size: 5 } }]],
  ['a missing descriptor', 'HEADER_MISMATCH', [{ ...good, flags: streamed }]],
  ['a descriptor that differs', 'HEADER_MISMATCH', [{ ...good, flags: streamed, after: descriptor(1, 2, 3) }]],
  ['a ZIP64 descriptor of zeros', 'HEADER_MISMATCH', [{ ...good, flags: streamed, after: Buffer.alloc(24) }]],
  ['a folder with content', 'HEADER_MISMATCH', [good, { name: 'demo/lib/', content: 'x' }]],
  ['an extra field that is cut off', 'UNREADABLE', [{ ...good, extra: Buffer.from([1, 2, 255, 0]) }]],
  ['two entries over the same data', 'OVERLAP', [good, { ...good, name: 'demo/other.js', listedOnly: true, central: { offset: 0 } }]],
  ['an entry inside another', 'OVERLAP', [good, { ...good, name: 'demo/other.js', listedOnly: true, central: { offset: 20 } }]],
  [
    'data that reaches into the directory',
    'OVERLAP',
    [{ ...good, local: { size: 99, compressedSize: 99 }, central: { size: 99, compressedSize: 99 } }],
  ],
  ['an entry past the directory', 'HIDDEN_DATA', [{ ...good, central: { offset: 60_000 } }]],
  ['a symbolic link', 'LINK', [good, { name: 'demo/passwd', content: '/etc/passwd', mode: 0o120777 }]],
  ['a device', 'LINK', [good, { name: 'demo/null', mode: 0o020666 }]],
  ['a pipe', 'LINK', [good, { name: 'demo/pipe', mode: 0o010666 }]],
  ['a link by the ASi field', 'LINK', [good, { name: 'demo/l', extra: extraField(0x756e, Buffer.from([0, 0, 0, 0, 0xff, 0xa1, 0, 0])) }]],
  ['a folder without a slash', 'HEADER_MISMATCH', [good, { name: 'demo/lib', mode: 0o040755 }]],
  ['the same name twice', 'DUPLICATE_NAME', [good, good]],
  ['names that differ in case', 'NAME_COLLISION', [good, { name: 'demo/INDEX.js' }]],
  ['folders that differ in case', 'NAME_COLLISION', [{ name: 'demo/lib/a' }, { name: 'demo/Lib/b' }]],
  [
    'names that differ in Unicode form',
    'NAME_COLLISION',
    [
      { name: 'demo/\u00e9', flags: utf8 },
      { name: 'demo/e\u0301', flags: utf8 },
    ],
  ],
  [
    'names that differ in compatibility form',
    'NAME_COLLISION',
    [
      { name: 'demo/ﬁ', flags: utf8 },
      { name: 'demo/fi', flags: utf8 },
    ],
  ],
  ['a file where a folder is', 'NAME_COLLISION', [{ name: 'demo/a' }, { name: 'demo/a/b' }]],
  ['a folder where a file is', 'NAME_COLLISION', [{ name: 'demo/a/b' }, { name: 'demo/a' }]],
  ['a name that is no UTF-8 though it says so', 'NAME_ENCODING', [good, { name: gbkIntro, flags: utf8 }]],
  ['a name in no known encoding', 'NAME_ENCODING', named(Buffer.from([0x64, 0x65, 0x6d, 0x6f, 0x2f, 0x81, 0x21]))],
  [
    'a Unicode path with the wrong checksum',
    'NAME_AMBIGUOUS',
    [good, { name: gbkIntro, extra: unicodePath(gbkIntro, 'demo/说明.txt', 1) }],
  ],
  [
    'a Unicode path that names another file',
    'NAME_AMBIGUOUS',
    [{ name: 'demo/shell.php', extra: unicodePath(Buffer.from('demo/shell.php'), 'demo/a.txt') }],
  ],
  [
    'a Unicode path over a climbing name',
    'NAME_AMBIGUOUS',
    [good, { name: 'demo/../x', extra: unicodePath(Buffer.from('demo/../x'), 'demo/说/x') }],
  ],
  ['too many files', 'TOO_MANY_FILES', Array.from({ length: 501 }, (_, i) => ({ name: `demo/${i}.js` }))],
  ['too many entries', 'TOO_MANY_FILES', [good, ...Array.from({ length: 2_000 }, (_, i) => ({ name: `demo/${i}/` }))]],
  ['a file that is too large', 'FILE_TOO_LARGE', [{ name: 'demo/big', method: 8, content: Buffer.alloc(10 * MB + 1) }]],
  ['no folder', 'ROOT_FOLDER', [{ name: 'index.js' }]],
  ['a file beside the folder', 'ROOT_FOLDER', [good, { name: 'readme.txt' }]],
  ['two folders', 'ROOT_FOLDER', [good, { name: 'other/index.js' }]],
  ['a folder name that is not valid', 'ROOT_NAME', [{ name: 'de mo/index.js' }]],
  ['data that is not deflated', 'CONTENT_CORRUPT', [{ ...good, method: 8, data: Buffer.from('\xff\xff\xff', 'latin1') }]],
  ['data that ends too early', 'CONTENT_CORRUPT', [{ ...good, method: 8, data: deflateRawSync(String(good.content)).subarray(0, 10) }]],
  [
    'bytes behind the packed data',
    'HIDDEN_DATA',
    [{ ...good, method: 8, data: Buffer.concat([deflateRawSync(String(good.content)), Buffer.from('secret')]) }],
  ],
  [
    'many bytes behind the packed data',
    'HIDDEN_DATA',
    [{ ...good, method: 8, data: Buffer.concat([deflateRawSync(String(good.content)), Buffer.alloc(300_000)]) }],
  ],
  ['less than it says', 'CONTENT_SIZE', [{ ...good, method: 8, local: { size: 99 }, central: { size: 99 } }]],
  [
    'more than it says',
    'CONTENT_SIZE',
    [{ name: 'demo/bomb', method: 8, content: Buffer.alloc(9 * MB), local: { size: 10 }, central: { size: 10 } }],
  ],
  ['a folder with a checksum', 'CONTENT_CHECKSUM', [good, { name: 'demo/lib/', local: { crc: 1 }, central: { crc: 1 } }]],
  ['a wrong checksum', 'CONTENT_CHECKSUM', [{ ...good, local: { crc: 7 }, central: { crc: 7 } }]],
];

/** Names by the rule that refuses them. */
const names: Partial<Record<PackageRule, (string | Buffer)[]>> = {
  PATH_TRAVERSAL: [
    '../x',
    'demo/../../x',
    'demo/..',
    'demo/../x',
    '..\\x',
    'demo\\..\\x',
    'demo/.. /x',
    'demo/ ../x',
    'demo/.../x',
    'demo/. ./x',
    'demo/..\t/x',
    'demo/%2e%2e/x',
    'demo/%2E%2E%2Fx',
    'demo/%252e/x',
    'demo/a%00b',
    'demo/a%5cb',
    'demo/\uff0e\uff0e/x',
    'demo/\u2025/x',
    'demo/\u2024\u2024/x',
    'demo/..\uff0fx',
  ],
  ABSOLUTE_PATH: [
    '/etc/passwd',
    '\\windows\\x',
    '//server/share/x',
    '\\\\server\\share\\x',
    'C:/x',
    'c:\\x',
    'C:x',
    '\uff0fetc/x',
    '\\\\?\\C:\\x',
  ],
  NAME_CHARACTERS: [
    'demo/a\0b',
    'demo/a\nb',
    'demo/a\u007fb',
    'demo/a\u0085b',
    'demo/\u202egnp.js',
    'demo/a\u200bb',
    'demo/a\ufeffb',
    'demo/\u2028',
    'demo/a\ufffdb',
    'demo/\ue000',
    'demo/a\ufe0f',
  ],
  NAME_TOO_LONG: [`demo/${'a'.repeat(256)}`, `demo/${'说'.repeat(86)}`, `demo/${'abcdefgh/'.repeat(60)}x`, `demo/${'a/'.repeat(32)}x`],
  NAME_NOT_PORTABLE: [
    'demo\\x',
    'demo/a\\b',
    'demo//x',
    'demo/./x',
    './demo/x',
    'demo/a:stream',
    'demo/a?',
    'demo/a*',
    'demo/a|b',
    'demo/<a>',
    'demo/a"b',
    'demo/a.',
    'demo/a ',
    'demo/ a',
    'demo/con',
    'demo/NUL.txt',
    'demo/Com1.js',
    'demo/lpt9/x',
    'demo/com¹',
    'demo/CONIN$',
    'demo/aux.tar.gz',
  ],
};

describe('rules of a package', () => {
  it.each(refused)('refuses %s: %s', async (_name, rule, entries, options) => {
    expect((await refusal(handmadeZip(entries, options))).code).toBe(rule);
  });

  describe.each(Object.entries(names))('%s', (rule, list) => {
    it.each(list)('%j', async (name) => {
      const error = await refusal(handmadeZip(named(name)));
      expect(error.code).toBe(rule);
      expect(error.file).not.toBeNull();
      expect(error.file).not.toMatch(/[\0-\x1f\u202e\u200b]/);
    });
  });

  it('refuses what is not a ZIP at all', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(100_000), Buffer.from('Rar!\x1a\x07\x01\x00')]) {
      expect((await refusal(bytes)).code).toBe('UNREADABLE');
    }
  });

  it('refuses a ZIP cut off anywhere', async () => {
    const zip = handmadeZip([good, { name: 'demo/b.txt', method: 8, content: 'b'.repeat(500) }]);
    for (let length = 0; length < zip.length; length++) await refusal(zip.subarray(0, length));
  });

  it('refuses more than 50 MB before it reads anything', async () => {
    expect((await refusal(Buffer.alloc(50 * MB + 1))).code).toBe('ARCHIVE_TOO_LARGE');
  });

  it('refuses more than 200 MB in all, by what the list says, before it unpacks', async () => {
    const full = deflateRawSync(Buffer.alloc(10 * MB));
    const lie = { size: 10 * MB, crc: 0 };
    const bomb = Array.from({ length: 21 }, (_, i) => ({ name: `demo/${i}`, method: 8, data: full, local: lie, central: lie }));
    expect((await refusal(handmadeZip(bomb))).code).toBe('TOTAL_TOO_LARGE');
  });

  it('refuses a bomb of overlapping entries', async () => {
    const kernel = deflateRawSync(Buffer.alloc(10 * MB));
    const quoted = Array.from({ length: 400 }, (_, i) => ({
      name: `demo/${i}`,
      method: 8,
      data: kernel,
      listedOnly: i > 0,
      central: { offset: 0 },
    }));
    expect(['OVERLAP', 'TOTAL_TOO_LARGE']).toContain((await refusal(handmadeZip(quoted))).code);
  });

  it('names the folder and the slug where they differ', async () => {
    const error = await refusal(handmadeZip([good]), 'other');
    expect(error.code).toBe('ROOT_MISMATCH');
    expect(translate('zh-CN', error.shape.text, error.params)).toBe('zip 根目录名 "demo" 与填写的标识 "other" 不一致，请修改');
  });

  it('has a text for every rule that was met, without open places', async () => {
    for (const [, , entries, options] of refused) {
      const error = await refusal(handmadeZip(entries, options));
      for (const locale of LOCALES)
        expect(translate(locale, error.shape.text, error.params)).not.toMatch(/^packages\.|\{(?:file|other|slug|method)\}/);
    }
  });
});

describe('what is taken', () => {
  it('names in UTF-8 without the flag, in GBK, and by the Unicode path', async () => {
    const euro = Buffer.concat([Buffer.from('demo/'), Buffer.from([0x80]), Buffer.from('.txt')]);
    const contents = await open(
      handmadeZip([
        good,
        { name: 'demo/中文.md' },
        { name: gbkIntro, content: 'gbk' },
        // The second byte of this character is a backslash.
        { name: Buffer.from([...Buffer.from('demo/'), 0xd5, 0x5c]) },
        { name: euro, extra: unicodePath(euro, 'demo/€.txt') },
        {
          name: Buffer.concat([gbkIntro, Buffer.from('2')]),
          extra: unicodePath(Buffer.concat([gbkIntro, Buffer.from('2')]), 'demo/说明.txt2'),
        },
      ]),
    );
    expect(contents.entries.map(({ path }) => path)).toEqual(['index.js', '中文.md', '说明.txt', '誠', '€.txt', '说明.txt2']);
    expect((await contents.readEntry(contents.entry('说明.txt')!)).toString()).toBe('gbk');
  });

  it('descriptors with and without signature, sizes in the header or not', async () => {
    const content = Buffer.from('streamed content');
    const data = deflateRawSync(content);
    const bare = { size: 0, compressedSize: 0, crc: 0 };
    const entry = { content, method: 8, flags: streamed };
    const contents = await open(
      handmadeZip([
        { ...entry, name: 'demo/a', local: bare, after: descriptor(crc32(content), data.length, content.length) },
        { ...entry, name: 'demo/b', local: bare, after: descriptor(crc32(content), data.length, content.length, false) },
        { ...entry, name: 'demo/c', after: descriptor(crc32(content), data.length, content.length) },
      ]),
    );
    for (const file of contents) expect((await contents.readEntry(file)).toString()).toBe('streamed content');
  });

  it('what macOS and other tools add, apart from the files', async () => {
    const contents = await open(
      handmadeZip([
        { name: 'demo/', mode: 0o040755, method: 8, data: Buffer.from([3, 0]) },
        { name: 'demo/lib/', method: 8, data: Buffer.alloc(0) },
        { ...good, mode: 0o100644, extra: extraField(0x5455, Buffer.alloc(5)) },
        { name: '__MACOSX/' },
        { name: '__MACOSX/demo/._index.js', content: 'attributes' },
        { name: '.DS_Store', content: 'finder' },
      ]),
      'demo',
    );
    expect(contents.root).toBe('demo');
    expect([...contents].map(({ path }) => path)).toEqual(['index.js']);
    expect(contents.ignored.map(({ path }) => path)).toEqual(['__MACOSX/demo/._index.js', '.DS_Store']);
    expect(contents.totalSize).toBe(String(good.content).length + 16);
  });

  it('500 files beside their folders, a comment, and files without content', async () => {
    const files = Array.from({ length: 500 }, (_, i) => ({ name: `demo/${i % 50}/${i}.js` }));
    const folders = Array.from({ length: 50 }, (_, i) => ({ name: `demo/${i}/` }));
    const contents = await open(handmadeZip([{ name: 'demo/' }, ...folders, ...files], { comment: Buffer.from('made by hand') }), 'demo');
    expect(contents.entries).toHaveLength(500);
  });
});
