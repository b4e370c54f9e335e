import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules, as code of the page. Those whose findings are less than serious take half of axe's time, and nobody asks for them. */
const RULES = {
  light: "axe._audit.rules.filter(({ enabled, tags, impact }) => enabled && !tags.includes('experimental') && (impact === 'serious' || impact === 'critical')).map(({ id }) => id)",
  dark: "['color-contrast', 'link-in-text-block']",
};

/** What axe calls serious or worse about a page, in words: light with every rule, dark with those that look at colours. Ends dark. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(AXE);
  for (const [theme, rules] of Object.entries(RULES)) {
    await page.evaluate(`document.documentElement.setAttribute('data-bs-theme', '${theme}')`);
    // Colours change by a transition; what is measured half-way is neither.
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
    found.push(...(await findings(page, rules)).map((finding) => `${theme} ${finding}`));
  }
  return found;
}

function findings(page: Page, rules: string): Promise<string[]> {
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'], runOnly: ${rules} }).then(({ violations }) => violations
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? '').slice(0, 160))))`);
}
