import type { ThemeScript } from './theme-script.js';

/** A page with its theme's scripts. */
export interface ScriptedPage {
  readonly html: Buffer;
  /** Digests of these scripts for the content security policy; see {@link ThemeScript.digest}. */
  readonly digests: readonly string[];
}

/** Detects fields for passwords, codes and cards in any markup. */
const SECRET_FIELD = /\btype\s*=\s*["']?\s*password|\bautocomplete\s*=\s*["']?[^"'>]*(?:-password|one-time-code|cc-)/i;

/** Returns whether a page asks for secrets, regardless of its record. */
export function asksForSecret(html: Buffer): boolean {
  return SECRET_FIELD.test(html.toString('latin1'));
}

/**
 * Inserts scripts before the end of the body. They are inline and have no URL: they only run where the page's content security policy
 * lists their digests, and no page can load them or make a worker of them.
 */
export function withScripts(html: Buffer, scripts: readonly ThemeScript[]): ScriptedPage {
  if (scripts.length === 0) return { html, digests: [] };
  const end = html.lastIndexOf('</body>');
  const at = end < 0 ? html.length : end;
  const elements = Buffer.from(scripts.map(({ text }) => `<script>${text}</script>`).join(''));
  return { html: Buffer.concat([html.subarray(0, at), elements, html.subarray(at)]), digests: scripts.map(({ digest }) => digest) };
}
