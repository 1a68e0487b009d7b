/** Returns a name as lenient readers of JSON take it: Go ignores case, and reads `ſ` as an `s` and the sign of Kelvin as a `k`. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase()
