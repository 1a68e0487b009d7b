/** For this tab only, and until it is used: a run through a provider leaves the page. */
const place = 'gatehouse-setup-token'

/** The secret in the part of the setup link that is sent to no server; null when it is another address. */
export function setupTokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('setup')
  return token === null || token === '' ? null : token
}

/** The secret in what somebody pasted: the whole link, or the secret alone. */
export const setupTokenOf = (pasted: string): string | null => {
  const text = pasted.trim()
  return /^gst_\w+$/.test(text) ? text : setupTokenIn(/#.*$/.exec(text)?.[0] ?? '')
}

export const keepSetupToken = (storage: Storage, token: string): void => storage.setItem(place, token)

export const readSetupToken = (storage: Storage): string | null => storage.getItem(place)

export const forgetSetupToken = (storage: Storage): void => storage.removeItem(place)
