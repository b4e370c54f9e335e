import type { PublishedVersion } from './newest-versions.js';

/** Title and addresses of a feed. */
export interface FeedFacts {
  readonly title: string;
  /** URL of the corresponding page. */
  readonly page: string;
  /** URL of this feed. */
  readonly self: string;
  /** Origin of this store, without a trailing slash. */
  readonly origin: string;
}

/** Formats a feed as JSON Feed 1.1. Source: jsonfeed.org. */
export function jsonFeed({ title, page, self, origin }: FeedFacts, versions: readonly PublishedVersion[]): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    items: versions.map((one) => ({
      id: idOf(one, origin),
      url: addressOf(one, origin),
      title: `${one.name} ${one.version}`,
      content_text: one.changelog,
      date_published: one.at.toISOString(),
      authors: [{ name: one.author }],
      tags: [one.type],
    })),
  });
}

/** Formats a feed as Atom. Source: RFC 4287. */
export function atomFeed({ title, page, self, origin }: FeedFacts, versions: readonly PublishedVersion[]): string {
  const entries = versions.map(
    (one) =>
      `<entry><id>${xml(idOf(one, origin))}</id><title>${xml(`${one.name} ${one.version}`)}</title>` +
      `<link href="${xml(addressOf(one, origin))}"/><updated>${one.at.toISOString()}</updated>` +
      `<author><name>${xml(one.author)}</name></author><category term="${one.type}"/>` +
      `<content type="text">${xml(one.changelog)}</content></entry>`,
  );
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${xml(self)}</id><title>${xml(title)}</title>` +
    `<link href="${xml(page)}"/><link rel="self" href="${xml(self)}"/>` +
    `<updated>${(versions[0]?.at ?? new Date(0)).toISOString()}</updated>${entries.join('')}</feed>\n`
  );
}

const addressOf = ({ type, slug }: PublishedVersion, origin: string): string => `${origin}/store/${type}/${slug}`;
const idOf = (one: PublishedVersion, origin: string): string => `${addressOf(one, origin)}#${encodeURIComponent(one.version)}`;

/** Escapes text for XML or SVG; characters that XML cannot represent are removed. */
export function xml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
