import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PluginRegistry } from '../../src/plugin-registry/index.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { formOf, zipOf } from '../support/store-packages.js';
import { writePlugin } from '../support/plugins.js';

interface Verdict {
  readonly installable: boolean;
  readonly manifest_problems: { code: string; fatal: boolean; text: string }[];
  readonly findings: { rule: string; severity: string; file: string; line: number | null; text: string }[];
}

const GOOD = { 'plugin.json': '{"id":"checked","name":"checked","version":"1.0.0"}', 'index.js': 'module.exports = () => {};\n' };

describe('P11 packages no panel installs', () => {
  let store: TestStore;
  let alice: StoreClient;

  beforeAll(async () => {
    store = await TestStore.start();
    alice = await store.member('Alice');
  });
  afterAll(() => store.close());

  const validate = async (files: Record<string, string>, fields: Record<string, string> = {}): Promise<Verdict> => {
    const form = formOf({ type: 'plugin', slug: 'checked', version: '1.0.0', ...fields }, await zipOf(fields.slug ?? 'checked', files));
    const answer = await alice.call<Verdict>('POST', '/developer/validate', form);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data;
  };
  const manifest = (changes: object): string => JSON.stringify({ id: 'checked', name: 'checked', version: '1.0.0', ...changes });

  it('a good package has no findings', async () => {
    expect(await validate(GOOD)).toMatchObject({ installable: true, manifest_problems: [] });
  });

  it.each([
    ['id unlike folder', { ...GOOD, 'plugin.json': manifest({ id: 'other' }) }, 'slug', 'plugin.json'],
    ['a version that is none', { ...GOOD, 'plugin.json': manifest({ version: 'banana' }) }, 'version_invalid', 'plugin.json'],
    ['no entry', { 'plugin.json': GOOD['plugin.json'] }, 'entry', 'plugin.json'],
    [
      'an entry that is an ES module',
      { ...GOOD, 'index.js': "// one\nimport fs from 'node:fs';\nexport default () => {};\n" },
      'entry_es_module',
      'index.js',
    ],
    [
      'an .mjs entry',
      { 'plugin.json': manifest({ main: 'index.mjs' }), 'index.mjs': 'module.exports = 1;' },
      'entry_es_module',
      'index.mjs',
    ],
    ['await outside of functions', { ...GOOD, 'index.js': 'await 1;\n' }, 'entry_top_level_await', 'index.js'],
    ['code that does not parse', { ...GOOD, 'index.js': 'const = 1;\n' }, 'entry_syntax', 'index.js'],
    ['texts that cannot be read', { ...GOOD, 'lang/en.json': '{"a":{"b":"c"}}' }, 'texts', 'lang/en.json'],
  ])('%s is a serious finding with its location, and a panel refuses it as well', async (_name, files, code, file) => {
    const verdict = await validate(files as Record<string, string>);
    expect(verdict.installable).toBe(false);
    expect(verdict.manifest_problems).toContainEqual(expect.objectContaining({ code, fatal: true }));
    expect(verdict.findings).toContainEqual(expect.objectContaining({ rule: `manifest.${code}`, severity: 'danger', file }));
    rmSync(join(store.place.dataDir, 'plugins/checked'), { recursive: true, force: true });
    writePlugin(store.place.dataDir, 'checked', { manifest: files['plugin.json'], files: files as Record<string, string> });
    await expect(store.provider(PluginRegistry).enable('checked')).rejects.toThrow();
  });

  it('names the line', async () => {
    const { findings } = await validate({ ...GOOD, 'index.js': "// one\nimport fs from 'node:fs';\n" });
    expect(findings.find(({ rule }) => rule === 'manifest.entry_es_module')).toMatchObject({
      line: 2,
      text: expect.stringMatching(/CommonJS.*esbuild/) as string,
    });
  });

  it('code without an effect is a finding, and can be installed', async () => {
    const verdict = await validate({
      'plugin.json': manifest({ requres: '1', type: 'payment', author: 7 }),
      'index.js': "module.exports = async () => { await import('rates'); };\n",
      'lib/rates.node': 'x',
      'admin/list.liquid': '{% if %}',
      'node_modules/a/x.liquid': '{% if %}',
    });
    expect(verdict.installable).toBe(true);
    expect(verdict.manifest_problems.map(({ code }) => code).sort()).toEqual([
      'entry_import',
      'field_meant',
      'native_addon',
      'not_list',
      'not_text',
      'template',
    ]);
    expect(verdict.findings.filter(({ rule }) => rule === 'manifest.template')).toMatchObject([
      { severity: 'warning', file: 'admin/list.liquid' },
    ]);
  });

  it('templates of a theme are parsed as by a panel, and skipped ones are named', async () => {
    const verdict = await validate(
      {
        'theme.json': JSON.stringify({ title: 'Aurora', version: '1.0.0', scope: 'admin' }),
        'admin/index.liquid':
          "{% layout 'panel' %}{% block content %}{% partial 'widgets', area: 'top' %}{% slot notice %}{{ 'a' | t: n: 1 " +
          "| upcase }}{{ 'app.css' | asset }}{% endblock %}",
        'admin/broken.liquid': '{% for x in %}{{ y }}',
        'user/index.liquid': "{% include 'x' %}",
        'user/filter.liquid': '{{ y | raw }}',
        'user/Index.liquid.bak': '{% if %}',
        'shared/Head.liquid': 'x',
        'home/large.liquid': 'x'.repeat(200_001),
        'assets/app.css': 'a {}',
        'assets/app.php': '<?php',
        'assets/a b.css': 'x',
        'assets/.gitkeep': '',
      },
      { type: 'theme' },
    );
    expect(verdict.installable).toBe(true);
    const found = verdict.findings
      .filter(({ rule }) => rule.startsWith('manifest.'))
      .map(({ rule, file }) => `${rule.slice('manifest.'.length)} ${file}`);
    expect(found.sort()).toEqual([
      'asset_kind assets/app.php',
      'asset_name assets/a b.css',
      'not_list theme.json',
      'template admin/broken.liquid',
      'template user/filter.liquid',
      'template user/index.liquid',
      'view_name shared/Head.liquid',
      'view_size home/large.liquid',
    ]);
  });

  it.each(['con', 'NUL', 'com1', 'constructor', '__proto__', 'toString'])('the name %s is refused at the form', async (slug) => {
    const form = formOf({ type: 'plugin', slug, name: slug, version: '1.0.0', description: 'd' }, await zipOf('checked', GOOD));
    const answer = await alice.call('POST', '/developer/items', form);
    expect(answer).toMatchObject({ status: 400, msg: expect.stringContaining(`“${slug}”`) as string });
    expect((await alice.call('POST', '/developer/validate', formOf({ type: 'theme', slug }, await zipOf('checked', GOOD)))).status).toBe(
      400,
    );
  });

  it('names that differ only in case, and __proto__ among the files, are refused', async () => {
    const refused = async (files: Record<string, string>): Promise<string> =>
      (
        await alice.call(
          'POST',
          '/developer/validate',
          formOf({ type: 'plugin', slug: 'checked' }, await zipOf('checked', { ...GOOD, ...files })),
        )
      ).msg;
    expect(await refused({ 'lib/A.js': '', 'lib/a.js': '' })).toContain('A.js');
    expect(await refused({ 'lib/__proto__/a.js': '' })).toContain('__proto__');
    expect(await refused({ 'lib/nul.txt': '' })).toContain('nul.txt');
  });
});
