import type * as z from 'zod/mini'

import type { CliCommand } from '../arguments/command.ts'
import { readFileArgument } from '../arguments/file-argument.ts'
import type { ControlClient } from '../control-client.ts'
import { printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

interface DescribedInFiles<Spec, Added> {
  /** The first word of its commands, such as `endpoints`. */
  readonly group: string
  /** Such as `an endpoint`. */
  readonly one: string
  /** Where the file of the installation has the same, such as `endpoints`; stands in the help. */
  readonly section: string
  readonly example: string
  readonly schema: z.ZodMiniType<Spec>
  readonly nameOf: (spec: Spec) => string
  readonly add: (client: ControlClient, spec: Spec) => Promise<Added>
  readonly remove: (client: ControlClient, name: string) => Promise<unknown>
  /** A line about what was added that is shown this once. */
  readonly once?: (added: Added) => string | null
}

/** The commands that make and remove what has too many parts for flags: a file describes it as that of the installation does. */
export function describedInFiles<Spec, Added>(kind: DescribedInFiles<Spec, Added>): readonly CliCommand[] {
  const { group, one, section, example, schema, nameOf, once = () => null } = kind
  const add = serverCommand({
    name: `${group} add`,
    about: `Makes ${one}, which is changed in the console and by REST, and removed there or here.`,
    positionals: ['FILE'],
    reads: schema,
    notes: `FILE is YAML or JSON, what an item of ${section} is in gatehouse.yaml; - reads standard input. Example:
echo '${example}' | npm run --silent gatehouse -- ${group} add -`,
    async ask(client, args) {
      const spec = await readFileArgument(args, schema)
      return { name: nameOf(spec), added: await kind.add(client, spec) }
    },
    json: ({ name, added }) => ({ name, ...added }),
    text: ({ name, added }) => [`Added ${printable(name)}.`, once(added)].filter(Boolean).join('\n'),
  })
  const remove = serverCommand({
    name: `${group} remove`,
    about: `Removes ${one} that the file of the installation does not declare.`,
    positionals: ['NAME'],
    ask: (client, args) => kind.remove(client, args.argument(0)),
    json: (_, args) => ({ removed: args.argument(0) }),
    text: (_, args) => `Removed ${printable(args.argument(0))}.`,
  })
  return [add, remove]
}
