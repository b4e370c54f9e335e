/// <reference types="vite/types/importMeta.d.ts" />
import 'reflect-metadata';

import { afterAll, expect } from 'vitest';

import { PasswordHasher } from '../../src/auth/password-hasher.js';

import { runningPanels } from './running-panels.js';
import { overlookStalls } from './stalls.js';

// The index.ts of a folder registers its texts, but unit specs import their files directly.
import.meta.glob('../../src/**/texts.ts', { eager: true });

// Tests run in UTC like the server, regardless of the machine's time zone.
process.env.TZ = 'UTC';

// Hundreds of specs sign in: with the product's bcrypt cost, hashing took a tenth of the suite's time. password-hasher.spec.ts tests the
// real cost.
PasswordHasher.cost = 4;

overlookStalls();

// Spec files share a process: a panel that is not stopped would keep running during the next ones.
afterAll(() => {
  const left = runningPanels.size;
  runningPanels.clear();
  expect(left, 'panels this file has started and not ended').toBe(0);
});
