/** Bytes a QR code holds at its lowest level of correction. */
const MAX_QR_BYTES = 2_953;

/** Next step of the buyer's browser, normalized from whatever a gateway's `build` returned. */
export type PayStep =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'qrcode'; readonly text: string };

/**
 * Reads what a gateway's `build` answered.
 *
 * @returns null for `false` and for anything the contract does not know
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

/** An http(s) address or a path of this panel; in a form a `Location` header can carry. */
function redirectTo(url: string): PayStep | null {
  // Looked for before the URL parser, which drops control characters and takes "/\\" for "//".

  if (/[\u0000-\u0020\u007f]/.test(url)) return null;
  const ownPath = /^\/(?![/\\])/.test(url);
  if (!ownPath && !/^https?:\/\//i.test(url)) return null;
  if (!URL.canParse(url, 'http://panel.invalid')) return null;
  const parsed = new URL(url, 'http://panel.invalid');
  // A signed address stays as the gateway wrote it, unless a header could not carry it.
  if (/^[\x21-\x7e]+$/.test(url)) return { kind: 'redirect', url };
  return { kind: 'redirect', url: ownPath ? parsed.pathname + parsed.search + parsed.hash : parsed.href };
}
