import {
  type Chain,
  type ChainFamily,
  CustomChain,
  type Family,
  isChainless,
  secondApis,
} from '../../shared/chains.ts'
import { type FieldErrors, type FormReading, issueErrors } from '../forms/field-errors.ts'

/** The content of the form's fields. What is empty is as usual for the family. */
export interface ChainForm {
  key: string
  name: string
  family: Family
  chainId: string
  genesisHash: string
  blockMs: string
  futureTolSec: string
  headAge: Chain['headAge'] | ''
  finalityDepth: string
}

export const chainFormFields = [
  'key',
  'name',
  'family',
  'chainId',
  'genesisHash',
  'blockMs',
  'futureTolSec',
  'headAge',
  'finalityDepth',
] as const

export const emptyChainForm = (): ChainForm => ({
  key: '',
  name: '',
  family: 'evm',
  chainId: '',
  genesisHash: '',
  blockMs: '',
  futureTolSec: '',
  headAge: '',
  finalityDepth: '',
})

const textOf = (value: string | number | null | undefined): string => String(value ?? '')

/** Returns the form with which editing begins. */
export const chainFormOf = (chain: CustomChain): ChainForm => ({
  key: chain.key,
  name: chain.name,
  family: chain.family,
  chainId: textOf(chain.chainId),
  genesisHash: textOf(chain.genesisHash),
  blockMs: textOf(chain.blockMs),
  futureTolSec: textOf(chain.futureTolSec),
  headAge: chain.headAge ?? '',
  finalityDepth: textOf(chain.finalityDepth),
})

/** Whether a chain can be of a family: that of a second API, or of an index, is that of the chain below. */
export const isFamilyOfChains = (family: Family): boolean =>
  !isChainless(family) && family !== 'subgraph' && secondApis[family] === undefined

const numbers = ['blockMs', 'futureTolSec', 'finalityDepth'] as const

/**
 * Reads the chain. `facts`: of its family. `before`: the chain that is edited, whose reference nodes stay, because the form
 * does not show them.
 */
export function readChain(
  form: ChainForm,
  { chainIdForm, genesisHashForm }: Pick<ChainFamily, 'chainIdForm' | 'genesisHashForm'>,
  before: CustomChain | null,
): FormReading<CustomChain> {
  const [chainId, genesisHash] = [form.chainId.trim(), form.genesisHash.trim()]
  const given = numbers.filter((field) => form[field].trim() !== '')
  const parsed = CustomChain.safeParse({
    key: form.key.trim(),
    name: form.name.trim(),
    family: form.family,
    ...(chainId !== '' &&
      chainIdForm !== 'none' && { chainId: chainIdForm === 'integer' ? Number(chainId) : chainId }),
    ...(genesisHash !== '' && genesisHashForm !== null && { genesisHash }),
    ...Object.fromEntries(given.map((field) => [field, Number(form[field])])),
    ...(form.headAge !== '' && { headAge: form.headAge }),
    ...(before?.anchors !== undefined && { anchors: before.anchors }),
  })
  const missing: FieldErrors = {
    ...(form.key.trim() === '' && { key: 'Required.' }),
    ...(form.name.trim() === '' && { name: 'Required.' }),
  }
  if (parsed.success) return { kind: 'value', value: parsed.data }
  return { kind: 'wrong', errors: { ...issueErrors(parsed.error.issues, chainFormFields), ...missing } }
}
