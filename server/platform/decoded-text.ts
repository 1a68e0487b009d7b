/** Percent-decoded; a stray `%` is that character, not an error. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
