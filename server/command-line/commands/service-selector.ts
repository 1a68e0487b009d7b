import type { CliFlag, ParsedArguments } from '../arguments/command.ts'

/** Flags that say which services are meant. */
export const selectorFlags = {
  service: { type: 'string', value: 'ID', isRepeatable: true, about: 'of this service' },
  chain: { type: 'string', value: 'KEY', isRepeatable: true, about: 'of the services of this chain' },
  provider: { type: 'string', value: 'NAME', isRepeatable: true, about: 'of the services of this provider' },
  label: { type: 'string', value: 'LABEL', isRepeatable: true, about: 'of the services with this label' },
} as const satisfies Record<string, CliFlag>

export const allServicesNote = 'Without --service, --chain, --provider and --label it is about all services.'

/** Returns what those flags say, as `services` of a rule, a silence or planned work; nothing where none is given. */
export function selectorFromFlags(args: ParsedArguments): { services?: Record<string, readonly string[]> } {
  const fields = { id: 'service', chain: 'chain', provider: 'provider', label: 'label' } as const
  const given = Object.entries(fields)
    .map(([field, flag]) => [field, args.texts(flag)] as const)
    .filter(([, values]) => values.length > 0)
  return given.length === 0 ? {} : { services: Object.fromEntries(given) }
}
