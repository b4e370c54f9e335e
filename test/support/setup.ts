/// <reference types="vite/types/importMeta.d.ts" />
import 'reflect-metadata';

import { afterAll, expect } from 'vitest';

import { PasswordHasher } from '../../src/auth/password-hasher.js';

import { runningPanels } from './running-panels.js';
import { overlookStalls } from './stalls.js';

// The index of a folder registers its texts; specs of units go past it.
import.meta.glob('../../src/**/texts.ts', { eager: true });

// Tests run in UTC like the server does, whatever zone the machine is in.
process.env.TZ = 'UTC';

// Hundreds of specs sign in: bcrypt at the cost of the product was a tenth of the suite's work. password-hasher.spec.ts has the real one.
PasswordHasher.cost = 4;

overlookStalls();

// Files share a process: a panel that one leaves behind would still be at work beside those of the next.
afterAll(() => {
  const left = runningPanels.size;
  runningPanels.clear();
  expect(left, 'panels this file has started and not ended').toBe(0);
});
