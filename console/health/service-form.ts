import * as z from 'zod/mini'

import { type Family, isChainless, suitsChain } from '../../shared/chains.ts'
import { Objective } from '../../shared/health.ts'
import type { ServiceSpec } from '../../shared/health.ts'
import type {
  ChainChoice,
  PolicySubject,
  ServiceSettings,
  ServiceUpdate,
} from '../../shared/health-services.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { type HeaderEntry, headersOfEntries, changedHeaders, storedHeaders } from '../forms/header-entries.ts'
import {
  type HttpRuleForm,
  httpRuleFormOf,
  httpRuleErrors,
  httpRuleFields,
  emptyHttpRuleForm,
  httpRuleOf,
} from './http-rule-form.ts'
import {
  type CapabilityForm,
  capabilitiesOfForm,
  capabilityErrors,
  capabilityFields,
  capabilityFormOf,
  emptyCapabilityForm,
} from './capability-form.ts'
import { type SignInForm, emptySignInForm, signInErrors, signInHeaders } from './sign-in-form.ts'
import { type PolicyTexts, policyFields, policyTexts, readPolicy } from './policy-fields.ts'

/** What is watched: a node of a chain (its family is that of the chain), or a family that is said. */
export type ServiceKind = 'node' | 'cosmos-rest' | 'tron' | 'subgraph' | 'http' | 'mcp'

export const serviceKinds: readonly { readonly value: ServiceKind; readonly label: string }[] = [
  { value: 'node', label: 'Blockchain node' },
  { value: 'cosmos-rest', label: 'Cosmos REST API (LCD)' },
  { value: 'tron', label: 'TRON HTTP API' },
  { value: 'subgraph', label: 'Subgraph' },
  { value: 'http', label: 'HTTP service' },
  { value: 'mcp', label: 'MCP server' },
]

/** The content of the form's fields. */
export interface ServiceForm {
  name: string
  kind: ServiceKind
  chain: string
  provider: string
  /** With spaces or commas between them. */
  labels: string
  /** In percent; empty for the usual one. */
  objective: string
  endpoint: string
  /** Empty while editing: the address that is stored stays, unless `removesWs`. */
  ws: string
  removesWs: boolean
  id: string
  headers: readonly HeaderEntry[]
  signIn: SignInForm
  /** Certificates of an authority of its own; empty while editing: those that are stored stay. */
  ca: string
  rule: HttpRuleForm
  capabilities: CapabilityForm
  policy: PolicyTexts
}

export const emptyServiceForm = (): ServiceForm => ({
  name: '',
  kind: 'node',
  chain: '',
  provider: '',
  labels: '',
  objective: '',
  endpoint: '',
  ws: '',
  removesWs: false,
  id: '',
  headers: [],
  signIn: emptySignInForm(),
  ca: '',
  rule: emptyHttpRuleForm(),
  capabilities: emptyCapabilityForm(),
  policy: policyTexts({}),
})

const kindOf = (family: Family): ServiceKind =>
  serviceKinds.find(({ value }) => value === family)?.value ?? 'node'

/** Returns the form with which editing begins. Its endpoint is empty: it is not shown again, and stays unless replaced. */
export function serviceFormOf(settings: ServiceSettings): ServiceForm {
  const { rule } = settings
  return {
    ...emptyServiceForm(),
    name: settings.name,
    kind: kindOf(settings.family),
    chain: settings.chain ?? '',
    provider: settings.provider,
    labels: settings.labels.join(' '),
    objective: settings.objective === null ? '' : String(settings.objective),
    id: settings.id,
    headers: storedHeaders(settings.headerNames),
    ...(rule !== null && { rule: httpRuleFormOf(rule) }),
    capabilities: capabilityFormOf(settings.capabilities),
    policy: policyTexts(settings.policy),
  }
}

