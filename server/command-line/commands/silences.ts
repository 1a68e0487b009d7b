import * as z from 'zod/mini'

import { DurationText, SilenceForm, durationMs } from '../../../shared/alert-times.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatMinute } from '../output/minute.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { allServicesNote, selectorFlags, selectorFromFlags } from './service-selector.ts'

type ListedSilence = ProcedureOutputs['silences']['list'][number]

const silencesTable = (silences: readonly ListedSilence[]): string =>
  formatTable(
    ['ID', 'RULE', 'SERVICES', 'DECISIONS', 'UNTIL', 'BY', 'REASON'],
    silences.map(({ id, rule = 'all', services, decisions, until, createdBy, reason }) => [
      id,
      rule,
      services === undefined ? 'all' : Object.values(services).flat().join(', '),
      decisions?.join(', ') ?? 'all',
      formatMinute(until),
      createdBy,
      reason,
    ]),
  )

const listSilences = serverCommand({
  name: 'silences list',
  about: 'Lists the silences that last, with their ids.',
  ask: (client) => client.silences.list.query(),
  text: (silences) => (silences.length === 0 ? 'Nothing is silenced.' : silencesTable(silences).trimEnd()),
})

const addSilence = serverCommand({
  name: 'silences add',
  about: 'Has alerts told to nobody for a while; what is still firing afterwards is told then.',
  flags: {
    for: { type: 'string', value: 'TIME', isRequired: true, about: 'how long: such as 90s, 10m, 4h or 14d' },
    rule: { type: 'string', value: 'NAME', about: 'only of this rule' },
    decision: {
      type: 'string',
      value: 'DECISION',
      isRepeatable: true,
      about: 'only with this decision: DOWN, LATENCY, UNKNOWN',
    },
    ...selectorFlags,
    reason: { type: 'string', value: 'TEXT', about: 'why, for people' },
  },
  notes: `Example: silences add --for 2h --chain ethereum --reason "the provider works on it"
${allServicesNote}`,
  ask: (client, args) => client.silences.create.mutate(readSilence(args)),
  text: ({ id }, args) =>
    `Silenced for ${args.required('for')}. To end it before: silences end ${printable(id)}`,
})

/** Throws `CommandFailure`. */
function readSilence(args: ParsedArguments): SilenceForm {
  const lasts = checked(z.strictObject({ for: DurationText }), { for: args.required('for') })
  const [rule, decisions] = [args.text('rule'), args.texts('decision')]
  return checked(SilenceForm, {
    ...(rule !== null && { rule }),
    ...(decisions.length > 0 && { decisions }),
    ...selectorFromFlags(args),
    until: systemClock.now() + durationMs(lasts.for),
    reason: args.text('reason') ?? '',
  })
}

const endSilence = serverCommand({
  name: 'silences end',
  about: 'Ends a silence; what is still firing is told then.',
  positionals: ['ID'],
  ask: (client, args) => client.silences.end.mutate({ id: args.argument(0) }),
  json: (_, args) => ({ ended: args.argument(0) }),
  text: (_, args) => `Ended ${printable(args.argument(0))}.`,
})

export const silenceCommands: readonly CliCommand[] = [listSilences, addSilence, endSilence]
