/** For this tab only, and until it is used or refused: a run through a provider leaves the page. */
const place = 'gatehouse-team-invitation'

export const keepTeamInvitation = (storage: Storage, token: string): void => storage.setItem(place, token)

export const readTeamInvitation = (storage: Storage): string | null => storage.getItem(place)

export const forgetTeamInvitation = (storage: Storage): void => storage.removeItem(place)
