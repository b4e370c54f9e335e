import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { ConfigurationError, Secrets } from '../config/index.js';

import { checkSecretKey } from './secret-check.js';
import { ensureSiteConfig } from './site-settings.js';

it('a process with another key than the database was encrypted with does not start, and says what to do', async () => {
  const { database, place, dispose } = await createTestDatabase();
  try {
    await ensureSiteConfig(database, place.config);
    const key = randomBytes(32);
    await checkSecretKey(database, new Secrets(key), place.config);
    await checkSecretKey(database, new Secrets(key), place.config);
    const other = checkSecretKey(database, new Secrets(randomBytes(32)), place.config);
    await expect(other).rejects.toThrow(ConfigurationError);
    await expect(other).rejects.toThrow(/secret\.key is not the key .* Restore the file from your backup/);
  } finally {
    await dispose();
  }
});
