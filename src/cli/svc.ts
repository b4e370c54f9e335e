#!/usr/bin/env node
import '../config/timezone.js';
import 'reflect-metadata';

import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';

import { outliveClosedOutput } from '../common/closed-output.js';
import { keepCompiled } from '../common/compile-cache.js';

import type { Terminal } from './commands/command.js';

// Set before any logger is created: commands print their own messages.
process.env.LOG_LEVEL ??= 'fatal';
keepCompiled();
const { runCommand } = await import('./commands/run-command.js');

const terminal: Terminal = {
  env: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  readInput: () => text(process.stdin),
  confirm: async (question) => {
    if (!process.stdin.isTTY) return false;
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  },
};
outliveClosedOutput();
process.exitCode = await runCommand(process.argv.slice(2), terminal);
