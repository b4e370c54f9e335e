import { SITES_CAPABILITY } from '../../src/agents/wire/actions.js';

/** Version of this program, told to the panel with every heartbeat: that of `package.json`, with whose panel it comes. */
export const AGENT_VERSION = '1.84.0';

/** What this program can do; a config may switch off parts of it, not add to it. */
export const CAPABILITIES = ['heartbeat', 'task', 'report', 'forbidden_scan'];

/** What it can do besides where its config has `quarantine` on: it is named to the panel only then. */
export const QUARANTINE_CAPABILITY = 'quarantine';

/** What the panel's config names and other agents can do: left out without a word. */
export const OTHER_CAPABILITIES = ['site_stats', QUARANTINE_CAPABILITY, SITES_CAPABILITY];
