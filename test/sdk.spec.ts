import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

/** A plugin author's code; the compiler is expected to find the mistake in the last line. */
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
  const tsc = join(PACKAGE_ROOT, 'node_modules/typescript-7/bin/tsc');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
    const sdk = join(folder, 'node_modules/@svc/sdk');
    mkdirSync(sdk, { recursive: true });
    execFileSync(process.execPath, [tsc, '-p', join(PACKAGE_ROOT, 'tsconfig.sdk.json'), '--outDir', join(sdk, 'dist')]);
    cpSync(join(PACKAGE_ROOT, 'sdk/package.json'), join(sdk, 'package.json'));
    for (const name of ['@types', '@nestjs', 'rxjs', 'reflect-metadata'])
      symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The compiler's messages for files of a plugin. */
  function compileAll(files: Readonly<Record<string, string>>): string {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
    try {
      execFileSync(
        process.execPath,
        [
          tsc,
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--experimentalDecorators',
          ...['--module', 'nodenext'],
          ...['--target', 'es2023'],
          ...['--types', 'node'],
          ...Object.keys(files),
        ],
        { cwd: folder },
      );
      return '';
    } catch (error) {
      return String((error as { stdout: Buffer }).stdout);
    }
  }

  const compile = (code: string): string => compileAll({ 'plugin.ts': code });

  it('provides a plugin with types, including its own hooks', { timeout: 60_000 }, () => {
    expect(compile(PLUGIN)).toBe('');
    expect(
      compile(`${PLUGIN}\nexport const wrong = definePlugin((svc) => { svc.svc_add_action('coupon.used', (code) => code.toFixed()); });`),
    ).toMatch(/toFixed/);
  });

  it('infers the types of an operation’s fields when they are written in the call', { timeout: 60_000 }, () => {
    const plugin = (callback: string): string => `
      import { definePlugin } from '@svc/sdk';
      export default definePlugin((svc) => {
        svc.svc_register_ajax('admin', 'p_x', ${callback}, 'admin', { fields: [
          { key: 'code', type: 'text', required: true },
          { key: 'n', type: 'number' },
          { key: 'open', type: 'switch', required: true },
          { key: 'kind', type: 'select', options: [{ value: 'a', label: 'A' }] },
        ] });
      });`;
    const used = '{ code: code.trim(), n: n?.toFixed(), open: open satisfies boolean, kind: kind?.trim() }';
    expect(compile(plugin(`async (_ctx, { code, n, open, kind }) => (${used})`))).toBe('');
    for (const wrong of ['code.toFixed()', 'n.toFixed()', 'open.trim()', 'kind.trim()', 'input.other'])
      expect(compile(plugin(`(_ctx, input) => { const { code, n, open, kind } = input; return { is: ${wrong} }; }`))).toMatch(/TS\d+/);
    expect(
      compile(
        "import { definePlugin } from '@svc/sdk';\nexport default definePlugin((svc) => {" +
          "svc.svc_register_ajax('admin', 'p_x', (ctx, input) => ({ code: input.code }), 'admin'); });",
      ),
    ).toMatch(/TS\d+/);
  });

  it.each([
    { entry: 'index.ts', of: '@svc/sdk', least: [70, 150], given: 'declare const svc: SvcFacade;', always: 'SvcFacade' },
    { entry: 'testing.ts', of: '@svc/sdk/testing', least: [14, 20], given: 'declare const panel: TestPanel;', always: 'TestPanel' },
  ])('describes all $of exports and its methods, each with an example that compiles and its version', { timeout: 60_000 }, (part) => {
    const symbols = exportedSymbols(part.entry);
    const methods = symbols.flatMap((symbol) => symbol.methods);
    expect(symbols.length).toBeGreaterThan(part.least[0]!);
    expect(methods.length).toBeGreaterThan(part.least[1]!);
    const names = symbols.map(({ name }) => name);
    const examples: Record<string, string> = {};
    for (const { name, text, tags } of [...symbols, ...methods]) {
      expect(text.length, `${name} says what it is`).toBeGreaterThan(10);
      expect(tags.get('since'), `${name} has @since`).toMatch(/^\d+\.\d+\.\d+$/);
      const code = /^```ts\n([^]*)\n```$/.exec(tags.get('example') ?? '')?.[1];
      expect(code, `${name} has an @example in TypeScript`).toBeDefined();
      const used = names.filter(
        (other) => other === part.always || new RegExp(`\\b${other}\\b`).test(code!.replace(/interface HookMap/, '')),
      );
      examples[`example_${name}.mts`] =
        `import { ${used.join(', ')} } from '${part.of}';\n${/const panel\b/.test(code!) ? '' : part.given}\n${code}\nexport {};\n`;
    }
    expect(compileAll(examples)).toBe('');
  });

  it('matches the reference in docs/reference: after a change, npm run docs:reference', { timeout: 60_000 }, () => {
    const made = join(folder, 'reference');
    const typedoc = (...options: string[]): unknown =>
      execFileSync(process.execPath, [join(PACKAGE_ROOT, 'node_modules/typedoc/bin/typedoc'), ...options], { cwd: PACKAGE_ROOT });
    typedoc('--out', made);
    typedoc('--options', 'typedoc.testing.json', '--out', join(made, 'testing'));
    expect(filesOf(join(PACKAGE_ROOT, 'docs/reference'))).toEqual(filesOf(made));
  });
});

/** Text by path. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const read = files.map(({ parentPath, name }) => [
    join(parentPath, name).slice(folder.length + 1),
    readFileSync(join(parentPath, name), 'utf8'),
  ]);
  return Object.fromEntries(read.sort()) as Record<string, string>;
}

/** An export of the package, with its doc comment. */
interface Documented {
  name: string;
  text: string;
  tags: Map<string, string>;
}

/** The exports of an entry of the package, and the methods of each, `OrdersService.create`. */
function exportedSymbols(name: string): (Documented & { methods: Documented[] })[] {
  const entry = join(PACKAGE_ROOT, 'src/sdk', name);
  const program = ts.createProgram([entry], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const documented = (symbol: ts.Symbol, of = ''): Documented => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const tags = symbol.getJsDocTags(checker).map((tag): [string, string] => [tag.name, ts.displayPartsToString(tag.text).trim()]);
    return { name: `${of}${symbol.name}`, text, tags: new Map(tags) };
  };
  return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const methods = [...(symbol.members?.values() ?? [])].filter(({ flags }) => flags & ts.SymbolFlags.Method);
    return { ...documented(symbol), methods: methods.map((method) => documented(method, `${symbol.name}.`)) };
  });
}
