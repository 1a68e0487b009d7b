/** What was thrown, in its own words: programs may throw what is no error. */
export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)
