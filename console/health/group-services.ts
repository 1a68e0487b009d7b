import type { ServiceSummary } from '../../shared/health-services.ts'

/** What a list of services is divided by; an empty text divides nothing. */
export const serviceGroupings = ['', 'chain', 'provider'] as const
export type ServiceGrouping = (typeof serviceGroupings)[number]

export const isServiceGrouping = (value: unknown): value is ServiceGrouping =>
  serviceGroupings.some((grouping) => grouping === value)

type Grouped = Pick<ServiceSummary, 'id' | 'chain' | 'family' | 'provider' | 'decision'>

interface GroupTitle {
  readonly title: string
  /** The key of the chain that all rows of the group have in common, where they are divided by chain. */
  readonly chain: string | null
}

/** The rows group by group, with the title of each row's group by its id. */
export interface GroupedRows<Row> {
  readonly rows: readonly Row[]
  readonly titles: ReadonlyMap<string, GroupTitle>
}

/** What is not UP comes first, whatever its group: nobody should have to look for it. Inside a group the order stays. */
export function groupServices<Row extends Grouped>(
  rows: readonly Row[],
  by: ServiceGrouping,
): GroupedRows<Row> {
  if (by === '') return { rows, titles: new Map() }
  const nameOf = (row: Row): string => (by === 'chain' ? (row.chain?.name ?? row.family) : row.provider)
  const attention = rows.filter(({ decision }) => decision !== 'UP')
  const byName = Map.groupBy(
    rows.filter(({ decision }) => decision === 'UP'),
    nameOf,
  )
  const counts = Map.groupBy(rows, nameOf)
  const groups = [...byName]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, up]) => ({
      title: `${name} · ${up.length} of ${counts.get(name)?.length} UP`,
      chain: by === 'chain' ? (up[0]?.chain?.key ?? null) : null,
      rows: up,
    }))
  if (attention.length > 0)
    groups.unshift({ title: `Needs attention · ${attention.length}`, chain: null, rows: attention })
  return {
    rows: groups.flatMap((group) => group.rows),
    titles: new Map(groups.flatMap((group) => group.rows.map(({ id }) => [id, group]))),
  }
}
