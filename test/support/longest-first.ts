import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { lengthRank } from './long-specs.js';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Begins with the longest specs; the others follow as Vitest orders them, by size where it has not run them here before. Beside a report it
 * writes down what is to run: of a worker that dies, the files it has not begun are in no report (`.ci/summary.mjs`).
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
