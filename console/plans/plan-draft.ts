import * as z from 'zod/mini'

import { limitNames } from '../../shared/limits.ts'
import type { LimitName } from '../../shared/limits.ts'
import { Plan, limitIn, limitTextOf } from '../../shared/plans.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { limitDraft, readLimit, typedUnits } from '../query-keys/limit-draft.ts'
import type { LimitDraft } from '../query-keys/limit-draft.ts'

export type MostUseDraft = Readonly<Record<LimitName, LimitDraft>>

/** A plan as it is typed. What is left empty is not limited. */
export interface PlanDraft {
  name: string
  maxKeys: string
  keyMost: MostUseDraft
  totalMost: MostUseDraft
  endpoints: readonly string[]
  methods: readonly string[]
  keyDays: string
}

/** Every field that can show what is wrong with it. */
export const planFields = [
  'name',
  'maxKeys',
  'keyMost.rate',
  'keyMost.credits',
  'totalMost.rate',
  'totalMost.credits',
  'endpoints',
  'methods',
  'keyDays',
] as const

/** Null: a new plan. */
export const planDraftOf = (plan: Plan | null): PlanDraft => ({
  name: plan?.name ?? '',
  maxKeys: plan?.maxKeys?.toString() ?? '',
  keyMost: mostUseDraftOf(plan?.keyMost),
  totalMost: mostUseDraftOf(plan?.totalMost),
  endpoints: plan?.endpoints ?? [],
  methods: plan?.methods ?? [],
  keyDays: plan?.keyDays?.toString() ?? '',
})

const mostUseDraftOf = (most: Plan['keyMost']): MostUseDraft => ({
  rate: limitDraftOf(most?.rate),
  credits: limitDraftOf(most?.credits),
})

const limitDraftOf = (text: string | undefined): LimitDraft =>
  limitDraft(text === undefined ? null : limitIn(text), null)

export function readPlanDraft(draft: PlanDraft): FormReading<Plan> {
  const { name, maxKeys, keyMost, totalMost, endpoints, methods, keyDays } = draft
  const read = z.safeParse(Plan, {
    name: name.trim(),
    ...(maxKeys.trim() !== '' && { maxKeys: typedUnits(maxKeys) }),
    ...mostUseOf('keyMost', keyMost),
    ...mostUseOf('totalMost', totalMost),
    ...(endpoints.length > 0 && { endpoints: [...endpoints] }),
    ...(methods.length > 0 && { methods: [...methods] }),
    ...(keyDays.trim() !== '' && { keyDays: typedUnits(keyDays) }),
  })
  const errors = {
    ...(!read.success && issueErrors(read.error.issues, planFields)),
    ...(name.trim() === '' && { name: 'Give it a name.' }),
    ...limitErrors('keyMost', keyMost),
    ...limitErrors('totalMost', totalMost),
  }
  return read.success && Object.keys(errors).length === 0
    ? { kind: 'value', value: read.data }
    : { kind: 'wrong', errors }
}

type MostUseField = 'keyMost' | 'totalMost'

/** Nothing where neither is limited. */
function mostUseOf(field: MostUseField, most: MostUseDraft): Partial<Record<MostUseField, object>> {
  const limits = limitNames.flatMap((name) => {
    const reading = readLimit(most[name])
    return reading.kind === 'limit' && reading.limit !== null ? [[name, limitTextOf(reading.limit)]] : []
  })
  return limits.length === 0 ? {} : { [field]: Object.fromEntries(limits) }
}

const limitErrors = (field: MostUseField, most: MostUseDraft): FieldErrors =>
  Object.fromEntries(
    limitNames.flatMap((name) => {
      const reading = readLimit(most[name])
      return reading.kind === 'wrong' ? [[`${field}.${name}`, reading.error]] : []
    }),
  )
