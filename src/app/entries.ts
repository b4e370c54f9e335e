import type { FactoryProvider } from '@nestjs/common';

import { AjaxEntry } from '../operations/index.js';
import { ExternalApiEntry, NodeApiEntry, RouteEntry } from '../pages/index.js';

import type { Entry } from './entry.js';
import { RequestTimes } from './metrics/request-times.js';

/** Token of the entries in front of this process's router, as `readonly Entry[]`, in the order they are tried. */
export const ENTRIES = Symbol('entries');

/** Entries of every process. */
const OF_ALL = [RequestTimes];
/** Entries of the panel: its most frequent requests. */
const OF_PANEL = [AjaxEntry, NodeApiEntry, ExternalApiEntry, RouteEntry];

/** Provides {@link ENTRIES}. */
export const entries = (hasPanel: boolean): FactoryProvider<readonly Entry[]> => ({
  provide: ENTRIES,
  inject: hasPanel ? [...OF_ALL, ...OF_PANEL] : OF_ALL,
  useFactory: (...all: Entry[]) => all,
});
