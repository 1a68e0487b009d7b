import { teamHeader, teamParameter } from '../../shared/teams.ts'

/*
 * For which account this tab acts: a team, or null for the person's own. It changes with the page loaded anew, so that
 * nothing of the one stays when the other is chosen; other tabs keep theirs, and a new tab begins with the last choice.
 */

const place = 'gatehouse-team'
const lostPlace = 'gatehouse-team-lost'

export type Storages = Readonly<
  Record<'tab' | 'browser', Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>>
>

const storages = (): Storages => ({ tab: sessionStorage, browser: localStorage })

/** Blank stands for one's own account, chosen in this tab. */
export const readChoice = ({ tab, browser }: Storages): string | null =>
  (tab.getItem(place) ?? browser.getItem(place)) || null

export function keepChoice({ tab, browser }: Storages, id: string | null): void {
  for (const storage of [tab, browser]) storage.setItem(place, id ?? '')
}

let chosen: string | null | undefined

export function chosenTeamId(): string | null {
  if (chosen !== undefined) return chosen
  chosen = readChoice(storages())
  sessionStorage.setItem(place, chosen ?? '') // the choice of another tab is not taken up in the middle
  return chosen
}

/** Whoever signs in next begins with their own account. */
export const forgetChoice = (): void => keepChoice(storages(), null)

/** Goes to the overview, as that account. */
export function actFor(id: string | null): void {
  keepChoice(storages(), id)
  location.assign('/')
}

/**
 * Tells whether a team was chosen for which one may not act; then one's own account is, from the next load on. A page that
 * is held until then goes on naming the team, and is refused: what is typed there is meant for no other account.
 */
export function dropChoiceUnless(isGood: (id: string) => boolean): boolean {
  const id = chosenTeamId()
  if (id === null || isGood(id)) return false
  keepChoice(storages(), null)
  sessionStorage.setItem(lostPlace, id)
  return true
}

/** Tells once that the team of this tab was lost. */
export function takeLostTeam(): boolean {
  const wasLost = sessionStorage.getItem(lostPlace) !== null
  sessionStorage.removeItem(lostPlace)
  return wasLost
}

/** Names the team to the server. */
export function teamHeaders(): Record<string, string> {
  const id = chosenTeamId()
  return id === null ? {} : { [teamHeader]: id }
}

/** For a page that shows nothing yet: it acts for what was chosen last. */
export function chooseAnew(): void {
  chosen = undefined
}

/** The address with the team in it, for streams, which have no headers. */
export function withTeam(url: string): string {
  const id = chosenTeamId()
  return id === null ? url : `${url}?${new URLSearchParams({ [teamParameter]: id })}`
}
