/** Default and maximum number of rows per page. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Normalizes the page a plugin requests: page from 1, and 1 to 200 rows. */
export function partOf({ page, limit }: { page?: number; limit?: number }): { page: number; limit: number } {
  return {
    page: Math.max(1, Math.trunc(page ?? 1) || 1),
    limit: Math.min(MAX_LIMIT, Math.max(1, Math.trunc(limit ?? DEFAULT_LIMIT) || 1)),
  };
}
