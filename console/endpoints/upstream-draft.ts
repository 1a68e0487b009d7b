import { budgetDraft, budgetError, budgetOf, noBudget } from './budget-draft.ts'
import type { BudgetDraft } from './budget-draft.ts'
import { endpointBounds } from '../../shared/endpoints.ts'
import type { UpstreamChange, UpstreamListItem, UpstreamSpec } from '../../shared/endpoints.ts'
import type { FieldErrors } from '../forms/field-errors.ts'
import { changedHeaders, headersOfEntries, storedHeaders } from '../forms/header-entries.ts'
import type { HeaderEntry } from '../forms/header-entries.ts'

/** An upstream as it stands in the form. */
export interface UpstreamDraft {
  /** Tells the upstreams of a form apart while they change places. */
  readonly key: string
  /** As it is stored; null for a new one. */
  readonly stored: UpstreamListItem | null
  readonly source: 'service' | 'address'
  readonly service: string
  /** Empty for one that is stored: it is not shown again, and stays. */
  readonly url: string
  readonly ws: string
  /** The WebSocket address that is stored is to be forgotten. */
  readonly forgetsWs: boolean
  readonly headers: readonly HeaderEntry[]
  readonly weight: string
  readonly tier: string
  readonly budget: BudgetDraft
  readonly compression: Compression
}

/** Whether long answers are asked for compressed. */
export const compressions = [
  { value: 'auto', label: 'For https addresses' },
  { value: 'on', label: 'Yes' },
  { value: 'off', label: 'No' },
] as const
export type Compression = (typeof compressions)[number]['value']

const compressionDraft = (stored: boolean | null): Compression =>
  stored === null ? 'auto' : stored ? 'on' : 'off'

export const newUpstream = (key: string): UpstreamDraft => ({
  key,
  stored: null,
  source: 'service',
  service: '',
  url: '',
  ws: '',
  forgetsWs: false,
  headers: [],
  weight: '1',
  tier: '0',
  budget: noBudget,
  compression: 'auto',
})

export const storedUpstream = (stored: UpstreamListItem): UpstreamDraft => ({
  ...newUpstream(stored.id),
  stored,
  source: stored.serviceId === null ? 'address' : 'service',
  service: stored.serviceId ?? '',
  headers: stored.serviceId === null ? storedHeaders(stored.headerNames) : [],
  weight: String(stored.weight),
  tier: String(stored.tier),
  budget: budgetDraft(stored.budget),
  compression: compressionDraft(stored.compression),
})

/** What people call it: the service, or the host of the address; empty while nothing was said. */
export function draftName({ stored, source, service, url }: UpstreamDraft): string {
  if (source === 'service') return service
  if (URL.canParse(url.trim())) return new URL(url.trim()).host
  return stored?.host ?? ''
}

/** The stored upstream that a draft still is; null where it was made into another one. */
export function keptUpstream({ stored, source, service }: UpstreamDraft): UpstreamListItem | null {
  if (stored === null) return null
  const isSame = stored.serviceId === null ? source === 'address' : service === stored.serviceId
  return isSame && (source === 'service') === (stored.serviceId !== null) ? stored : null
}

/** What is missing or cannot be; what else is allowed, the server knows. By the name of the field. */
export function upstreamErrors(draft: UpstreamDraft): FieldErrors {
  const kept = keptUpstream(draft)
  const wrongBudget = budgetError(draft.budget)
  const weight = Number(draft.weight)
  const isWeight = Number.isInteger(weight) && weight >= 1 && weight <= endpointBounds.weight
  return {
    ...(draft.source === 'service' && draft.service === '' && { service: 'Choose a service.' }),
    ...(draft.source === 'address' && draft.url.trim() === '' && kept === null && { url: 'Required.' }),
    ...(!/^\d$/.test(draft.tier.trim()) && { tier: `A whole number from 0 to ${endpointBounds.tier}.` }),
    ...(wrongBudget !== null && { budget: wrongBudget }),
    ...(!isWeight && { weight: `A whole number from 1 to ${endpointBounds.weight}.` }),
    ...(kept !== null && isMoved(draft, kept) && hasSilentHeaders(draft) && { headers: movedText }),
  }
}

const movedText =
  'Type the values again, or remove these headers: they are not sent to another address unasked.'

const isElsewhere = (typed: string, known: string | null): boolean =>
  URL.canParse(typed.trim()) && new URL(typed.trim()).host !== known

/** Whether an address that was typed is on another host than that which is stored. */
function isMoved({ url, ws }: UpstreamDraft, { host, webSocketHost }: UpstreamListItem): boolean {
  return isElsewhere(url, host) || isElsewhere(ws, webSocketHost ?? host)
}

const hasSilentHeaders = ({ headers }: UpstreamDraft): boolean =>
  headers.some(({ isStored, value }) => isStored && value === '')

/** A new upstream. */
export function upstreamSpec({
  source,
  service,
  url,
  ws,
  headers,
  weight,
  ...more
}: UpstreamDraft): UpstreamSpec {
  const given = headersOfEntries(headers)
  return {
    ...(source === 'service' ? { service } : { url: url.trim() }),
    ...(ws.trim() !== '' && { ws: ws.trim() }),
    ...(source === 'address' && Object.keys(given).length > 0 && { headers: given }),
    weight: Number(weight),
    ...unusual(more),
  }
}

/** Tier, budget and compression, as far as they are not the usual ones. */
function unusual({
  tier,
  budget,
  compression,
}: Pick<UpstreamDraft, 'tier' | 'budget' | 'compression'>): Pick<
  UpstreamSpec,
  'tier' | 'budget' | 'compression'
> {
  const typed = budgetOf(budget)
  return {
    ...(Number(tier) > 0 && { tier: Number(tier) }),
    ...(typed !== undefined && { budget: typed }),
    ...(compression !== 'auto' && { compression: compression === 'on' }),
  }
}

/** What becomes of an upstream: a stored one keeps what nothing else was typed for. */
export function upstreamChange(draft: UpstreamDraft): UpstreamChange {
  const kept = keptUpstream(draft)
  if (kept === null) return upstreamSpec(draft)
  const { source, url, ws, forgetsWs, headers, weight } = draft
  const changed = changedHeaders(headers, kept.headerNames)
  return {
    keep: kept.id,
    ...(url.trim() !== '' && source === 'address' && { url: url.trim() }),
    ...(forgetsWs && { ws: null }),
    ...(ws.trim() !== '' && { ws: ws.trim() }),
    ...(source === 'address' && Object.keys(changed).length > 0 && { headers: changed }),
    weight: Number(weight),
    ...unusual(draft),
  }
}

/** With one in another place; a place beyond the ends is the end. */
export function withMoved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const others = items.toSpliced(from, 1)
  const moved = items.slice(from, from + 1)
  return others.toSpliced(Math.max(0, to), 0, ...moved)
}
