import { ContractAddress, MoreEndpoints, QueryKeyForm, defaultQueryKeyType } from '../../shared/query-keys.ts'
import type { DefaultLimits, QueryKeyView } from '../../shared/query-keys.ts'
import {
  expiryMistake,
  expiryOf,
  haveDomainProblem,
  keyDraftOf,
  keyMistakeTexts,
  mistakesOf,
} from '../keys/key-draft.ts'
import type { KeyDraft, Mistakes } from '../keys/key-draft.ts'
import type { KeyReading } from '../keys/use-key-form.ts'
import { limitDraft, newLimitDraft, readLimit } from './limit-draft.ts'
import type { LimitDraft, LimitReading } from './limit-draft.ts'

/** A query key as it stands in the form. */
export interface QueryKeyDraft extends KeyDraft {
  type: string
  endpoint: string
  rate: LimitDraft
  credits: LimitDraft
  allowedMethods: readonly string[]
  allowedContracts: readonly string[]
  moreEndpoints: readonly string[]
}

/** What can be chosen. */
export interface DraftChoices {
  readonly endpoints: readonly { readonly name: string }[]
  readonly keyTypes: readonly string[]
  readonly defaultLimits: DefaultLimits
}

/**
 * An empty form, one about a key, or one for a new key like another. What cannot be chosen otherwise is chosen, and so is
 * the endpoint that is wished for.
 */
export function queryKeyDraftOf(
  key: QueryKeyView | null,
  isNew: boolean,
  choices: DraftChoices,
  wished = '',
): QueryKeyDraft {
  const { endpoints, keyTypes, defaultLimits } = choices
  const only = endpoints.length === 1 ? endpoints[0] : undefined
  const found = endpoints.find(({ name }) => name === wished) ?? only
  const usualType = keyTypes.includes(defaultQueryKeyType) ? defaultQueryKeyType : keyTypes[0]
  return {
    ...keyDraftOf(key, isNew),
    type: key?.type ?? usualType ?? defaultQueryKeyType,
    endpoint: key?.endpoint ?? found?.name ?? '',
    rate: key === null ? newLimitDraft(defaultLimits.rate) : limitDraft(key.rate, defaultLimits.rate),
    allowedMethods: key?.allowedMethods ?? [],
    allowedContracts: key?.allowedContracts ?? [],
    moreEndpoints: key?.moreEndpoints ?? [],
    credits:
      key === null ? newLimitDraft(defaultLimits.credits) : limitDraft(key.credits, defaultLimits.credits),
  }
}

/** Reads the form. `keptExpiry` is the expiration that the key has already: an unchanged day leaves it alone. */
export function readQueryKeyDraft(
  draft: QueryKeyDraft,
  keptExpiry: number | null,
  now: number,
): KeyReading<QueryKeyForm, keyof QueryKeyDraft> {
  const expiresAt = expiryOf(draft.lastDay, keptExpiry)
  const { name, type, endpoint, moreEndpoints } = draft
  const { allowedIps, allowedDomains, allowedMethods, allowedContracts } = draft
  const [rate, credits] = [readLimit(draft.rate), readLimit(draft.credits)]
  const parsed = QueryKeyForm.safeParse({
    name,
    type,
    endpoint,
    ...rateFields(rate),
    ...creditsFields(credits),
    allowedIps,
    allowedDomains,
    allowedMethods,
    allowedContracts,
    moreEndpoints,
    expiresAt,
  })
  const mistakes: Mistakes<keyof QueryKeyDraft> = {
    ...(!parsed.success && mistakesOf(parsed.error.issues, texts, name)),
    ...expiryMistake(expiresAt, now),
    ...(rate.kind === 'wrong' && { rate: rate.error }),
    ...(credits.kind === 'wrong' && { credits: credits.error }),
  }
  const isMistaken = Object.keys(mistakes).length > 0 || haveDomainProblem(allowedDomains)
  return parsed.success && !isMistaken
    ? { kind: 'ready', input: parsed.data }
    : { kind: 'mistaken', mistakes }
}

function rateFields(reading: LimitReading) {
  if (reading.kind !== 'limit') return {}
  const { limit } = reading
  return limit === null ? { rateLimit: null } : { rateLimit: limit.units, rateLimitPeriod: limit.period }
}

function creditsFields(reading: LimitReading) {
  if (reading.kind !== 'limit') return {}
  const { limit } = reading
  return limit === null
    ? { creditsLimit: null }
    : { creditsLimit: limit.units, creditsLimitPeriod: limit.period }
}

const limitText = (): string => 'Give a number and a period, or leave it to the default.'

const texts = {
  ...keyMistakeTexts,
  type: () => 'Choose a type.',
  endpoint: () => 'Choose an endpoint.',
  rate: limitText,
  credits: limitText,
  allowedMethods: () => 'Correct or remove what is marked.',
  allowedContracts: () => 'Correct or remove what is marked.',
  moreEndpoints: () => 'Correct or remove what is marked.',
} as const

/** What is wrong with one entry of Allowed contracts; null when nothing is. */
export const contractProblem = (entry: string): string | null =>
  ContractAddress.safeParse(entry).success ? null : 'expected 0x and 40 hexadecimal digits'

/** What is wrong with one entry of Further endpoints; null when nothing is. */
export const endpointProblem = (entry: string): string | null =>
  MoreEndpoints.safeParse([entry]).success ? null : 'expected a name, or a beginning such as eth-*'
