/**
 * How Prettier writes templates: Shopify's plugin, which knows Liquid and where white space shows, told of what differs here. Their tag
 * `partial` has an end and ours has none, and what our tags take is broken into lines where it is long.
 */
import { builtinTags, toLiquidHtmlAST } from '@shopify/liquid-html-parser';
import { Environment } from '@shopify/liquid-html-parser/dist/environment.js';
import shopify from '@shopify/prettier-plugin-liquid';

/** Characters of a tag from which on each of its arguments has a line. */
const LONG_TAG = 100;
/** A tag of our own with arguments; quoted texts may hold anything. */
const OUR_TAG = /(\{%-? *(?:partial|field) )((?:'[^']*'|"[^"]*"|[^'"%]|%(?!\}))+?)\s*(-?%\})/g;
const ARGUMENT = /(?:'[^']*'|"[^"]*"|[^,'"])+/g;

const { partial: _withEnd, ...tags } = builtinTags;
const environment = new Environment(tags);
const [[name, parser]] = Object.entries(shopify.parsers);

/** Each argument on a line of its own: of a tag it does not know, the plugin keeps the lines. */
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
    // Theirs goes on where a tag is never closed, and leaves what follows as it is.
    parse: (text) => toLiquidHtmlAST(text, { environment, mode: 'tolerant', allowUnclosedDocumentNode: true }),
  },
};
