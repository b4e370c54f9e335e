/**
 * Sums up the results of the test runs, lists failures, and ends with a one-line total.
 * Usage: `node .ci/summary.mjs REPORT.json …`. `x-again.json` replaces the results of the files it ran again from `x.json`. `x.files` next
 * to a report lists the files that should run, one per line: files of a crashed worker are missing from the report and count as failed.
 * `--failed REPORT.json` prints only the files that failed in that report, one per line; `--not-run REPORT.json` those that did not run.
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
        console.log(`${suite}: ${file.name} ${what}${last.failed ? '' : ' in the full run and passed alone'}: ${file.reasons.join(' | ')}`);
      }
    }
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

/** Returns the files of a run: those in its report, and those that should have run but are missing. */
function filesOf(report) {
  const reported = JSON.parse(readFileSync(report, 'utf8')).testResults.map((result) => fileOf(report, result));
  const names = new Set(reported.map((file) => file.name));
  const list = report.replace(/\.json$/, '.files');
  const wanted = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean).map(nameOf) : [];
  const reasons = ['its worker crashed before it ran'];
  const missing = wanted.filter((name) => !names.has(name)).map((name) => ({ name, ran: false, failed: true, reasons, count: () => 0 }));
  return [...reported, ...missing];
}

/**
 * Returns a file of a Vitest report: its path from the root of the checkout, whether anything in it failed, and the first line of each
 * reason.
 */
function fileOf(report, result) {
  const name = nameOf(result.name);
  const tests = result.assertionResults;
  const count = (status) => tests.filter((test) => test.status === status).length;
  const reasons = tests
    .filter((test) => test.status === 'failed')
    .map((test) => `${test.fullName}: ${(test.failureMessages?.[0] ?? '').split('\n')[0].slice(0, 200)}`);
  const failed = result.status !== 'passed' || reasons.length > 0;
  if (failed && reasons.length === 0) reasons.push(String(result.message ?? '').split('\n')[0] || reasonInLog(report, name));
  // Vitest reports a file as passed although its worker crashed: tests that were running or still to run are `pending` then.
  const isCutShort = !failed && (tests.length === 0 || count('pending') > 0);
  if (isCutShort) reasons.push('its worker crashed');
  return { name, ran: true, failed: failed || isCutShort, reasons, count };
}

/** Returns the reason for a file from the log next to the report: the error of a failed hook is found nowhere else. */
function reasonInLog(report, name) {
  const log = report.replace(/\.json$/, '.log');
  const lines = existsSync(log)
    ? readFileSync(log, 'utf8')
        .replaceAll(/\u001b\[[\d;]*m/g, '')
        .split('\n')
    : [];
  const at = lines.findIndex((line) => line.startsWith(' FAIL ') && line.includes(name));
  return at < 0 ? '' : (lines[at + 1] ?? '').slice(0, 200);
}

/** Returns the path relative to this checkout or to its copy that runs on Node 24: both have the same paths below their root. */
function nameOf(path) {
  return path.replace(/^.*\/checkout\//, '').replace(`${process.cwd()}/`, '') || relative('.', path);
}
