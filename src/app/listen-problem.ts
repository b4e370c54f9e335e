import { ConfigurationError, type AppConfig } from '../config/index.js';

/** Explains errors of `listen` to the operator; arguments: variable, port, host. */
const REASONS: Readonly<Record<string, (name: string, port: number, host: string) => string>> = {
  EADDRINUSE: (name, port, host) =>
    `${name}: port ${port} of ${host} is in use by another program. Stop that program, or set ${name} to a free port`,
  EACCES: (name, port, host) => `${name}: this user may not open port ${port} of ${host}. Set ${name} to a port above 1023`,
  EADDRNOTAVAIL: (_name, _port, host) =>
    `HOST: ${host} is not an address of this machine. Set HOST to one of its ` + 'addresses, or to 127.0.0.1',
};

/** Returns the error to report: if a port could not be opened, one that names the variable and the remedy. */
export function listenProblem(error: unknown, config: AppConfig): unknown {
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const reason = syscall === 'listen' ? REASONS[code ?? ''] : undefined;
  if (!reason) return error;
  const name = port === config.port ? 'PORT' : 'SITES_PORT';
  return new ConfigurationError([reason(name, port ?? 0, address ?? config.host)]);
}
