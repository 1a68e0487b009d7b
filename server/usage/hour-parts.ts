/*
 * A day of the calendar begins at a whole hour of UTC in most time zones, and in some at a half hour or a quarter. Rows of
 * hours are divided at these instants, so that days of every zone can be added up from them: 37 rows for a day in place of
 * 24. A test compares the table with the time zones that there are.
 */

/** The minutes of an hour of UTC (0 to 23) at which a day begins somewhere, besides minute 0. */
const dividedHours: Readonly<Record<number, readonly number[]>> = {
  2: [30], // Newfoundland in summer
  3: [30], // Newfoundland
  9: [30], // Marquesas Islands
  10: [15], // Chatham Islands in summer
  11: [15], // Chatham Islands
  13: [30], // southern Australia in summer, Lord Howe Island
  14: [30], // central Australia
  15: [15], // Eucla
  17: [30], // Myanmar, Cocos Islands
  18: [15, 30], // Nepal; India, Sri Lanka
  19: [30], // Afghanistan
  20: [30], // Iran
}

/** For each quarter of an hour of a day of UTC, the minute of the day at which its row begins. */
export const hourPartStarts: readonly number[] = Array.from({ length: 96 }, (_, quarter) => {
  const hour = Math.floor(quarter / 4)
  const minute = (quarter % 4) * 15
  const begun = (dividedHours[hour] ?? []).filter((start) => start <= minute)
  return hour * 60 + (begun.at(-1) ?? 0)
})

/** The most rows that a day has for what is one row by the day. */
export const hourPartsOfDay = new Set(hourPartStarts).size
