import { createServer } from 'node:net';

import type { AppConfig } from '../../config/index.js';

import { broken, fine, type HealthFinding } from './finding.js';

const TIMEOUT_MS = 3_000;
/** Advice for a port that cannot be opened, by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'port_used_advice',
  EACCES: 'port_denied_advice',
  EADDRNOTAVAIL: 'port_address_advice',
};

/** Checks whether the panel responds at its ports, or whether they are free. */
export async function checkPorts(config: AppConfig): Promise<HealthFinding[]> {
  const answers = config.port !== 0 && (await isPanel(config));
  if (answers) return [fine('ports', 'port_answers', { port: String(config.port) })];
  const wanted = [['PORT', config.port] as const, ...(config.runs('panel') ? [['SITES_PORT', config.sitesPort] as const] : [])];
  return Promise.all(wanted.map(([name, port]) => free(name, port, config.host)));
}

async function isPanel({ host, port }: AppConfig): Promise<boolean> {
  const everywhere = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${everywhere}:${port}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    return response.ok && ((await response.json()) as { status?: string }).status === 'ok';
  } catch {
    return false;
  }
}

function free(name: string, port: number, host: string): Promise<HealthFinding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      const params = { name, port: String(port), code };
      resolve(broken('ports', code === 'EADDRINUSE' ? 'port_used' : 'port_closed', params, ADVICE[code] ?? 'port_advice', params));
    });
    server.listen(port, host, () =>
      server.close(() => resolve(fine('ports', port === 0 ? 'port_any' : 'port_free', { name, port: String(port) }))),
    );
  });
}
