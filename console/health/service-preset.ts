import type { LocationQuery } from 'vue-router'

import { queryText } from '../address-query.ts'
import type { ServiceForm } from './service-form.ts'

const names = ['name', 'kind', 'chain', 'provider', 'endpoint'] as const

/** What another page knows of a service that is to be registered; empty where it knows nothing. */
export type ServicePreset = Readonly<Record<(typeof names)[number], string>>

/** The query of the page of services that opens the form with what is known. */
export const registerQuery = (
  known: Partial<Pick<ServiceForm, (typeof names)[number]>>,
): Record<string, string> => ({ register: '', ...known })

/** Splits an address into what `registerQuery` wrote and the rest; null: the form is not asked for. */
export function takePreset(query: LocationQuery): { preset: ServicePreset; rest: LocationQuery } | null {
  if (!('register' in query)) return null
  const texts = names.map((name) => [name, queryText(query, name)] as const)
  const others = Object.entries(query).filter(([name]) => name !== 'register' && !isOneOf(name))
  return { preset: Object.fromEntries(texts) as ServicePreset, rest: Object.fromEntries(others) }
}

const isOneOf = (name: string): boolean => names.some((known) => known === name)
