import type { ServiceSelector } from '../../shared/alert-services.ts'
import type { FieldErrors } from '../forms/field-errors.ts'

/** Which services are meant, as it is chosen. */
export interface SelectorDraft {
  /** Whether some are chosen: otherwise all are meant. */
  readonly isNarrow: boolean
  readonly id: readonly string[]
  readonly chain: readonly string[]
  readonly provider: readonly string[]
  readonly label: readonly string[]
}

const asList = (values: string | readonly string[] | undefined): readonly string[] =>
  typeof values === 'string' ? [values] : (values ?? [])

export const selectorDraftOf = (selector: ServiceSelector | undefined): SelectorDraft => ({
  isNarrow: selector !== undefined,
  id: asList(selector?.id),
  chain: asList(selector?.chain),
  provider: asList(selector?.provider),
  label: asList(selector?.label),
})

/** Undefined: all services. */
export function selectorOf({
  isNarrow,
  id,
  chain,
  provider,
  label,
}: SelectorDraft): ServiceSelector | undefined {
  const selector = {
    ...(id.length > 0 && { id: [...id] }),
    ...(chain.length > 0 && { chain: [...chain] }),
    ...(provider.length > 0 && { provider: [...provider] }),
    ...(label.length > 0 && { label: [...label] }),
  }
  return isNarrow && Object.keys(selector).length > 0 ? selector : undefined
}

/** Whoever wants only some and names none would get all. */
export const selectorErrors = (draft: SelectorDraft): FieldErrors =>
  draft.isNarrow && selectorOf(draft) === undefined
    ? { services: 'Choose at least one service, chain, provider or label, or all services.' }
    : {}
