import type { CapabilityContradiction, DeclaredCapabilities } from '../../shared/node-capabilities.ts'
import type { ServiceFacts } from '../../shared/service-facts.ts'
import { dayMs } from '../../shared/durations.ts'

export interface FactLine {
  readonly key: string
  readonly title: string
  readonly text: string
}

const problemTexts: Readonly<Record<NonNullable<ServiceFacts['certificateProblem']>, string>> = {
  EXPIRED: 'refused: it has ended',
  SELF_SIGNED: 'refused: it is signed by itself',
  WRONG_NAME: 'refused: it is for another name',
  UNTRUSTED: 'refused: nobody who is trusted signed it',
}

function certificateText(
  { certificateProblem, certificateExpiresAt }: ServiceFacts,
  now: number,
): string | null {
  if (certificateProblem) return problemTexts[certificateProblem]
  if (certificateExpiresAt === undefined) return null
  const days = Math.floor((certificateExpiresAt * 1000 - now) / dayMs)
  return days < 0 ? 'ended' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`
}

const blocks = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'block' : 'blocks'}`
const behind = (lag: number | undefined): string | null =>
  lag === undefined ? null : `${blocks(lag)} behind`

const chainText = ({ otherChain }: ServiceFacts): string | null =>
  otherChain === undefined ? null : `it names ${otherChain.named}, not ${otherChain.expected}`

function stateText({ stateDepth }: ServiceFacts): string | null {
  if (stateDepth === undefined) return null
  return stateDepth === null ? 'all of it (archive)' : `at least ${blocks(stateDepth)} back (pruned)`
}

/** Returns what is known, in words; what is not known is left out. */
export function factLines(facts: ServiceFacts, now: number): FactLine[] {
  const { clientVersion, finalizedLag, safeLag, logRange, missingMethods = [], isSyncing, peers } = facts
  const lines: readonly (readonly [string, string | null])[] = [
    ['Chain', chainText(facts)],
    ['Certificate', certificateText(facts, now)],
    ['Client', clientVersion ?? null],
    ['State', stateText(facts)],
    ['Final block', behind(finalizedLag)],
    ['Safe block', behind(safeLag)],
    ['Logs', logRange === undefined ? null : `at least ${blocks(logRange)} in one query`],
    ['Lacks', missingMethods.length === 0 ? null : missingMethods.join(', ')],
    ['Peers', peers === undefined ? null : String(peers)],
    ['Syncing', isSyncing === true ? 'says that it is' : null],
  ]
  return lines.flatMap(([title, text]) => (text === null ? [] : [{ key: title, title, text }]))
}

/** What of that is short enough for a label: `logs up to 10,000 blocks`, `anvil/v1.7.1`. */
export function factLabels(facts: ServiceFacts | null, declared: DeclaredCapabilities): string[] {
  const logRange = declared.logRange ?? facts?.logRange
  const client = facts?.clientVersion?.split('/').slice(0, 2).join('/')
  return [
    ...(logRange === undefined ? [] : [`logs up to ${blocks(logRange)}`]),
    ...(client === undefined ? [] : [client]),
  ]
}

const contradictionWords: Readonly<Record<CapabilityContradiction, string>> = {
  archive: 'archive',
  lowestBlock: 'lowest block',
  logRange: 'log range',
}

export const labelLines = (labels: readonly string[]): FactLine[] =>
  labels.length === 0 ? [] : [{ key: 'labels', title: 'Labels', text: labels.join(', ') }]

/** Returns what is declared of a node, and what of it verifiers find otherwise. */
export function declaredLines(
  { archive, lowestBlock, logRange }: DeclaredCapabilities,
  contradictions: readonly CapabilityContradiction[],
): FactLine[] {
  const declared = [
    ...(archive === undefined ? [] : [archive ? 'an archive node' : 'no archive node']),
    ...(lowestBlock === undefined ? [] : [`state from block ${lowestBlock.toLocaleString('en')} on`]),
    ...(logRange === undefined ? [] : [`logs of ${blocks(logRange)} in one query`]),
  ].join(', ')
  const otherwise = contradictions.map((name) => contradictionWords[name]).join(', ')
  return [
    ...(declared === '' ? [] : [{ key: 'declared', title: 'Declared', text: declared }]),
    ...(otherwise === '' ? [] : [{ key: 'otherwise', title: 'Found otherwise', text: otherwise }]),
  ]
}
