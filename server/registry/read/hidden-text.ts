/**
 * Characters that are invisible to people and still act on a terminal or a model: control characters, zero-width
 * characters, direction marks (Trojan Source, CVE-2021-42574), and tag characters, which can spell whole sentences.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/** Returns the text without invisible characters. */
export const withoutHidden = (text: string): string => text.replaceAll(hidden, '')
