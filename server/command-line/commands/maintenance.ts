import { MaintenanceWindow } from '../../../shared/alert-times.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatMinute } from '../output/minute.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { allServicesNote, selectorFlags, selectorFromFlags } from './service-selector.ts'

type ListedMaintenance = ProcedureOutputs['maintenance']['list'][number]

const maintenanceTable = (windows: readonly ListedMaintenance[]): string =>
  formatTable(
    ['NAME', 'STATE', 'FROM', 'TO', 'AGAIN', 'REASON', 'MANAGED BY'],
    windows.map(({ name, isUnderWay, startsAt, endsAt, every, reason, managedBy }) => [
      name,
      isUnderWay ? 'under way' : startsAt === null ? 'over' : 'planned',
      startsAt === null ? '–' : formatMinute(startsAt),
      endsAt === null ? '–' : formatMinute(endsAt),
      every === undefined ? 'no' : (every.days?.join(',') ?? 'daily'),
      reason,
      managedBy,
    ]),
  )

const listMaintenance = serverCommand({
  name: 'maintenance list',
  about: 'Lists planned work, in which alerts are held back.',
  ask: (client) => client.maintenance.list.query(),
  text: (windows) => (windows.length === 0 ? 'No work is planned.' : maintenanceTable(windows).trimEnd()),
})

const addMaintenance = serverCommand({
  name: 'maintenance add',
  about: 'Plans work, once or again and again; alerts about these services are held back meanwhile.',
  positionals: ['NAME'],
  flags: {
    from: {
      type: 'string',
      value: 'TIME',
      isRequired: true,
      about: 'an instant, or a time of day such as 02:00',
    },
    to: { type: 'string', value: 'TIME', isRequired: true, about: 'its end, in the same form' },
    days: { type: 'string', value: 'DAYS', about: 'with times of day: such as sat,sun (default: every day)' },
    zone: { type: 'string', value: 'ZONE', about: 'with times of day: such as Europe/Berlin (default: UTC)' },
    ...selectorFlags,
    reason: { type: 'string', value: 'TEXT', about: 'why, for people' },
  },
  notes: `Examples: maintenance add disks --from 2026-12-01T08:00:00Z --to 2026-12-01T10:00:00Z --service node-a
maintenance add weekly --from 02:00 --to 04:00 --days sun --zone Europe/Berlin --reason restarts
${allServicesNote}`,
  ask: (client, args) => client.maintenance.create.mutate(readWindow(args)),
  json: (_, args) => ({ added: args.argument(0) }),
  text: (_, args) => `Planned ${printable(args.argument(0))}.`,
})

/** Throws `CommandFailure`. */
function readWindow(args: ParsedArguments): MaintenanceWindow {
  const [from, to, days, zone] = [
    args.required('from'),
    args.required('to'),
    args.text('days'),
    args.text('zone'),
  ]
  const isDaily = /^\d\d:\d\d$/.test(from)
  if (!isDaily && (days ?? zone) !== null) throw new CommandFailure('--days and --zone need times of day')
  return checked(MaintenanceWindow, {
    name: args.argument(0),
    reason: args.text('reason') ?? '',
    ...selectorFromFlags(args),
    ...(isDaily
      ? {
          every: {
            from,
            to,
            ...(days !== null && { days: days.split(',') }),
            ...(zone !== null && { zone }),
          },
        }
      : { once: { from, to } }),
  })
}

const removeMaintenance = serverCommand({
  name: 'maintenance remove',
  about: 'Removes planned work; what is still firing is told then.',
  positionals: ['NAME'],
  ask: (client, args) => client.maintenance.delete.mutate({ name: args.argument(0) }),
  json: (_, args) => ({ removed: args.argument(0) }),
  text: (_, args) => `Removed ${printable(args.argument(0))}.`,
})

export const maintenanceCommands: readonly CliCommand[] = [listMaintenance, addMaintenance, removeMaintenance]
