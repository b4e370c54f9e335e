/**
 * Prettier's plugin for templates: Shopify's plugin, which knows Liquid and significant white space, adapted to our tags. Its `partial` tag
 * has an end tag and ours has none; the arguments of our long tags are broken into lines.
 */
import { builtinTags, toLiquidHtmlAST } from '@shopify/liquid-html-parser';
import { Environment } from '@shopify/liquid-html-parser/dist/environment.js';
import shopify from '@shopify/prettier-plugin-liquid';

/** Length from which each argument of a tag gets its own line, in characters. */
const LONG_TAG = 100;
/** Matches one of our own tags with arguments; quoted strings may contain anything. */
const OUR_TAG = /(\{%-? *(?:partial|field) )((?:'[^']*'|"[^"]*"|[^'"%]|%(?!\}))+?)\s*(-?%\})/g;
const ARGUMENT = /(?:'[^']*'|"[^"]*"|[^,'"])+/g;

const { partial: _withEnd, ...tags } = builtinTags;
const environment = new Environment(tags);
const [[name, parser]] = Object.entries(shopify.parsers);

/** Puts each argument on its own line: the plugin keeps the line breaks of unknown tags. */
function inLines(tag, start, args, end) {
  if (tag.length <= LONG_TAG || tag.includes('\n')) return tag;
  return `${start}${args
    .match(ARGUMENT)
    .map((arg) => arg.trim())
    .join(',\n')} ${end}`;
}

export const { languages, options, defaultOptions, printers } = shopify;
export const parsers = {
  [name]: {
    ...parser,
    preprocess: (text) => text.replace(OUR_TAG, inLines),
    // Fails on unclosed tags; the plugin's own, tolerant parser would leave the rest of the file unformatted.
    parse: (text) => toLiquidHtmlAST(text, { environment, mode: 'tolerant', allowUnclosedDocumentNode: true }),
  },
};
