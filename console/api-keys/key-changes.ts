import type { ApiKeyView } from '../../shared/api-keys.ts'

type Keys = readonly ApiKeyView[]

/** With a key as it is now: in its place, or first when it is new. */
export const withKey = (keys: Keys, changed: ApiKeyView): Keys =>
  keys.some(({ id }) => id === changed.id)
    ? keys.map((key) => (key.id === changed.id ? changed : key))
    : [changed, ...keys]

export const withoutKey = (keys: Keys, id: string): Keys => keys.filter((key) => key.id !== id)

/** With a key switched on or off before the server has said so. Expired stays expired. */
export function withEnabled(keys: Keys, id: string, isEnabled: boolean): Keys {
  return keys.map((key) => {
    if (key.id !== id) return key
    const switched = isEnabled ? 'enabled' : 'disabled'
    return { ...key, isEnabled, state: key.state === 'expired' ? 'expired' : switched }
  })
}
