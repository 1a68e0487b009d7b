import type { EndpointDetails, EndpointSpec, EndpointUpdate, MethodRules } from '../../shared/endpoints.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { methodProblem } from './method-entry.ts'
import { priceDraft, readPrices } from './price-draft.ts'
import type { PriceDraft } from './price-draft.ts'
import { readSettings, settingPaths, settingsDraft } from './settings-draft.ts'
import type { SettingsDraft } from './settings-draft.ts'
import {
  newUpstream,
  storedUpstream,
  upstreamChange,
  upstreamErrors,
  upstreamSpec,
} from './upstream-draft.ts'
import type { UpstreamDraft } from './upstream-draft.ts'

/** What stands in the fields. */
export interface EndpointForm {
  name: string
  chain: string
  upstreams: readonly UpstreamDraft[]
  allow: readonly string[]
  deny: readonly string[]
  unknown: MethodRules['unknown']
  prices: PriceDraft
  settings: SettingsDraft
}

export const emptyEndpointForm = (): EndpointForm => ({
  name: '',
  chain: '',
  upstreams: [newUpstream('new-1')],
  allow: [],
  deny: [],
  unknown: 'refuse',
  prices: priceDraft({}),
  settings: settingsDraft({ byMethod: {} }),
})

/** What an endpoint that is edited begins with. */
export const endpointFormOf = ({
  name,
  chain,
  upstreams,
  methods,
  credits,
  settings,
}: EndpointDetails): EndpointForm => ({
  name,
  chain: chain.key,
  upstreams: upstreams.map(storedUpstream),
  allow: methods.allow,
  deny: methods.deny,
  unknown: methods.unknown,
  prices: priceDraft(credits),
  settings: settingsDraft(settings),
})

/** What is to be created. Says only what is missing; what is allowed, the server knows. */
export function readEndpointSpec(form: EndpointForm): FormReading<EndpointSpec> {
  const errors = formErrors(form)
  const prices = readPrices(form.prices)
  const settings = readSettings(form.settings)
  if (prices.kind === 'wrong' || settings.kind === 'wrong' || Object.keys(errors).length > 0)
    return { kind: 'wrong', errors }
  return {
    kind: 'value',
    value: {
      name: form.name.trim(),
      chain: form.chain,
      upstreams: form.upstreams.map(upstreamSpec),
      methods: methodsOf(form),
      credits: prices.prices,
      settings: settings.value,
    },
  }
}

/** What is to be changed of an endpoint as it was read. */
export function readEndpointUpdate(
  form: EndpointForm,
  { name, revision }: Pick<EndpointDetails, 'name' | 'revision'>,
): FormReading<EndpointUpdate> {
  const errors = formErrors(form)
  const prices = readPrices(form.prices)
  const settings = readSettings(form.settings)
  if (prices.kind === 'wrong' || settings.kind === 'wrong' || Object.keys(errors).length > 0)
    return { kind: 'wrong', errors }
  if (revision === null) throw new TypeError(`the endpoint ${name} is managed by the file`)
  return {
    kind: 'value',
    value: {
      name,
      revision,
      chain: form.chain,
      upstreams: form.upstreams.map(upstreamChange),
      methods: methodsOf(form),
      credits: prices.prices,
      settings: settings.value,
    },
  }
}

/** The rules as they stand in the form. */
export const methodsOf = ({ allow, deny, unknown }: EndpointForm): MethodRules => ({
  allow: [...allow],
  deny: [...deny],
  unknown,
})

const isBad = (entry: string): boolean => methodProblem(entry) !== null

function formErrors(form: EndpointForm): FieldErrors {
  const prices = readPrices(form.prices)
  const settings = readSettings(form.settings)
  const ofUpstreams = form.upstreams.flatMap((upstream, place) =>
    Object.entries(upstreamErrors(upstream)).map(([field, text]) => [`upstreams[${place}].${field}`, text]),
  )
  return {
    ...(form.name.trim() === '' && { name: 'Required.' }),
    ...(form.chain === '' && { chain: 'Choose a chain.' }),
    ...(form.upstreams.length === 0 && { upstreams: 'Add at least one upstream.' }),
    ...Object.fromEntries(ofUpstreams),
    ...(form.allow.some(isBad) && { 'methods.allow': 'Correct or remove what is marked.' }),
    ...(form.deny.some(isBad) && { 'methods.deny': 'Correct or remove what is marked.' }),
    ...(prices.kind === 'wrong' && { credits: prices.error }),
    ...(settings.kind === 'wrong' && settings.errors),
  }
}

const upstreamFields = ['service', 'url', 'ws', 'headers', 'weight', 'tier', 'budget'] as const

/** Every field that can show what is wrong with it. Those of an upstream come before the list of them. */
export const endpointFormFields = ({ upstreams, settings }: EndpointForm): readonly string[] => [
  'name',
  'chain',
  ...upstreams.flatMap((_, place) => upstreamFields.map((field) => `upstreams[${place}].${field}`)),
  'upstreams',
  'methods.allow',
  'methods.deny',
  'credits',
  ...settingPaths(settings),
]
