/**
 * Lists the files `npm run format` would change, and exits with 1 if there are any. oxfmt has Prettier's format and checks all files in two
 * seconds, while Prettier takes forty; so Prettier only checks those oxfmt would change (the two differ in short unions on their own line),
 * and templates.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = ['{src,test,bench,agent,plugins,sdk,themes}/**/*.{ts,mjs,js,css,json}', '*.{ts,js,json}'];
const { prettier } = JSON.parse(readFileSync('package.json', 'utf8'));
const TEMPLATES = '{src,themes,plugins,sdk}/**/*.liquid';
const { plugins: _ofPrettier, overrides: _ofTemplates, ...options } = prettier;

/**
 * Runs the program of a package.
 *
 * @returns its output and exit code
 */
const run = (program, args) => spawnSync(process.execPath, [join('node_modules', program), ...args], { encoding: 'utf8' });

const config = join(tmpdir(), `svc-oxfmt-${process.pid}.json`);
writeFileSync(config, JSON.stringify(options));
const first = run('oxfmt/bin/oxfmt', ['-c', config, '--list-different', '--ignore-path', '.prettierignore', ...FILES]);
rmSync(config);
// Exit code 1: some files differ.
if (first.status !== 0 && first.status !== 1) throw new Error(`oxfmt ended with ${first.status}:\n${first.stdout}${first.stderr}`);
const different = [...new Set(first.stdout.split('\n').filter((line) => line !== ''))];
const second = run('prettier/bin/prettier.cjs', ['--log-level', 'warn', '--check', TEMPLATES, ...different]);
process.stderr.write(second.stdout + second.stderr);
process.exitCode = second.status ?? 1;
