/**
 * Says which files `npm run format` would write differently, and ends with 1 where there are some. oxfmt has Prettier's format and looks at
 * all of them in two seconds, for which Prettier takes forty: that one is asked about those which oxfmt would change (short unions on a
 * line of their own are what the two disagree about) and about templates.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = ['{src,test,bench,agent,plugins,sdk,themes}/**/*.{ts,mjs,js,css,json}', '*.{ts,js,json}'];
const { prettier } = JSON.parse(readFileSync('package.json', 'utf8'));
const TEMPLATES = '{src,themes,plugins,sdk}/**/*.liquid';
const { plugins: _ofPrettier, overrides: _ofTemplates, ...options } = prettier;

/** Runs a program of a package. @returns what it wrote, and how it ended */
const run = (program, args) => spawnSync(process.execPath, [join('node_modules', program), ...args], { encoding: 'utf8' });

const config = join(tmpdir(), `svc-oxfmt-${process.pid}.json`);
writeFileSync(config, JSON.stringify(options));
const first = run('oxfmt/bin/oxfmt', ['-c', config, '--list-different', '--ignore-path', '.prettierignore', ...FILES]);
rmSync(config);
// 1: some differ.
if (first.status !== 0 && first.status !== 1) throw new Error(`oxfmt ended with ${first.status}:\n${first.stdout}${first.stderr}`);
const different = [...new Set(first.stdout.split('\n').filter((line) => line !== ''))];
const second = run('prettier/bin/prettier.cjs', ['--log-level', 'warn', '--check', TEMPLATES, ...different]);
process.stderr.write(second.stdout + second.stderr);
process.exitCode = second.status ?? 1;
