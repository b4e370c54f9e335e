import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

import { DAY_MS } from '../../common/index.js';
import { refuse } from './certificate-errors.js';

/** Maximum number of certificates in a chain; usual are three or four. */
const MAX_CERTIFICATES = 10;
/** Maximum number of names stored per certificate. */
const MAX_NAMES = 200;
/** How far the issuer's clock may be ahead of ours, in milliseconds. */
const MAX_CLOCK_SKEW_MS = DAY_MS;
const RSA_BITS = 2_048;
/** Curves supported by browsers. */
const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]*?-----END \1-----/g;
const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?$/;

/** A validated certificate with its key, as it is stored. */
export interface ReadCertificate {
  /** In lower case. */
  readonly names: readonly string[];
  /** PEM: the certificate first, each followed by its issuer, without the root, which browsers have. */
  readonly chain: string;
  /** PEM (PKCS #8). */
  readonly key: string;
  readonly issuer: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  /** The issuer of the last certificate is missing from the chain and is not a root. */
  readonly isIncomplete: boolean;
}

/**
 * Parses a key and its certificates: in any order, with other text between the blocks, and with any line endings.
 *
 * @param now rejects expired certificates and those valid only after more than a day; null skips both checks
 * @throws CertificateError KEY_MISSING, KEY_ENCRYPTED, KEY_BAD, KEY_KIND, KEY_WEAK, PEM_MISSING, PEM_BAD, PEM_MANY, MISMATCH, EXPIRED,
 *   NOT_YET
 */
export function readCertificate(keyText: string, pemText: string, now: Date | null): ReadCertificate {
  const key = readKey(keyText);
  const all = readChain(pemText);
  const own = all.find((certificate) => certificate.checkPrivateKey(key)) ?? refuse('MISMATCH');
  const beginsAt = new Date(own.validFrom);
  const endsAt = new Date(own.validTo);
  if (now && endsAt <= now) refuse('EXPIRED', { day: endsAt.toISOString().slice(0, 10) });
  if (now && beginsAt.getTime() > now.getTime() + MAX_CLOCK_SKEW_MS) refuse('NOT_YET', { day: beginsAt.toISOString().slice(0, 10) });
  const path = pathOf(own, all);
  return {
    names: namesOf(own),
    chain: path.map((certificate) => certificate.toString().trim()).join('\n') + '\n',
    key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    issuer: issuerOf(own),
    beginsAt,
    endsAt,
    isIncomplete: path.length === 1 && !isSelfSigned(own) && !all.some((other) => signed(other, own)),
  };
}

/** Names of a certificate. */
function namesOf(certificate: X509Certificate): string[] {
  // Node quotes entries with special characters; none of them can be a name of a site.
  const entries = (certificate.subjectAltName ?? '').split(', ').filter((entry) => entry.startsWith('DNS:'));
  const names = entries.map((entry) => entry.slice(4).toLowerCase()).filter((name) => NAME.test(name));
  return [...new Set(names)].slice(0, MAX_NAMES);
}

/** A short name of the issuer. */
function issuerOf({ issuer }: X509Certificate): string {
  const part = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(issuer)?.[1];
  const words = [part('O'), part('CN')].filter((word): word is string => word !== undefined && word !== '');
  return [...new Set(words)].join(' · ').slice(0, 255);
}

function readKey(text: string): KeyObject {
  const blocks = [...text.matchAll(BLOCK)].filter(([, kind]) => kind!.endsWith('PRIVATE KEY'));
  const [block, kind] = blocks[0] ?? refuse('KEY_MISSING');
  if (kind === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(block)) refuse('KEY_ENCRYPTED');
  const key = parsed(() => createPrivateKey(block)) ?? refuse('KEY_BAD');
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') return (modulusLength ?? 0) < RSA_BITS ? refuse('KEY_WEAK', { n: RSA_BITS }) : key;
  return key.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve ?? '') ? key : refuse('KEY_KIND');
}

function readChain(text: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)].filter(([, kind]) => kind === 'CERTIFICATE').map(([block]) => block);
  if (blocks.length === 0) refuse('PEM_MISSING');
  if (blocks.length > MAX_CERTIFICATES) refuse('PEM_MANY', { n: MAX_CERTIFICATES });
  return blocks.map((block) => parsed(() => new X509Certificate(block)) ?? refuse('PEM_BAD'));
}

/** The path from the certificate to the last one before the root. */
function pathOf(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const path = [own];
  for (;;) {
    const last = path.at(-1)!;
    const next = isSelfSigned(last) ? undefined : all.find((other) => !path.includes(other) && signed(other, last));
    if (!next || isSelfSigned(next)) return path;
    path.push(next);
  }
}

const isSelfSigned = (certificate: X509Certificate): boolean => signed(certificate, certificate);
const signed = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && parsed(() => certificate.verify(issuer.publicKey)) === true;

function parsed<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
