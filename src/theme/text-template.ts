import { Liquid } from 'liquidjs';

/** Variables of a template. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Output format: plain text, or Markdown in which values are escaped. */
export type TextFormat = 'text' | 'markdown';

/** Tags that include files or change outer state. */
const CLOSED_TAGS = ['include', 'render', 'layout', 'block', 'increment', 'decrement'];

/** Escapes all punctuation, so that Markdown and HTML treat a value as plain text. */
const asLetters = (value: unknown): string => String(value ?? '').replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const engines: Readonly<Record<TextFormat, Liquid>> = { text: engineOf(), markdown: engineOf(asLetters) };

function engineOf(outputEscape?: (value: unknown) => string): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    lenientIf: true,
    parseLimit: 20_000,
    renderLimit: 50,
    memoryLimit: 100_000,
    ...(outputEscape ? { outputEscape } : {}),
  });
  liquid.unregisterFilter('raw');
  for (const tag of CLOSED_TAGS) delete liquid.tags[tag];
  return liquid;
}

/**
 * Renders a short text of an administrator, in Liquid without files, functions and raw output, limited to 50 milliseconds and 100 kB.
 *
 * @param isStrict whether an undefined variable is an error; otherwise it is empty
 * @throws Error if it does not parse, or exceeds a limit
 */
export function renderText(source: string, values: TextValues, format: TextFormat = 'text', isStrict = false): string {
  return String(engines[format].parseAndRenderSync(source, { ...values }, { strictVariables: isStrict }));
}
