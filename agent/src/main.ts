#!/usr/bin/env node
import { main } from './command-line.js';
import { oneLine } from './text.js';

process.on('unhandledRejection', (error) => {
  process.stderr.write(
    `${new Date().toISOString()} ERROR ${oneLine(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  );
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2));
