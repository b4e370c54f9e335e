import { hash } from 'node:crypto';

/** Returns the two fields that prove knowledge of the key. @param seconds Unix time */
export function signature(key: string, seconds: number): { request_time: string; request_token: string } {
  const time = String(seconds);
  return { request_time: time, request_token: hash('md5', time + hash('md5', key, 'hex'), 'hex') };
}
