/** Whether `error` is a unique constraint violation, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const source = ((error as { driverError?: unknown })?.driverError ?? error) as { code?: string; errno?: number };
  return source?.code === 'SQLITE_CONSTRAINT_UNIQUE' || source?.code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || source?.errno === 1062;
}
