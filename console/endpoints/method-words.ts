import type { MethodGroups, MethodsChange } from '../../shared/method-groups.ts'

/** What stands beside each of the three groups. */
export const methodGroupFacts = ({ ordinary, restricted, unknown }: MethodGroups) => [
  { key: 'ordinary' as const, title: 'Ordinary methods', text: `${ordinary.open} of ${ordinary.known}` },
  {
    key: 'restricted' as const,
    title: 'Node control and key use',
    text: someOf(restricted.open, restricted.known),
  },
  {
    key: 'unknown' as const,
    title: 'Methods in no table',
    text: unknown.areAllOpen ? 'all that the lists do not exclude' : listed(unknown.open),
  },
]

/** What a change of the lists would do, in sentences; empty when it would do nothing. */
export function methodsChangeSentences({ opened, closed, unknown }: MethodsChange): string[] {
  return [
    ...(opened.length > 0 ? [`Saving opens ${shortened(opened)}.`] : []),
    ...(unknown === 'opened' ? ['Saving opens methods that no table knows.'] : []),
    ...(closed.length > 0 ? [`Saving closes ${shortened(closed)}.`] : []),
    ...(unknown === 'closed' ? ['Saving closes methods that no table knows.'] : []),
  ]
}

const shownNames = 5

const someOf = (open: readonly string[], known: number): string =>
  open.length === 0 ? `none of ${known}` : `${open.length} of ${known}: ${listed(open)}`

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))

const shortened = (names: readonly string[]): string =>
  names.length <= shownNames
    ? listed(names)
    : `${names.length} methods: ${listed(names.slice(0, shownNames))} and ${names.length - shownNames} more`