/** Reads the service to register. It only reports what is missing; the server checks what is allowed. */
export function readServiceSpec(form: ServiceForm): FormReading<ServiceSpec> {
  const policy = readPolicy(form.policy)
  const errors = {
    ...missing(form, ['name', 'provider', 'endpoint']),
    ...objectiveErrors(form),
    ...ruleErrors(form),
    ...(hasChain(form.kind) && capabilityErrors(form.capabilities)),
    ...signInErrors(form.signIn, namesAuthorization(form)),
    ...(policy.kind === 'wrong' && policy.errors),
  }
  if (policy.kind === 'wrong' || Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const headers = { ...headersOfEntries(form.headers), ...signInHeaders(form.signIn) }
  const labels = labelsOf(form)
  const capabilities = hasChain(form.kind) ? capabilitiesOfForm(form.capabilities) : {}
  return {
    kind: 'value',
    value: {
      name: form.name.trim(),
      provider: form.provider.trim(),
      ...(labels.length > 0 && { labels }),
      ...(form.objective.trim() !== '' && { objective: objectiveOf(form) }),
      endpoint: form.endpoint.trim(),
      ...(form.ws.trim() !== '' && { ws: form.ws.trim() }),
      ...(form.kind !== 'node' && { family: form.kind }),
      ...(hasChain(form.kind) && { chain: form.chain }),
      ...(form.id.trim() !== '' && { id: form.id.trim() }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(form.ca.trim() !== '' && { ca: form.ca }),
      ...(form.kind === 'http' && { rule: httpRuleOf(form.rule) }),
      ...(Object.keys(capabilities).length > 0 && { capabilities }),
      policy: policy.policy,
    },
  }
}

/** Reads the changes: empty addresses, and headers without a new value, stay as they are. */
export function readServiceUpdate(form: ServiceForm, settings: ServiceSettings): FormReading<ServiceUpdate> {
  const policy = readPolicy(form.policy)
  const errors = {
    ...missing(form, ['name', 'provider']),
    ...objectiveErrors(form),
    ...ruleErrors(form),
    ...(hasChain(form.kind) && capabilityErrors(form.capabilities)),
    ...signInErrors(form.signIn, namesAuthorization(form)),
    ...(policy.kind === 'wrong' && policy.errors),
  }
  if (policy.kind === 'wrong' || Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const headers = { ...changedHeaders(form.headers, settings.headerNames), ...signInHeaders(form.signIn) }
  return {
    kind: 'value',
    value: {
      id: settings.id,
      name: form.name.trim(),
      provider: form.provider.trim(),
      labels: labelsOf(form),
      objective: form.objective.trim() === '' ? null : objectiveOf(form),
      ...(form.endpoint.trim() !== '' && { endpoint: form.endpoint.trim() }),
      ...(form.ws.trim() !== '' ? { ws: form.ws.trim() } : form.removesWs && { ws: null }),
      ...(hasChain(form.kind) && { chain: form.chain }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(form.ca.trim() !== '' && { ca: form.ca }),
      ...(form.kind === 'http' && { rule: httpRuleOf(form.rule) }),
      ...(hasChain(form.kind) && { capabilities: capabilitiesOfForm(form.capabilities) }),
      policy: policy.policy,
    },
  }
}

const objectiveOf = ({ objective }: ServiceForm): number => Number(objective.trim().replace(',', '.'))

const objectiveErrors = (form: ServiceForm): FieldErrors =>
  form.objective.trim() === '' || z.safeParse(Objective, objectiveOf(form)).success
    ? {}
    : { objective: 'A number from 50 to 100, please.' }

const labelsOf = ({ labels }: ServiceForm): string[] => [
  ...new Set(labels.split(/[\s,]+/).filter((label) => label !== '')),
]

/** What the default thresholds of a new service depend on; null while nobody has said of which chain the node is. */
export function policySubjectOf({ kind, chain }: ServiceForm): PolicySubject | null {
  if (hasChain(kind) && chain === '') return null
  return { ...(kind !== 'node' && { family: kind }), ...(hasChain(kind) && { chain }) }
}

export const hasChain = (kind: ServiceKind): boolean => kind === 'node' || !isChainless(kind)

/** Whether the form offers a chain for what is watched. */
export const canBeOf = (kind: ServiceKind, { family }: Pick<ChainChoice, 'family'>): boolean =>
  !isChainless(family) && (kind === 'node' || suitsChain(kind, family))

type RequiredField = 'name' | 'provider' | 'endpoint'

function missing(form: ServiceForm, required: readonly RequiredField[]): FieldErrors {
  const empty = required.filter((field) => form[field].trim() === '')
  const withoutChain = hasChain(form.kind) && form.chain === '' ? ['chain'] : []
  return Object.fromEntries([...empty, ...withoutChain].map((field) => [field, 'Required.']))
}

/** A stored header stays as it is unless the form replaces it, so that only one with a new value is a second one. */
const namesAuthorization = ({ headers }: ServiceForm): boolean =>
  headers.some(({ name, value }) => name.trim().toLowerCase() === 'authorization' && value !== '')

const ruleErrors = ({ kind, rule }: ServiceForm): FieldErrors => (kind === 'http' ? httpRuleErrors(rule) : {})

const advancedFields = [
  'id',
  'labels',
  'objective',
  'ws',
  'signIn',
  'headers',
  'ca',
  'capabilities',
  'policy',
] as const

/** Whether a field is hidden until somebody asks for more. */
export const isAdvanced = (field: string): boolean =>
  advancedFields.some((name) => field === name || field.startsWith(`${name}.`))

/** Every field that can show what is wrong with it; `policy.<key>` and the rule's parts among them. */
export const serviceFormFields: readonly string[] = [
  'name',
  'family',
  'chain',
  'provider',
  'labels',
  'objective',
  'endpoint',
  'ws',
  'id',
  'signIn.user',
  'signIn.token',
  'headers',
  'ca',
  ...httpRuleFields,
  ...capabilityFields,
  ...policyFields.map(({ key }) => `policy.${key}`),
]
