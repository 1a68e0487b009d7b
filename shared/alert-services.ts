import * as z from 'zod/mini'

import { ChainKey } from './chains.ts'
import { Label, ServiceId, ServiceLabel } from './health.ts'

const oneOrMore = <Item extends z.ZodMiniType>(item: Item) =>
  z.union([item, z.array(item).check(z.minLength(1), z.maxLength(500))])

/** Which services are meant: those to which every given field applies. Each field takes one value or a list of values. */
export const ServiceSelector = z.strictObject({
  id: z.optional(oneOrMore(ServiceId)),
  chain: z.optional(oneOrMore(ChainKey)),
  provider: z.optional(oneOrMore(Label)),
  label: z.optional(oneOrMore(ServiceLabel)), // of several, one is enough
})
export type ServiceSelector = z.infer<typeof ServiceSelector>

/** What a selector looks at. */
export interface SelectableService {
  readonly id: string
  readonly chain: string | null
  readonly provider: string
  readonly labels?: readonly string[] | undefined
}

const includes = (wanted: string | readonly string[] | undefined, value: string | null): boolean =>
  wanted === undefined ||
  (value !== null && (typeof wanted === 'string' ? wanted === value : wanted.includes(value)))

/** Returns whether a service is meant; every one is, where nothing is selected. */
export const isSelected = (selector: ServiceSelector | undefined, service: SelectableService): boolean =>
  selector === undefined ||
  (includes(selector.id, service.id) &&
    includes(selector.chain, service.chain) &&
    includes(selector.provider, service.provider) &&
    (selector.label === undefined || (service.labels ?? []).some((label) => includes(selector.label, label))))
