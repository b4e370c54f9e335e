/**
 * Adds up what the runs of the suite counted, names what failed, and ends with the one plain line that says so.
 *
 * Usage: `node .ci/summary.mjs REPORT.json …`. `x-again.json` stands for the files it ran again in place of `x.json`. Beside a report,
 * `x.files` names the files that were to run, one a line: those of a worker that died are not in the report, and count as failed.
 * With `--failed REPORT.json` it prints the files that failed in that report, one a line, and nothing else; with `--not-run REPORT.json`
 * those that did not run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const [first, ...others] = process.argv.slice(2);
if (first === '--failed' || first === '--not-run') {
  const isMeant = first === '--failed' ? (file) => file.failed && file.ran : (file) => !file.ran;
  for (const file of filesOf(others[0])) if (isMeant(file)) console.log(file.name);
} else {
  summarize([first, ...others].filter((file) => file !== undefined));
}

function summarize(reports) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports.filter((name) => !name.endsWith('-again.json'))) {
    const suite = basename(report, '.json');
    const again = report.replace(/\.json$/, '-again.json');
    const second = new Map((existsSync(again) ? filesOf(again) : []).map((file) => [file.name, file]));
    for (const file of filesOf(report)) {
      const last = second.get(file.name) ?? file;
      totals.passed += last.count('passed');
      totals.failed += last.failed ? Math.max(1, last.count('failed')) : 0;
      totals.skipped += last.count('skipped') + last.count('todo');
      if (file.failed) {
        const what = file.ran ? 'failed' : 'did not run';
        console.log(
          `${suite}: ${file.name} ${what}${last.failed ? '' : ' beside others and passed by itself'}: ${file.reasons.join(' | ')}`,
        );
      }
    }
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

/** The files of a run: those of its report, and those that were to run and are not in it. */
function filesOf(report) {
  const told = JSON.parse(readFileSync(report, 'utf8')).testResults.map((result) => fileOf(report, result));
  const names = new Set(told.map((file) => file.name));
  const list = report.replace(/\.json$/, '.files');
  const wanted = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean).map(nameOf) : [];
  const reasons = ['the worker that was to run it died before'];
  const missing = wanted.filter((name) => !names.has(name)).map((name) => ({ name, ran: false, failed: true, reasons, count: () => 0 }));
  return [...told, ...missing];
}

/** A file of a report of Vitest's: name from the top of the checkout, whether anything in it failed, and the first words of why. */
function fileOf(report, result) {
  const name = nameOf(result.name);
  const tests = result.assertionResults;
  const count = (status) => tests.filter((test) => test.status === status).length;
  const reasons = tests
    .filter((test) => test.status === 'failed')
    .map((test) => `${test.fullName}: ${(test.failureMessages?.[0] ?? '').split('\n')[0].slice(0, 200)}`);
  const failed = result.status !== 'passed' || reasons.length > 0;
  if (failed && reasons.length === 0) reasons.push(String(result.message ?? '').split('\n')[0] || said(report, name));
  // Vitest calls a file passed whose worker died in it: tests that were under way or had their turn to come are `pending` then.
  const isCutShort = !failed && (tests.length === 0 || count('pending') > 0);
  if (isCutShort) reasons.push('its worker died');
  return { name, ran: true, failed: failed || isCutShort, reasons, count };
}

/** What the log beside a report says of a file: a hook that fails leaves its reason nowhere else. */
function said(report, name) {
  const log = report.replace(/\.json$/, '.log');
  const lines = existsSync(log)
    ? readFileSync(log, 'utf8')
        .replaceAll(/\u001b\[[\d;]*m/g, '')
        .split('\n')
    : [];
  const at = lines.findIndex((line) => line.startsWith(' FAIL ') && line.includes(name));
  return at < 0 ? '' : (lines[at + 1] ?? '').slice(0, 200);
}

/** A file of this checkout or of the copy that runs on Node 24: both have the same names below their top. */
function nameOf(path) {
  return path.replace(/^.*\/checkout\//, '').replace(`${process.cwd()}/`, '') || relative('.', path);
}
