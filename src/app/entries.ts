import type { FactoryProvider } from '@nestjs/common';

import { AjaxEntry } from '../operations/index.js';
import { ExternalApiEntry, NodeApiEntry, RouteEntry } from '../pages/index.js';

import type { Entry } from './entry.js';
import { RequestTimes } from './metrics/request-times.js';

/** Token of what stands in front of the router of this process, as `readonly Entry[]`, in the order it is asked in. */
export const ENTRIES = Symbol('entries');

/** What every process has, whatever it runs. */
const OF_ALL = [RequestTimes];
/** The panel's: requests that are made most. */
const OF_PANEL = [AjaxEntry, NodeApiEntry, ExternalApiEntry, RouteEntry];

/** Provides {@link ENTRIES}. */
export const entries = (hasPanel: boolean): FactoryProvider<readonly Entry[]> => ({
  provide: ENTRIES,
  inject: hasPanel ? [...OF_ALL, ...OF_PANEL] : OF_ALL,
  useFactory: (...all: Entry[]) => all,
});
