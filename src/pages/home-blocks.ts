import { DEFAULT_ORDER, trustedHtml, type TrustedHtml } from '../theme/index.js';

const BLOCK_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** A section of the home page, as passed to the template. */
export interface HomeBlock {
  /** `block-{id}`; empty for none. */
  readonly element: string;
  readonly title: string;
  readonly html: TrustedHtml;
}

/** Returns the blocks left by the listeners of `home.blocks`, sorted; invalid ones are dropped. */
export function toHomeBlocks(blocks: readonly unknown[]): HomeBlock[] {
  return blocks
    .filter((block): block is Record<string, unknown> & { html: string } => typeof (block as { html?: unknown } | null)?.html === 'string')
    .map((block, at) => ({
      block,
      at,
      order: typeof block.order === 'number' && Number.isFinite(block.order) ? block.order : DEFAULT_ORDER,
    }))
    .sort((a, b) => a.order - b.order || a.at - b.at)
    .map(({ block: { id, title, html } }) => ({
      element: typeof id === 'string' && BLOCK_ID.test(id) ? `block-${id}` : '',
      title: typeof title === 'string' ? title : '',
      html: trustedHtml(html),
    }));
}
