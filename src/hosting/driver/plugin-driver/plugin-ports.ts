import type {
  HostDriverBin,
  HostDriverCertificates,
  HostDriverDomains,
  HostDriverSettings,
  HostDriverTraffic,
} from '../../../sdk/index.js';
import type { BinPort, CertificatesPort, DomainsPort, DriverCertificate, WebSettingsPort, TrafficPort } from '../ports/index.js';

import { count, flag, nothing } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { askOf } from './port-calls.js';
import { accountOf } from './copies.js';

/** Domains of a plugin's kind of server. */
export function domainsPort(calls: DriverCalls, { apply, matches }: HostDriverDomains): DomainsPort {
  const ask = askOf(calls, 'domains');
  return {
    apply: (account, domains, deadline) =>
      ask('apply', account, deadline, (own, signal) => apply(own, structuredClone(domains), signal), nothing),
    ...(matches && {
      matches: (account, domains, deadline) =>
        ask('matches', account, deadline, (own, signal) => matches(own, structuredClone(domains), signal), flag),
    }),
  };
}

/** Web settings of a plugin's kind of server. */
export function settingsPort(calls: DriverCalls, { apply, matches }: HostDriverSettings): WebSettingsPort {
  const ask = askOf(calls, 'settings');
  return {
    apply: (account, settings, deadline) =>
      ask('apply', account, deadline, (own, signal) => apply(own, structuredClone(settings), signal), nothing),
    ...(matches && {
      matches: (account, settings, deadline) =>
        ask('matches', account, deadline, (own, signal) => matches(own, structuredClone(settings), signal), flag),
    }),
  };
}

/** Traffic of a plugin's kind of server. */
export function trafficPort(calls: DriverCalls, port: HostDriverTraffic): TrafficPort {
  const ask = askOf(calls, 'traffic');
  return {
    isCountedHere: false,
    ofMonth: (account, month, deadline) => ask('ofMonth', account, deadline, (own, signal) => port.ofMonth(own, month, signal), count),
  };
}

/** Deleted sites of a plugin's kind of server. */
export function binPort(calls: DriverCalls, port: HostDriverBin): BinPort {
  const ask = askOf(calls, 'bin');
  return {
    has: (kept, deadline) => ask('has', kept, deadline, (own, signal) => port.has(own, signal), flag),
    restore: (kept, account, deadline) =>
      ask('restore', kept, deadline, (own, signal) => port.restore(own, accountOf(account), signal), nothing),
    purge: (kept, deadline) => ask('purge', kept, deadline, (own, signal) => port.purge(own, signal), nothing),
  };
}

/** Certificates of a plugin's kind of server; private keys are removed from its messages. */
export function certificatesPort(calls: DriverCalls, { apply, matches, prove }: HostDriverCertificates): CertificatesPort {
  const ask = askOf(calls, 'certificates');
  return {
    apply: (account, certificate, deadline) =>
      ask('apply', account, deadline, (own, signal) => apply(own, structuredClone(certificate), signal), nothing, linesOfKey(certificate)),
    prove: (account, proofs, deadline) =>
      ask('prove', account, deadline, (own, signal) => prove(own, structuredClone(proofs), signal), nothing),
    ...(matches && {
      matches: (account, certificate, deadline) =>
        ask(
          'matches',
          account,
          deadline,
          (own, signal) => matches(own, structuredClone(certificate), signal),
          flag,
          linesOfKey(certificate),
        ),
    }),
  };
}

/** The lines of a key, which occur however a driver prints it. */
const linesOfKey = (certificate: DriverCertificate | null): string[] =>
  certificate ? certificate.key.split(/\s+/).filter((line) => line.length > 15 && !line.includes('-----')) : [];
