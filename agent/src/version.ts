import { SITES_CAPABILITY } from '../../src/agents/wire/actions.js';

/** Version of this program, sent with every heartbeat; equal to the version of the panel's `package.json`. */
export const AGENT_VERSION = '1.84.0';

/** Capabilities of this program; a config can disable some but not add others. */
export const CAPABILITIES = ['heartbeat', 'task', 'report', 'forbidden_scan'];

/** Additional capability if the config enables `quarantine`. */
export const QUARANTINE_CAPABILITY = 'quarantine';

/** Capabilities in the panel's config that only other agents have; ignored without a warning. */
export const OTHER_CAPABILITIES = ['site_stats', QUARANTINE_CAPABILITY, SITES_CAPABILITY];
