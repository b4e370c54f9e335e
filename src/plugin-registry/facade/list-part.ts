/** Rows of a part where nothing is said, and most of one. */
const USUAL_LIMIT = 50;
const MOST_LIMIT = 200;

/** Which part of a list a plugin wants: whatever it gives, a page from 1 and 1 to 200 rows. */
export function partOf({ page, limit }: { page?: number; limit?: number }): { page: number; limit: number } {
  return { page: Math.max(1, Math.trunc(page ?? 1) || 1), limit: Math.min(MOST_LIMIT, Math.max(1, Math.trunc(limit ?? USUAL_LIMIT) || 1)) };
}
