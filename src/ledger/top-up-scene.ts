/** Scene of top-up orders. */
export const TOP_UP_SCENE = 'yecz';

/** Context of an order of {@link TOP_UP_SCENE}. */
export interface TopUpContext {
  readonly top_up: { readonly fen: number };
}

/** Returns the amount of a top-up in fen; null if the order is none, such as a plugin's order in the same scene. */
export function topUpOf(context: unknown): number | null {
  const { fen } = ((context as Partial<TopUpContext> | null)?.top_up ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(fen) && (fen as number) > 0 ? (fen as number) : null;
}
