import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * A name under which this process claims rows, such as `web1:4711:9f3a01bc`: server, process id, and a random part that is another one at
 * each call and tells it from an earlier process with the same id. At most 44 characters.
 */
export const processName = (): string => `${hostname().slice(0, 24)}:${process.pid}:${randomBytes(4).toString('hex')}`;
