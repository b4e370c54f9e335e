import 'reflect-metadata';

import { webcrypto } from 'node:crypto';

import * as x509 from '@peculiar/x509';

const DAY_MS = 86_400_000;
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2_048 };

x509.cryptoProvider.set(webcrypto as never);

/** Properties of a certificate to create. */
export interface Wanted {
  names: string[];
  from?: Date;
  to?: Date;
  kind?: 'ec' | 'rsa' | 'rsa1024';
}

/** Private key and certificate in PEM. */
export interface Pair {
  key: string;
  pem: string;
}

type Keys = Awaited<ReturnType<typeof webcrypto.subtle.generateKey>> & { privateKey: unknown; publicKey: unknown };

const keysOf = async (kind: Wanted['kind'] = 'ec'): Promise<Keys> =>
  (await webcrypto.subtle.generateKey(kind === 'ec' ? EC : { ...RSA, modulusLength: kind === 'rsa1024' ? 1_024 : 2_048 }, true, [
    'sign',
    'verify',
  ])) as never;

const pemOfKey = async (keys: Keys): Promise<string> => {
  const body = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey as never)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${body.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`;
};

let serial = 1;
const nextSerial = (): string => (serial += 1).toString(16).padStart(4, '0');

/** Certificate authority for tests: a root and an intermediate that signs. */
export class TestAuthority {
  private constructor(
    /** PEM. */
    readonly root: string,
    /** PEM. */
    readonly between: string,
    private readonly name: string,
    private readonly keys: Keys,
  ) {}

  static async make(): Promise<TestAuthority> {
    const [rootKeys, keys] = [await keysOf(), await keysOf()];
    const times = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 3_650 * DAY_MS), signingAlgorithm: EC };
    const extensions = [new x509.BasicConstraintsExtension(true, undefined, true)];
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      ...times,
      serialNumber: nextSerial(),
      name: 'O=Test Trust, CN=Test Root',
      keys: rootKeys as never,
      extensions,
    });
    const between = await x509.X509CertificateGenerator.create({
      ...times,
      serialNumber: nextSerial(),
      subject: 'O=Test Trust, CN=Test E1',
      issuer: root.subject,
      publicKey: keys.publicKey as never,
      signingKey: rootKeys.privateKey as never,
      extensions,
    });
    return new TestAuthority(root.toString('pem'), between.toString('pem'), between.subject, keys);
  }

  /** Creates a key and its certificate, without the chain. */
  async pair(wanted: Wanted): Promise<Pair> {
    const keys = await keysOf(wanted.kind);
    return { key: await pemOfKey(keys), pem: await this.sign(wanted, keys.publicKey as never) };
  }

  /**
   * Signs a certificate for the key of a certificate request.
   *
   * @param request DER
   */
  async signRequest(request: Buffer, times: Pick<Wanted, 'from' | 'to'> = {}): Promise<string> {
    const parsed = new x509.Pkcs10CertificateRequest(request as never);
    const extension = parsed.getExtension('2.5.29.17') as x509.SubjectAlternativeNameExtension;
    const names = extension.names.toJSON().map(({ value }) => value);
    return this.sign({ names, ...times }, await parsed.publicKey.export());
  }

  private async sign({ names, from, to }: Wanted, publicKey: never | x509.PublicKeyType): Promise<string> {
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: nextSerial(),
      subject: `CN=${names[0] ?? 'nobody'}`,
      issuer: this.name,
      notBefore: from ?? new Date(Date.now() - DAY_MS),
      notAfter: to ?? new Date(Date.now() + 90 * DAY_MS),
      signingAlgorithm: EC,
      publicKey: publicKey as never,
      signingKey: this.keys.privateKey as never,
      extensions:
        names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))] : [],
    });
    return certificate.toString('pem');
  }
}
