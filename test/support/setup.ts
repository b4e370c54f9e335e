import 'reflect-metadata';

import { PasswordHasher } from '../../src/auth/password-hasher.js';

// Tests run in UTC like the server does, whatever zone the machine is in.
process.env.TZ = 'UTC';

// Hundreds of specs sign in: bcrypt at the cost of the product was a tenth of the suite's work. password-hasher.spec.ts has the real one.
PasswordHasher.cost = 4;
