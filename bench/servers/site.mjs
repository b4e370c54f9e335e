/** A hosted site of the panel, its traffic metered and limited: the file FILE of SIZE bytes at the name SITE. */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig } from '#dist/src/config/index.js';
import { Database } from '#dist/src/database/index.js';
import { HostingAccount, HostingService, SitesServer } from '#dist/src/hosting/index.js';

import { ready } from './report.mjs';

const { FILE, SIZE, SITE } = process.env;
const { app } = await startPanel(new AppConfig());
const { id } = await app
  .get(HostingService)
  .provision({ node: 'local', user: SITE.split('.')[0], password: 'secret-pass-1', expiresOn: '2099-12-31', trafficGb: 100_000 }, 'admin');
const { siteName } = await app.get(Database).repository(HostingAccount).findOneByOrFail({ id });
writeFileSync(join(process.env.DATA_DIR, 'sites', siteName, 'public', FILE), 'x'.repeat(Number(SIZE)));
ready({ port: app.get(SitesServer, { strict: false }).port });
