import { callDefaults, EndpointSettings, MethodSettings } from '../../shared/call-settings.ts'
import { type FieldErrors, type FormReading, issueText } from '../forms/field-errors.ts'
import { asSentence } from '../ui/sentence.ts'
import { methodProblem } from './method-entry.ts'

/** A setting as it stands in the form; empty: as it is otherwise. */
export type SettingTexts = Readonly<Record<SettingKey, string>>

/** The settings of an endpoint in the form. */
export interface SettingsDraft {
  readonly all: SettingTexts
  readonly methods: readonly MethodSettingsDraft[]
  readonly ofNodes: NodeSettingsDraft
}

/** What holds for an endpoint as a whole, and for no method by itself; empty: as it is otherwise. */
export interface NodeSettingsDraft {
  readonly cache: '' | NonNullable<EndpointSettings['cache']>
  readonly transactionNodes: string
  readonly logBlocks: string
}

export const keptResults = [
  { value: '', label: 'All (default)' },
  { value: 'final', label: 'Only those that stay' },
  { value: 'off', label: 'None' },
] as const

export const nodeSettingFields = [
  {
    key: 'transactionNodes',
    title: 'Nodes for a transaction',
    hint: 'How many get a signed transaction at once. The first hash counts.',
    usual: '3',
  },
  {
    key: 'logBlocks',
    title: 'Blocks of one call for logs',
    hint: 'The most that the nodes answer at once; longer ranges are divided. Left empty, it is learned from the nodes.',
    usual: 'learned',
  },
] as const

export interface MethodSettingsDraft {
  readonly pattern: string
  readonly texts: SettingTexts
}

export type SettingKey = keyof typeof MethodSettings.shape

export interface SettingField {
  readonly key: SettingKey
  readonly title: string
  readonly hint: string
  /** What holds when nothing is typed. */
  readonly usual: string
}

const number = (value: number): string => new Intl.NumberFormat('en').format(value)

export const settingFields: readonly SettingField[] = [
  {
    key: 'firstByteMs',
    title: 'Time to first byte, in ms',
    hint: 'A node that is silent for longer is given up for this call.',
    usual: number(callDefaults.firstByteMs),
  },
  {
    key: 'totalMs',
    title: 'Total time, in ms',
    hint: 'For all attempts together.',
    usual: number(callDefaults.totalMs),
  },
  {
    key: 'attempts',
    title: 'Attempts',
    hint: 'How many nodes are asked for one read at the most.',
    usual: number(callDefaults.attempts),
  },
  {
    key: 'hedge',
    title: 'Second node for slow reads',
    hint: 'After so many ms, after a percentile of the times of the first node (p50, p75, p90, p95, p99), or off.',
    usual: 'p95, from 100 ms to 1 s',
  },
  {
    key: 'answerBytes',
    title: 'Longest answer, in bytes',
    hint: 'A longer one is an error of its own, and no other node is asked.',
    usual: number(callDefaults.answerBytes),
  },
  {
    key: 'bodyBytes',
    title: 'Longest request, in bytes',
    hint: 'A longer one is refused before anything is charged.',
    usual: number(callDefaults.bodyBytes),
  },
]

const cacheField: SettingField = {
  key: 'cacheFor',
  title: 'Answers are kept for',
  hint: 'Those with status 200: 5s, 10m, 12h, 7d, or forever, which is until the endpoint is changed.',
  usual: 'not kept',
}

/** The fields of a method or pattern. Only answers to what is read at a path can be kept for a time. */
export const methodSettingFields = ({ pattern, texts }: MethodSettingsDraft): readonly SettingField[] =>
  pattern.trim().startsWith('GET ') || texts.cacheFor !== '' ? [...settingFields, cacheField] : settingFields

const noTexts: SettingTexts = {
  firstByteMs: '',
  totalMs: '',
  attempts: '',
  hedge: '',
  answerBytes: '',
  bodyBytes: '',
  cacheFor: '',
}

const textsOf = (settings: MethodSettings): SettingTexts => {
  const given = Object.entries(settings).map(([key, value]) => [key, String(value)])
  return { ...noTexts, ...Object.fromEntries(given) }
}

export const newMethodSettings = (): MethodSettingsDraft => ({ pattern: '', texts: noTexts })

export function settingsDraft(settings: EndpointSettings): SettingsDraft {
  const { byMethod, cache, transactionNodes, logBlocks, ...ofCalls } = settings
  return {
    all: textsOf(ofCalls),
    methods: Object.entries(byMethod).map(([pattern, own]) => ({ pattern, texts: textsOf(own) })),
    ofNodes: {
      cache: cache === undefined || cache === 'all' ? '' : cache,
      transactionNodes: String(transactionNodes ?? ''),
      logBlocks: String(logBlocks ?? ''),
    },
  }
}

/** Reads the settings. Mistakes are named by the field; what cannot hold together, the server knows. */
export function readSettings({ all, methods, ofNodes }: SettingsDraft): FormReading<EndpointSettings> {
  const patterns = methods.map(({ pattern }) => pattern.trim())
  const errors: FieldErrors = {
    ...settingErrors(all, 'settings'),
    ...errorsIn(EndpointSettings.safeParse(valuesOf({ ...ofNodes })), 'settings'),
    ...Object.assign(
      {},
      ...methods.map(({ texts }, place) => settingErrors(texts, methodPath(patterns[place] ?? ''))),
    ),
    ...patternErrors(patterns),
  }
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const byMethod = Object.fromEntries(
    methods.map(({ texts }, place) => [patterns[place] ?? '', valuesOf(texts)]),
  )
  return { kind: 'value', value: { ...valuesOf({ ...ofNodes }), ...valuesOf(all), byMethod } }
}

/** The path of the settings of a method in what the server says. */
export const methodPath = (pattern: string): string => `settings.byMethod.${pattern.trim()}`

/** Every field of the settings that can show what is wrong with it. */
export const settingPaths = ({ methods }: SettingsDraft): readonly string[] => [
  ...[...settingFields, ...nodeSettingFields].map(({ key }) => `settings.${key}`),
  'settings.cache',
  ...methods.flatMap((method) =>
    methodSettingFields(method).map(({ key }) => `${methodPath(method.pattern)}.${key}`),
  ),
  'settings.byMethod',
]

function patternErrors(patterns: readonly string[]): FieldErrors {
  const wrong = patterns.map(methodProblem).find((problem) => problem !== null)
  if (wrong !== undefined) return { 'settings.byMethod': asSentence(wrong) }
  const twice = patterns.find((pattern, place) => patterns.indexOf(pattern) < place)
  return twice === undefined ? {} : { 'settings.byMethod': `${twice} is named twice.` }
}

const settingErrors = (texts: SettingTexts, path: string): FieldErrors =>
  errorsIn(MethodSettings.safeParse(valuesOf(texts)), path)

function errorsIn(result: ReturnType<typeof MethodSettings.safeParse>, path: string): FieldErrors {
  if (result.success) return {}
  return Object.fromEntries(
    result.error.issues.map((issue) => [[path, ...issue.path].join('.'), issueText(issue)]),
  )
}

/** What was typed: numbers where it is one, and other text as it is. */
function valuesOf(texts: Readonly<Record<string, string>>): Partial<EndpointSettings> {
  const given = Object.entries(texts).flatMap(([key, typed]) => {
    const text = typed.trim().replaceAll(',', '')
    return text === '' ? [] : [[key, /^\d+$/.test(text) ? Number(text) : text] as const]
  })
  return Object.fromEntries(given)
}
