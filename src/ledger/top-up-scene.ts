/** Scene of the orders that top up credit. */
export const TOP_UP_SCENE = 'yecz';

/** What an order of {@link TOP_UP_SCENE} keeps in its context. */
export interface TopUpContext {
  readonly top_up: { readonly fen: number };
}

/** Fen an order tops up by; null for one that tops nothing up, such as one a plugin made under the same scene. */
export function topUpOf(context: unknown): number | null {
  const { fen } = ((context as Partial<TopUpContext> | null)?.top_up ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(fen) && (fen as number) > 0 ? (fen as number) : null;
}
