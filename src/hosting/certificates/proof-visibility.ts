import type { HostingAccount } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Whether visitors can see a site: it is neither paused nor stopped. */
const isRunning = ({ state, siteStopped }: HostingAccount): boolean => state !== 'paused' && !siteStopped;

/**
 * Returns whether an ACME challenge of a site could not be served now: it is not running, and its server serves nothing for such a site.
 */
export const isProofHidden = (site: OpenSite): boolean =>
  site.has('certificates') && site.port('certificates').needsRunning === true && !isRunning(site.account);
