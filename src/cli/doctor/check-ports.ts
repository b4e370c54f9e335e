import { createServer } from 'node:net';

import type { AppConfig } from '../../config/index.js';

import { broken, fine, type Finding } from './finding.js';

const PATIENCE_MS = 3_000;

/** Whether the panel answers at its port, or could. */
export async function checkPorts(config: AppConfig): Promise<Finding[]> {
  const answers = config.port !== 0 && (await isPanel(config));
  if (answers) return [fine('ports', `the panel answers on port ${config.port}`)];
  const wanted = [['PORT', config.port] as const, ...(config.runs('panel') ? [['SITES_PORT', config.sitesPort] as const] : [])];
  return Promise.all(wanted.map(([name, port]) => free(name, port, config.host)));
}

async function isPanel({ host, port }: AppConfig): Promise<boolean> {
  const everywhere = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${everywhere}:${port}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    return response.ok && ((await response.json()) as { status?: string }).status === 'ok';
  } catch {
    return false;
  }
}

function free(name: string, port: number, host: string): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice: Readonly<Record<string, string>> = {
        EADDRINUSE: `End that program, or set ${name} to a free port.`,
        EACCES: `This account may not open it: set ${name} to a port above 1023.`,
        EADDRNOTAVAIL: 'HOST is no address of this machine: set it to one of its addresses.',
      };
      const text =
        error.code === 'EADDRINUSE' ? `${name} ${port} is in use by another program` : `${name} ${port} cannot be opened (${error.code})`;
      resolve(broken('ports', text, advice[error.code ?? ''] ?? `Set ${name} to another port.`));
    });
    server.listen(port, host, () =>
      server.close(() => resolve(fine('ports', port === 0 ? `${name}: any free port` : `${name} ${port} is free`))),
    );
  });
}
