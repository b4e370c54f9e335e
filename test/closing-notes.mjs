/** The last lines of `npm test`: what this run left out, and how to run it. */
import { spawnSync } from 'node:child_process';

const notes = [];
if (spawnSync('tesseract', ['--version']).status !== 0) {
  notes.push('Not run: reading captchas with tesseract. Install it (Debian: tesseract-ocr) and run npx vitest run test/faults/F10');
}
if (!process.env.TEST_DATABASE_SERVER) {
  notes.push('Not run: the suite on MariaDB. Run it with TEST_DATABASE_SERVER=mariadb://root@127.0.0.1:3306 npm run test:mariadb');
}
notes.push('Not run: the browser tests. Run them with npm run test:browser (needs Chromium; CHROMIUM_PATH says where it is)');
console.log(`\n${notes.join('\n')}`);
