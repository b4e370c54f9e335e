/** Prints the last lines of `npm test`: what this run skipped, and how to run it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const notes = [];
if (spawnSync('tesseract', ['--version']).status !== 0) {
  notes.push('Not run: reading captchas with tesseract. Install it (Debian: tesseract-ocr) and run npx vitest run test/faults/F10');
}
if (['/usr/sbin/nginx', '/usr/sbin/php-fpm8.2', '/usr/sbin/sshd', '/usr/share/adminer/adminer.php'].some((path) => !existsSync(path))) {
  notes.push(
    'Not run: sites of agents on Debian. As root on Debian 12, with nginx php-fpm php-mysql mariadb-server ' +
      'openssh-server iproute2 systemd adminer: npx vitest run test/node/host-sites test/node/host-isolation',
  );
}
if (!process.env.TEST_DATABASE_SERVER) {
  notes.push('Not run: the suite on MariaDB. Run it with TEST_DATABASE_SERVER=mariadb://root@127.0.0.1:3306 npm run test:mariadb');
}
notes.push('Not run: the browser tests. Run them with npm run test:browser (needs Chromium; CHROMIUM_PATH says where it is)');
console.log(`\n${notes.join('\n')}`);
