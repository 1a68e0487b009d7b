/*
 * U+200C and U+200D, which nobody sees, where writing needs them: after the rules of IDNA for joiners (RFC 5892, A.1 and
 * A.2), and within emoji. Elsewhere they make two names that look alike.
 */

/** Letters of Arabic that never join the next one, which a non-joiner after them does not change. */
const unjoined = String.raw`[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779\u0870-\u0882\u08aa-\u08ae\u08b1\u08b2\u08b9]`

/** Signs that join two consonants of the scripts of India and its neighbours. */
const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2\u1a60\u1b44\u1baa\u1bab\ua806\ua8c4\ua953\ua9c0\uabed]`

/** More of them on one letter is no writing; without a bound, a run of them would be read again for each. */
const marks = String.raw`\p{M}{0,4}`

/**
 * Source of a regular expression with the flag `u`. Each form begins with the joiner and looks back from it, so that no other
 * character costs anything.
 */
export const joinerInPlace = [
  // Persian, Urdu, Uyghur: می‌خواهم.
  String.raw`\u200c(?<=(?!${unjoined})(?=\p{L})\p{Script=Arabic}\p{Mn}{0,4}\u200c)(?=\p{Script=Arabic})(?=\p{L})`,
  // Hindi, Tamil, Sinhala: श्री‌, ක්‍ෂ.
  String.raw`[\u200c\u200d](?<=\p{L}${marks}${virama}(?:\u200c(?=\p{L})|\u200d(?![\u200c\u200d])))`,
  // Bengali: র‍্যাম.
  String.raw`\u200d(?<=\u09b0\u200d)(?=\u09cd\u09af)`,
  String.raw`\u200d(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?\u200d)(?=\p{Extended_Pictographic})`,
].join('|')
