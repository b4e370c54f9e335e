import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe runs, as code of the page: light, what it runs by itself but for rules whose findings are less than serious, which take half of
 * its time and nobody asks for; dark, the rules that look at colours.
 */
const OPTIONS = {
  light: `rules: Object.fromEntries(axe._audit.rules
    .filter(({ impact }) => impact !== 'serious' && impact !== 'critical')
    .map(({ id }) => [id, { enabled: false }]))`,
  dark: "runOnly: ['color-contrast', 'link-in-text-block']",
};

/**
 * What axe calls serious or worse about a page, in words: light with every rule, dark with those that look at colours. Ends dark.
 *
 * @param within selector of the part that is looked at; all of the page where nothing fits it
 */
export async function seriousFindings(page: Page, within = 'html'): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(AXE);
  for (const [theme, options] of Object.entries(OPTIONS)) {
    // Pages of plugins go by what the browser prefers. With less motion, nobody waits for colours that change slowly.
    await page.emulateMedia({ colorScheme: theme as keyof typeof OPTIONS, reducedMotion: 'reduce' });
    await page.evaluate(`document.documentElement.setAttribute('data-bs-theme', '${theme}')`);
    // Colours change by a transition; what is measured half-way is neither.
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
