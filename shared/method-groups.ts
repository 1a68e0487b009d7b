import type { KnownMethods, MethodRules } from './endpoints.ts'
import { type MethodGroup, createMethodAccess } from './method-access.ts'
import { isPattern } from './method-pattern.ts'

/** How far the rules of an endpoint open each of the three groups of methods. */
export interface MethodGroups {
  readonly ordinary: { readonly known: number; readonly open: number }
  /** Node control and key use. `known` counts beginnings of names as one; `open` are the names that are allowed. */
  readonly restricted: { readonly known: number; readonly open: readonly string[] }
  /** Methods in no table: all of them, or those that are allowed by their names. */
  readonly unknown: { readonly areAllOpen: boolean; readonly open: readonly string[] }
}

/** Which methods other rules would open, and which they would close. */
export interface MethodsChange {
  readonly opened: readonly string[]
  readonly closed: readonly string[]
  /** What becomes of methods in no table that the rules do not name. */
  readonly unknown: 'opened' | 'closed' | null
}

export function methodGroups(known: KnownMethods, rules: MethodRules): MethodGroups {
  const isOpen = opennessOf(known, rules)
  const named = namesIn(rules).filter(isOpen)
  const groupOf = groupsOf(known)
  return {
    ordinary: { known: known.ordinary.length, open: known.ordinary.filter(isOpen).length },
    restricted: {
      known: known.nodeControl.length + known.keyUse.length,
      open: named.filter((name) => ['node-control', 'key-use'].includes(groupOf(name))),
    },
    unknown: {
      areAllOpen: rules.unknown === 'allow',
      open: named.filter((name) => groupOf(name) === 'unknown'),
    },
  }
}

export function methodsChange(known: KnownMethods, before: MethodRules, after: MethodRules): MethodsChange {
  const wasOpen = opennessOf(known, before)
  const isOpen = opennessOf(known, after)
  const all = [...new Set([...known.ordinary, ...namesIn(before), ...namesIn(after)])]
  return {
    opened: all.filter((name) => isOpen(name) && !wasOpen(name)),
    closed: all.filter((name) => wasOpen(name) && !isOpen(name)),
    unknown: before.unknown === after.unknown ? null : after.unknown === 'allow' ? 'opened' : 'closed',
  }
}

/** Only what `allow` names can be open beyond the methods that are known. */
const namesIn = ({ allow }: MethodRules): string[] => allow.filter((entry) => !isPattern(entry))

function opennessOf(known: KnownMethods, rules: MethodRules): (method: string) => boolean {
  const accessTo = createMethodAccess(rules)
  const groupOf = groupsOf(known)
  return (method) => accessTo(method, groupOf(method)) === 'allowed'
}

/** Returns the group of a method. A name takes precedence over the beginning of names. */
function groupsOf({ ordinary, nodeControl, keyUse }: KnownMethods): (method: string) => MethodGroup {
  const names = new Map<string, MethodGroup>([
    ...ordinary.map((name): [string, MethodGroup] => [name, 'ordinary']),
    ...nodeControl.map((name): [string, MethodGroup] => [name, 'node-control']),
    ...keyUse.map((name): [string, MethodGroup] => [name, 'key-use']),
  ])
  const beginnings = [...names].filter(([name]) => isPattern(name))
  return (method) =>
    names.get(method) ?? beginnings.find(([name]) => method.startsWith(name.slice(0, -1)))?.[1] ?? 'unknown'
}
