import type { SampleView } from './samples/frame.js';
import { HOSTING_VIEWS } from './samples/hosting.js';
import { MONEY_VIEWS } from './samples/money.js';
import { MONITORS_VIEWS } from './samples/monitors.js';
import { NAMES_VIEWS } from './samples/names.js';
import { NOTICES_VIEWS } from './samples/notices.js';
import { PEOPLE_VIEWS } from './samples/people.js';
import { PLUGINS_VIEWS } from './samples/plugins.js';
import { SERVERS_VIEWS } from './samples/servers.js';
import { SETTINGS_VIEWS } from './samples/settings.js';
import { STARTS_VIEWS } from './samples/starts.js';

/** Every view of the default theme, some in several states; the theme's specs render each. */
export const SAMPLE_VIEWS: SampleView[] = [
  ...STARTS_VIEWS,
  ...HOSTING_VIEWS,
  ...SERVERS_VIEWS,
  ...NAMES_VIEWS,
  ...MONEY_VIEWS,
  ...MONITORS_VIEWS,
  ...NOTICES_VIEWS,
  ...PEOPLE_VIEWS,
  ...PLUGINS_VIEWS,
  ...SETTINGS_VIEWS,
];
