import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { CALL, ThemeFixture } from '../testing/theme-fixture.js';
import type { ScriptGrant } from './script-grants.js';

const fixture = new ThemeFixture();
const { grants } = fixture;
beforeEach(() => fixture.remove());
beforeEach(() => grants.clear());
afterAll(() => fixture.remove());

const SEA = 'window.sea = 1;\n';
const sha256 = (text: string, as: 'hex' | 'base64' = 'hex'): string => createHash('sha256').update(text).digest(as);
const themeWith = (scripts: unknown, files: Record<string, string>, name = 'aurora', more: object = {}): void => {
  fixture.install({ 'theme.json': JSON.stringify({ scripts, ...more }), 'home/index.liquid': 'x', ...files }, name);
  fixture.catalogue.reloadAll();
};
const scriptsOf = (name = 'aurora'): string[] => fixture.catalogue.package(name)!.scripts.map(({ file }) => file);
const problemsOf = (name = 'aurora'): string[] =>
  fixture.catalogue.package(name)!.problems.map(({ file, message }) => `${file} ${message}`);
const grant = (more: Partial<ScriptGrant> = {}): ScriptGrant => ({
  file: 'scripts/sea.js',
  sha256: sha256(SEA),
  sides: ['home'],
  everywhere: false,
  ...more,
});
/** What is sent of a page. */
function sent(page = '<body>page</body>', { plain = true, side = 'home' as const, view = 'index' } = {}): [string, readonly string[]] {
  const { html, digests } = fixture.renderer.scripted(Buffer.from(page), { side, view, plain, call: CALL });
  return [html.toString(), digests];
}

describe('scripts declared in theme.json', () => {
  it('are loaded with their digests, by default for every side of the theme', () => {
    themeWith([{ file: 'scripts/sea.js', purpose: 'Waves' }], { 'scripts/sea.js': SEA, 'user/index.liquid': 'x' });
    expect(fixture.catalogue.package('aurora')!.scripts).toEqual([
      {
        ...{ file: 'scripts/sea.js', sides: ['user', 'home'], purpose: 'Waves', text: SEA, bytes: 16 },
        ...{ sha256: sha256(SEA), digest: sha256(SEA, 'base64') },
      },
    ]);
  });

  it.each<[string, unknown, Record<string, string>, RegExp]>([
    ['is no list', { file: 'scripts/sea.js' }, {}, /must be a list of/],
    ['has a field nobody knows', [{ file: 'scripts/sea.js', nonce: true }], {}, /must be a list of/],
    ['has a side nobody knows', [{ file: 'scripts/sea.js', sides: ['root'] }], {}, /must be a list of/],
    ['has no side', [{ file: 'scripts/sea.js', sides: [] }], {}, /must be a list of/],
    ['leads out of its folder', [{ file: 'scripts/../assets/sea.js' }], {}, /scripts\/NAME\.js/],
    ['lies elsewhere', [{ file: 'assets/sea.js' }], { 'assets/sea.js': SEA }, /scripts\/NAME\.js/],
    ['is an address', [{ file: 'https://thief.invalid/sea.js' }], {}, /scripts\/NAME\.js/],
    ['is named twice', [{ file: 'scripts/sea.js' }, { file: 'scripts/sea.js' }], {}, /unique name/],
    ['is not there', [{ file: 'scripts/gone.js' }], {}, /does not exist/],
    ['is larger than it may be', [{ file: 'scripts/big.js' }], { 'scripts/big.js': ' '.repeat(40_001) }, /larger than 40000/],
    ['would end in the page', [{ file: 'scripts/end.js' }], { 'scripts/end.js': "a = '</ScRiPt>'" }, /would end the script/],
    ['would hide what follows', [{ file: 'scripts/end.js' }], { 'scripts/end.js': '<!--<script>' }, /would end the script/],
    ['reads otherwise than it runs', [{ file: 'scripts/odd.js' }], { 'scripts/odd.js': 'a = "\u202e";' }, /invisible characters/],
  ])('one that %s is left out', (_what, scripts, files, message) => {
    themeWith(scripts, { 'scripts/sea.js': SEA, ...files });
    expect(
      problemsOf().some((problem) => message.test(problem)),
      problemsOf().join(),
    ).toBe(true);
    expect(scriptsOf().filter((file) => file !== 'scripts/sea.js')).toEqual([]);
  });

  it('skip more than five, non-text files, and symbolic links', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `scripts/${name}.js`);
    themeWith(
      names.map((file) => ({ file })),
      Object.fromEntries(names.map((file) => [file, SEA])),
    );
    expect(scriptsOf()).toEqual(names.slice(0, 5));
    themeWith([{ file: 'scripts/bytes.js' }, { file: 'scripts/link.js' }], { 'scripts/other.txt': SEA });
    writeFileSync(join(fixture.folder, 'aurora/scripts/bytes.js'), Buffer.from([0x61, 0xff]));
    symlinkSync(join(fixture.folder, 'aurora/scripts/other.txt'), join(fixture.folder, 'aurora/scripts/link.js'));
    fixture.catalogue.reloadAll();
    expect(scriptsOf()).toEqual([]);
    expect(problemsOf()).toMatchObject([expect.stringMatching(/bytes\.js is not UTF-8/), expect.stringMatching(/link\.js does not exist/)]);
  });

  it('are inherited by a child theme, which can override them', () => {
    themeWith([{ file: 'scripts/sea.js' }, { file: 'scripts/sky.js' }], { 'scripts/sea.js': SEA, 'scripts/sky.js': 'window.sky = 1' });
    themeWith([{ file: 'scripts/sea.js' }], { 'scripts/sea.js': 'window.sea = 2' }, 'night', { parent: 'aurora' });
    expect(fixture.catalogue.package('night')!.scripts.map(({ text }) => text)).toEqual(['window.sea = 2', 'window.sky = 1']);
    grants.set('aurora', [grant()]);
    expect(sent()).toEqual(['<body>page</body>', []]);
  });
});

