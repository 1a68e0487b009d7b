import type { Plan } from '../../shared/plans.ts'
import { mostUseTexts } from '../query-keys/plan-words.ts'

const manyNames = 8

/** As much as a row has room for; the form shows all of them. */
function namesLines(names: readonly string[] = []): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, manyNames).join(', ')
  return [names.length > manyNames ? `${shown} and ${names.length - manyNames} more` : shown]
}

/** What the list says of a plan, in lines; none where the plan limits nothing. */
export const planLines = {
  keyMost: ({ keyMost }: Plan) => mostUseTexts(keyMost),
  totalMost: ({ totalMost }: Plan) => mostUseTexts(totalMost),
  endpoints: ({ endpoints }: Plan) => namesLines(endpoints),
  methods: ({ methods }: Plan) => namesLines(methods),
} as const
