/**
 * Checks the types of the benches, which are JavaScript and follow looser rules than the product whose types they use. Under those rules the
 * product's own files have findings too, so only those outside of `.ts` files count.
 */
import { spawnSync } from 'node:child_process';

const compiler = 'node_modules/typescript-7/bin/tsc';
const options = { encoding: 'utf8', maxBuffer: Infinity };
const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', 'bench/tsconfig.json', '--pretty', 'false'], options);
// Each finding is a line, with indented details below it.
const findings = stdout.split(/\n(?=\S)/).filter((finding) => finding !== '' && !/^\S+\.ts\(/.test(finding));
for (const finding of findings) console.log(finding.trimEnd());
process.stderr.write(stderr);
// Without any output the compiler itself has failed.
process.exitCode = findings.length > 0 || (status !== 0 && stdout === '') ? 1 : 0;
