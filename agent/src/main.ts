#!/usr/bin/env node
import { outliveClosedOutput } from './closed-output.js';
import { main } from './command-line.js';
import { siteWork } from './host/work/site-work.js';
import { SITE_WORK } from './host/work/work-order.js';
import { oneLine } from './text.js';

process.on('unhandledRejection', (error) => {
  process.stderr.write(
    `${new Date().toISOString()} ERROR ${oneLine(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  );
  process.exit(1);
});
// Interactive commands may be piped into `head`; the running agent must not ignore errors of its log output.
if (/^--(?:install|check|help|version)$/m.test(process.argv.slice(2).join('\n'))) outliveClosedOutput();
process.exitCode = process.argv[2] === SITE_WORK ? await siteWork() : await main(process.argv.slice(2));
