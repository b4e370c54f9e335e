/** The store itself, empty; the data folder belongs to the bench. The cookie is a real session of its administrator. */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig } from '#dist/src/config/index.js';
import { StoreSessions } from '#dist/src/store/accounts/store-sessions.js';

import { ready } from './report.mjs';

const store = await startPanel(new AppConfig());
const token = (await store.app.get(StoreSessions, { strict: false }).open(1, { ip: '127.0.0.1', userAgent: 'bench' })).token;
ready({ port: Number(new URL(store.url).port), cookie: `connect.sid=${token}` });
