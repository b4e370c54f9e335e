import type { HostingAccount } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Whether visitors are shown a site: it is neither paused nor stopped. */
const isRunning = ({ state, siteStopped }: HostingAccount): boolean => state !== 'paused' && !siteStopped;

/** Tells whether an ACME challenge of a site could not be seen now: it does not run, and its server serves nothing of such a site. */
export const isProofHidden = (site: OpenSite): boolean =>
  site.has('certificates') && site.port('certificates').needsRunning === true && !isRunning(site.account);
