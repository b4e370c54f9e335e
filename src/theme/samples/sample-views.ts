import type { SampleView } from './frame.js';
import { HOSTING_VIEWS } from './hosting.js';
import { MONEY_VIEWS } from './money.js';
import { MONITORS_VIEWS } from './monitors.js';
import { NAMES_VIEWS } from './names.js';
import { NOTICES_VIEWS } from './notices.js';
import { PEOPLE_VIEWS } from './people.js';
import { PLUGINS_VIEWS } from './plugins.js';
import { SERVERS_VIEWS } from './servers.js';
import { SETTINGS_VIEWS } from './settings.js';
import { STARTS_VIEWS } from './starts.js';

/** Every view of the default theme, some in several states; rendered by the theme's specs. */
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
