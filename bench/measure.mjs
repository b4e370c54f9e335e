/**
 * Measurement functions of the benches: all candidates take turns within every round, so that a slow moment of the machine affects them
 * alike, and a comparison is the median of the ratios per round.
 */

/** One thing to measure. @typedef {{ name: string, run: (i: number) => unknown, asynchronous?: boolean }} Candidate */
/** @typedef {{ name: string, rounds: number[], median: number }} Result nanoseconds per operation */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Compiles a separate loop for each candidate: a shared one would become megamorphic and slow for all of them.
 * @param {Candidate} candidate
 */
function loopOf({ run, asynchronous }) {
  const source = asynchronous
    ? 'return async (n) => { for (let i = 0; i < n; i++) await run(i); }'
    : 'return (n) => { for (let i = 0; i < n; i++) run(i); }';
  return new Function('run', source)(run);
}

/** Measures one pass of an entry, in milliseconds. */
async function time({ loop, count }) {
  const start = process.hrtime.bigint();
  const pending = loop(count);
  if (pending !== undefined) await pending;
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * @param {Candidate[]} candidates
 * @param {{ rounds?: number, milliseconds?: number }} [options] rounds, and time per candidate in each
 * @returns {Promise<Map<string, Result>>}
 */
export async function measure(candidates, { rounds = 15, milliseconds = 40 } = {}) {
  const entries = candidates.map((candidate) => ({ name: candidate.name, loop: loopOf(candidate), count: 16, rounds: [] }));
  // Twice: optimizing one candidate may deoptimize another, and only then the state is steady.
  for (let pass = 0; pass < 2; pass++) {
    for (const entry of entries) {
      for (;;) {
        const took = await time(entry);
        if (took >= milliseconds / 2) {
          entry.count = Math.max(1, Math.round((entry.count * milliseconds) / took));
          break;
        }
        entry.count *= 2;
      }
    }
  }
  for (let round = 0; round < rounds; round++) {
    const order = entries.map((_, i) => entries[(i + round) % entries.length]);
    for (const entry of round % 2 ? order.reverse() : order) {
      entry.rounds.push((await time(entry)) * (1e6 / entry.count));
    }
  }
  return new Map(entries.map(({ name, rounds }) => [name, { name, rounds, median: median(rounds) }]));
}

/**
 * How many times as long `a` takes as `b`: the median over the rounds.
 * @param {Pick<Result, 'rounds'>} a
 * @param {Pick<Result, 'rounds'>} b
 */
export function ratio(a, b) {
  return median(a.rounds.map((value, round) => value / b.rounds[round]));
}

/** @param {number} nanoseconds */
export function formatTime(nanoseconds) {
  if (nanoseconds >= 1e6) return `${(nanoseconds / 1e6).toFixed(2)} ms`;
  if (nanoseconds >= 1e4) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  return `${nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0)} ns`;
}

/**
 * Prints rows as an aligned table.
 * @param {string[]} header
 * @param {string[][]} rows
 */
export function printTable(header, rows) {
  const widths = header.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  const line = (row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  process.stdout.write(`${[line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')}\n\n`);
}

/**
 * Prints every bar with PASS or MISS, and sets a failing exit code if one is missed.
 * @param {{ claim: string, value: number, limit: number, atLeast?: boolean, unit: string }[]} bars
 */
export function printBars(bars) {
  const rows = bars.map(({ claim, value, limit, atLeast, unit }) => {
    const reached = atLeast ? value >= limit : value <= limit;
    if (!reached) process.exitCode = 1;
    return [claim, `${value.toFixed(2)} ${unit}`, `${atLeast ? '>=' : '<='} ${limit} ${unit}`, reached ? 'PASS' : 'MISS'];
  });
  printTable(['bar', 'measured', 'reach', ''], rows);
}