describe('a page contains of its theme', () => {
  beforeEach(() => themeWith([{ file: 'scripts/sea.js', sides: ['home'] }], { 'scripts/sea.js': SEA }));

  it('no script without a grant', () => {
    expect(sent()).toEqual(['<body>page</body>', []]);
    grants.set('other', [grant()]);
    expect(sent()).toEqual(['<body>page</body>', []]);
  });

  it('a permitted one before the end of its body, and its digest for the policy', () => {
    grants.set('aurora', [grant()]);
    expect(sent()).toEqual([`<body>page<script>${SEA}</script></body>`, [sha256(SEA, 'base64')]]);
    expect(sent('no body')[0]).toBe(`no body<script>${SEA}</script>`);
  });

  it('none on pages with money or passwords without the second grant', () => {
    grants.set('aurora', [grant()]);
    expect(sent(undefined, { plain: false })[1]).toEqual([]);
    for (const field of ['type="password"', "TYPE = 'password'", 'type=password', 'autocomplete="section-a cc-number"']) {
      expect(sent(`<body><input ${field}></body>`)[1], field).toEqual([]);
    }
    grants.set('aurora', [grant({ everywhere: true })]);
    expect(sent('<body><input type="password"></body>', { plain: false })[1]).toHaveLength(1);
  });

  it('none on a page overridden by a plugin', () => {
    grants.set('aurora', [grant()]);
    const undo = fixture.overrides.add('page', 'home', 'index', () => null, { owner: 'shop' });
    expect(sent()[1]).toEqual([]);
    undo();
    expect(sent()[1]).toHaveLength(1);
  });

  it('none with other content than permitted, or for more sides', () => {
    grants.set('aurora', [grant()]);
    expect(sent()[1]).toHaveLength(1);
    // Changed behind the back of the panel: what is sent is what was read.
    writeFileSync(join(fixture.folder, 'aurora/scripts/sea.js'), 'window.stolen = 1');
    expect(sent()[0]).toContain(SEA);
    fixture.catalogue.reloadAll();
    expect(sent()).toEqual(['<body>page</body>', []]);
    themeWith([{ file: 'scripts/sea.js', sides: ['home', 'user'] }], { 'scripts/sea.js': SEA });
    expect(sent()[1]).toEqual([]);
    themeWith([{ file: 'scripts/sea.js', sides: ['user'] }], { 'scripts/sea.js': SEA });
    grants.set('aurora', [grant({ sides: ['user', 'home'] })]);
    expect(sent()[1]).toEqual([]);
  });

  it('what a browser reads of it: a file with a byte order mark, and ends of lines of other systems', () => {
    const file = '\ufeffwindow.sea = `a\r\nb`;\r';
    themeWith([{ file: 'scripts/sea.js', sides: ['home'] }], { 'scripts/sea.js': file });
    grants.set('aurora', [grant({ sha256: sha256(file) })]);
    expect(sent()).toEqual([
      '<body>page<script>\ufeffwindow.sea = `a\nb`;\n</script></body>',
      [sha256('\ufeffwindow.sea = `a\nb`;\n', 'base64')],
    ]);
  });
});
