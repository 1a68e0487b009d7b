import type { KeyView } from './key-view.ts'

/** With a key as it is now: in its place, or first when it is new. */
export const withUpdatedKey = <Key extends KeyView>(keys: readonly Key[], changed: Key): readonly Key[] =>
  keys.some(({ id }) => id === changed.id)
    ? keys.map((key) => (key.id === changed.id ? changed : key))
    : [changed, ...keys]

export const withoutKey = <Key extends KeyView>(keys: readonly Key[], id: string): readonly Key[] =>
  keys.filter((key) => key.id !== id)

/** With a key switched on or off before the server has said so. Expired stays expired. */
export function withEnabled<Key extends KeyView>(
  keys: readonly Key[],
  id: string,
  isEnabled: boolean,
): readonly Key[] {
  return keys.map((key) => {
    if (key.id !== id) return key
    const switched = isEnabled ? 'enabled' : 'disabled'
    return { ...key, isEnabled, state: key.state === 'expired' ? 'expired' : switched }
  })
}
