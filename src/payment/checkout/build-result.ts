/** Maximum bytes of a QR code at its lowest error correction level. */
const MAX_QR_BYTES = 2_953;

/** Next step of the buyer's browser, normalized from the result of a gateway's `build`. */
export type PayStep =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'qrcode'; readonly text: string };

/**
 * Parses the result of a gateway's `build`.
 *
 * @returns null for `false` and for anything outside the contract
 * @example
 * ```ts
 * readBuildResult('https://pay.example/1'); // { kind: 'redirect', url: 'https://pay.example/1' }
 * readBuildResult({ qrcode: 'weixin://wxpay/bizpayurl?pr=1' }); // { kind: 'qrcode', text: 'weixin://…' }
 * ```
 */
export function readBuildResult(result: unknown): PayStep | null {
  if (typeof result === 'string') {
    const text = result.trim();
    return text.startsWith('<') ? { kind: 'html', html: result } : redirectTo(text);
  }
  if (typeof result !== 'object' || result === null) return null;
  const { redirect, html, qrcode } = result as Record<string, unknown>;
  if ([redirect, html, qrcode].filter((value) => value !== undefined).length !== 1) return null;
  if (typeof redirect === 'string') return redirectTo(redirect.trim());
  if (typeof html === 'string' && html.trim() !== '') return { kind: 'html', html };
  if (typeof qrcode === 'string' && qrcode !== '' && Buffer.byteLength(qrcode) <= MAX_QR_BYTES) return { kind: 'qrcode', text: qrcode };
  return null;
}

/** An http(s) URL or a path of this panel, in a form that a `Location` header can carry. */
function redirectTo(url: string): PayStep | null {
  // Checked before parsing, because the URL parser drops control characters and reads "/\\" as "//".

  if (/[\u0000-\u0020\u007f]/.test(url)) return null;
  const ownPath = /^\/(?![/\\])/.test(url);
  if (!ownPath && !/^https?:\/\//i.test(url)) return null;
  if (!URL.canParse(url, 'http://panel.invalid')) return null;
  const parsed = new URL(url, 'http://panel.invalid');
  // A signed URL must stay exactly as the gateway wrote it, unless a header could not carry it.
  if (/^[\x21-\x7e]+$/.test(url)) return { kind: 'redirect', url };
  return { kind: 'redirect', url: ownPath ? parsed.pathname + parsed.search + parsed.hash : parsed.href };
}
