/**
 * What nobody sees and a reader or a model may still act on: control characters, zero-width characters, marks that
 * change the direction of a text (Trojan Source, CVE-2021-42574), and the tag characters that can spell whole sentences.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

export const withoutHidden = (text: string): string => text.replaceAll(hidden, '')
