import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { lengthRank } from './long-specs.js';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Sequencer that runs the slowest specs first and the others in Vitest's order, which is by file size without a cache. Next to a JSON
 * report it writes the list of files to run: files that a crashed worker has not started are missing from the report (`.ci/summary.mjs`).
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const report = process.env.VITEST_JSON;
    if (report) writeFileSync(report.replace(/\.json$/, '.files'), files.map(({ moduleId }) => `${moduleId}\n`).join(''));
    const rank = ({ moduleId }: TestSpecification): number => lengthRank(relative(ROOT, moduleId));
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
