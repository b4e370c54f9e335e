import { writeFileSync } from 'node:fs';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Specs that take longest, the longest first: one of them begun last would keep one worker busy while the other has nothing to do. */
const LONGEST = [
  'test/browser/every-page.browser',
  'test/browser/orders.browser',
  'test/browser/sites.browser',
  'test/browser/store.browser',
  'test/browser/gateway-tests.browser',
  'test/browser/programs.browser',
  'test/plugins/store-crash',
  'test/faults/P03-starts-that-hang-or-crash',
  'test/plugins/author-test-fakes',
  'test/plugins/author-test-kit',
  'test/node/server-install',
  'test/faults/F01-memory-for-strangers',
  'test/svc/backup',
  'test/node/agent-hosting',
  'test/main-job',
  'test/clock',
  'test/orders-crash',
  'test/node/agent-crash',
  'test/node/actions-in-trouble',
  'test/svc/restore-undone',
  'test/programs',
  'test/dns/dns',
  'test/site-moves',
  'test/plugins/processes',
  'test/dns/dns-crash',
  'test/file-crash',
  'test/site-backups-crash',
  'test/site-moves-crash',
  'test/pool-crash',
  'test/store/crash',
  'test/provisioning-crash',
  'test/svc/prepared-restore',
  'test/faults/F10-captcha',
  'test/store/services',
  'test/plugins/cycles',
  'test/certificates',
  'test/sdk',
].map((name) => `/${name}.spec.ts`);

/**
 * Begins with the longest specs; the others follow as Vitest orders them, by size where it has not run them here before. Beside a report it
 * writes down what is to run: of a worker that dies, the files it has not begun are in no report (`.ci/summary.mjs`).
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? LONGEST.length : index;
    };
    const report = process.env.VITEST_JSON;
    if (report) writeFileSync(report.replace(/\.json$/, '.files'), files.map(({ moduleId }) => `${moduleId}\n`).join(''));
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
