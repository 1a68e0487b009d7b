import type { DeclaredCapabilities } from '../../shared/node-capabilities.ts'
import type { FieldErrors } from '../forms/field-errors.ts'

/** What is declared of a node, as it is typed; empty: as verifiers find it. */
export interface CapabilityForm {
  archive: '' | 'yes' | 'no'
  lowestBlock: string
  logRange: string
}

export const archiveChoices: readonly {
  readonly value: CapabilityForm['archive']
  readonly label: string
}[] = [
  { value: '', label: 'As verifiers find it' },
  { value: 'yes', label: 'Yes: the state of every block' },
  { value: 'no', label: 'No: old states are pruned' },
]

export const emptyCapabilityForm = (): CapabilityForm => ({ archive: '', lowestBlock: '', logRange: '' })

export const capabilityFormOf = ({
  archive,
  lowestBlock,
  logRange,
}: DeclaredCapabilities): CapabilityForm => ({
  archive: archive === undefined ? '' : archive ? 'yes' : 'no',
  lowestBlock: lowestBlock === undefined ? '' : String(lowestBlock),
  logRange: logRange === undefined ? '' : String(logRange),
})

const numberFields = ['lowestBlock', 'logRange'] as const
const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text.trim())

/** Returns which fields hold no whole number; the server checks what is allowed. */
export const capabilityErrors = (form: CapabilityForm): FieldErrors =>
  Object.fromEntries(
    numberFields.flatMap((field) =>
      form[field].trim() === '' || isWhole(form[field])
        ? []
        : [[`capabilities.${field}`, 'Expected a whole number.']],
    ),
  )

export const capabilitiesOfForm = ({
  archive,
  lowestBlock,
  logRange,
}: CapabilityForm): DeclaredCapabilities => ({
  ...(archive !== '' && { archive: archive === 'yes' }),
  ...(lowestBlock.trim() !== '' && { lowestBlock: Number(lowestBlock) }),
  ...(logRange.trim() !== '' && { logRange: Number(logRange) }),
})

export const capabilityFields: readonly string[] = ['capabilities', 'capabilities.archive'].concat(
  numberFields.map((field) => `capabilities.${field}`),
)
