/** In whose time pages tell instants: where the reader is, or UTC, on which people in several places agree. */
export type TimesIn = 'here' | 'UTC'

const storageKey = 'gatehouse-times'

function stored(): TimesIn {
  try {
    return localStorage.getItem(storageKey) === 'UTC' ? 'UTC' : 'here'
  } catch {
    return 'here' // no storage here
  }
}

/** As long as the page is open: what tells times is made once. */
export const timesIn: TimesIn = stored()

/** Keeps the choice for this browser, and opens the page anew. */
export function tellTimesIn(next: TimesIn): void {
  localStorage.setItem(storageKey, next)
  location.reload()
}

/** The IANA name of the zone that times are told in. */
export const readerZone = (chosen = timesIn): string =>
  chosen === 'UTC' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone

/** What people call that zone, such as `GMT+5:30`. */
export const readerZoneName = new Intl.DateTimeFormat('en', { timeZone: readerZone(), timeZoneName: 'short' })
  .formatToParts()
  .find(({ type }) => type === 'timeZoneName')?.value

/** Behind a time of day, where it could be taken for one of the reader's own. */
export const zoneMark = timesIn === 'UTC' ? ' UTC' : ''

/** By how much that time is ahead of UTC at an instant (epoch ms). */
export const readerOffsetMs = (at: number, chosen = timesIn): number =>
  chosen === 'UTC' ? 0 : -new Date(at).getTimezoneOffset() * 60_000

/** What a `datetime-local` input holds for an instant (epoch ms). */
export const inputTextOf = (at: number, chosen = timesIn): string =>
  new Date(at + readerOffsetMs(at, chosen)).toISOString().slice(0, 16)

/** The instant (epoch ms) of what a `datetime-local` input holds; NaN for nothing. */
export const instantOfInput = (text: string, chosen = timesIn): number =>
  Date.parse(text !== '' && chosen === 'UTC' ? `${text}Z` : text)
