import { createHash, X509Certificate } from 'node:crypto';

const ONE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Parses the certificates in a text, in order; null for none. */
function certificatesOf(text: string): X509Certificate[] | null {
  try {
    const found = (text.match(ONE) ?? []).map((one) => new X509Certificate(one));
    return found.length > 0 ? found : null;
  } catch {
    return null;
  }
}

/** Whether a text contains at least one certificate. */
export function isCertificate(text: string): boolean {
  return certificatesOf(text) !== null;
}

/** Returns Alipay's serial number of a certificate: MD5 over issuer and serial number. Source: https://opendocs.alipay.com/common/057k53 */
export function serialOf(text: string): string {
  return serialNumberOf(certificatesOf(text)![0]!);
}

/** Returns the serial numbers of the RSA certificates among Alipay's roots. */
export function rootSerialOf(text: string): string {
  return certificatesOf(text)!.filter(isRsa).map(serialNumberOf).join('_');
}

function serialNumberOf({ issuer, serialNumber }: X509Certificate): string {
  const parts = issuer.split('\n').map((part) => part.replace(/\\(.)/g, '$1'));
  return createHash('md5')
    .update(`${parts.reverse().join(',')}${BigInt(`0x${serialNumber}`)}`)
    .digest('hex');
}

/** Some roots use key types that this Node does not support. */
function isRsa(certificate: X509Certificate): boolean {
  try {
    return certificate.publicKey.asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
