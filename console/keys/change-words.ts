import type { Propagation } from './propagation.ts'

/** What a change that the server has made means. */
export interface KeyChange extends Propagation {
  readonly kind: 'created' | 'edited' | 'rotated' | 'enabled' | 'disabled' | 'deleted'
  readonly name: string
}

const late =
  'One process of this installation did not answer in time: it follows within seconds, or within five minutes if it has lost the database.'

/** What has changed, and where it does not hold yet. */
export const withPropagation = (text: string, { propagated }: Propagation): string =>
  propagated ? text : `${text} ${late}`

/** Tells a person from when on it holds. */
export const changeText = ({ kind, name, propagated }: KeyChange): string =>
  withPropagation(told(kind, name), { propagated })

function told(kind: KeyChange['kind'], name: string): string {
  switch (kind) {
    case 'created':
      return `“${name}” was created.`
    case 'edited':
      return `“${name}” was saved and holds from now on.`
    case 'rotated':
      return `“${name}” has a new value.`
    case 'enabled':
      return `“${name}” works from now on.`
    case 'disabled':
      return `“${name}” is refused from now on.`
    case 'deleted':
      return `“${name}” is deleted, and refused from now on.`
  }
}
