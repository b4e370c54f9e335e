import type { ThemeScript } from './theme-script.js';

/** A page with scripts of its theme. */
export interface ScriptedPage {
  readonly html: Buffer;
  /** Digests of these scripts, for the content security policy; see {@link ThemeScript.digest}. */
  readonly digests: readonly string[];
}

/** Fields for passwords, codes and cards, however a theme or a plugin wrote them. */
const SECRET_FIELD = /\btype\s*=\s*["']?\s*password|\bautocomplete\s*=\s*["']?[^"'>]*(?:-password|one-time-code|cc-)/i;

/** Whether a page asks for something secret, whatever its record says. */
export function asksForSecret(html: Buffer): boolean {
  return SECRET_FIELD.test(html.toString('latin1'));
}

/**
 * Puts scripts before the end of the body. They stand in the page and have no address of their own: so they run where the policy of the
 * page names their digests, and no page can load them, nor a worker be made of them.
 */
export function withScripts(html: Buffer, scripts: readonly ThemeScript[]): ScriptedPage {
  if (scripts.length === 0) return { html, digests: [] };
  const end = html.lastIndexOf('</body>');
  const at = end < 0 ? html.length : end;
  const elements = Buffer.from(scripts.map(({ text }) => `<script>${text}</script>`).join(''));
  return { html: Buffer.concat([html.subarray(0, at), elements, html.subarray(at)]), digests: scripts.map(({ digest }) => digest) };
}
