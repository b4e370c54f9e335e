import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Returns a name under which this process claims rows, such as `web1:4711:9f3a01bc`: host, process id, and a random part, new on each call,
 * that distinguishes it from an earlier process with the same id. At most 44 characters.
 */
export const processName = (): string => `${hostname().slice(0, 24)}:${process.pid}:${randomBytes(4).toString('hex')}`;
