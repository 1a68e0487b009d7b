const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a text as it stands in HTML or XML, between tags and in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '')
