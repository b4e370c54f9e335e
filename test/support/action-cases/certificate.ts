import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a self-signed certificate for a name, as the arguments of `certificate.apply`. */
export function certificate(name: string): object {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  try {
    const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')];
    const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
    execFileSync('openssl', ['req', '-x509', ...how, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', chain], {
      stdio: 'ignore',
    });
    return { names: [name], chain: readFileSync(chain, 'utf8'), key: readFileSync(key, 'utf8'), forceHttps: false };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
