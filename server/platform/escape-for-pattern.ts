/** A regular expression that finds the text itself, and may stand within a longer one. */
export const escapeForPattern = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
