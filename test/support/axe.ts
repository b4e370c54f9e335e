import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Options of axe, as code of the page. Light: its default rules except those with an impact below serious, which take half of the time and
 * are not checked; dark: the rules about colours.
 */
const OPTIONS = {
  light: `rules: Object.fromEntries(axe._audit.rules
    .filter(({ impact }) => impact !== 'serious' && impact !== 'critical')
    .map(({ id }) => [id, { enabled: false }]))`,
  dark: "runOnly: ['color-contrast', 'link-in-text-block']",
};

/**
 * Returns the serious and critical violations axe finds on a page: in the light theme with all rules, in the dark theme with those about
 * colours. Leaves the page dark.
 *
 * @param within selector of the part to check; the whole page if nothing matches
 */
export async function seriousFindings(page: Page, within = 'html'): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(AXE);
  for (const [theme, options] of Object.entries(OPTIONS)) {
    // Pages of plugins follow the preference of the browser. Reduced motion avoids waiting for slow transitions.
    await page.emulateMedia({ colorScheme: theme as keyof typeof OPTIONS, reducedMotion: 'reduce' });
    await page.evaluate(`document.documentElement.setAttribute('data-bs-theme', '${theme}')`);
    // Colours change with a transition; a measurement in the middle of one is wrong.
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
    found.push(...(await findings(page, within, options)).map((finding) => `${theme} ${finding}`));
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  return found;
}

function findings(page: Page, within: string, options: string): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`axe.run(document.querySelector('${within}') ?? document, { resultTypes: ['violations'], ${options} }).then(({ violations }) =>
    violations
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? '').slice(0,
      160))))`);
}
