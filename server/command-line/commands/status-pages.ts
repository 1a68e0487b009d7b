import { StatusPageSpec } from '../../../shared/status-pages.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { describedInFiles } from './described-in-files.ts'

type ListedPage = ProcedureOutputs['statusPages']['list'][number]

const table = (pages: readonly ListedPage[]): string =>
  formatTable(
    ['PAGE', 'TITLE', 'SERVICES', 'PUBLISHED', 'ADDRESS', 'MANAGED BY'],
    pages.map(({ spec: { page, title, groups, published }, url, previewUrl, managedBy }) => [
      page,
      title,
      String(groups.reduce((count, { services }) => count + services.length, 0)),
      published ? 'yes' : 'no',
      previewUrl ?? url,
      managedBy,
    ]),
  )

const list = serverCommand({
  name: 'status-pages list',
  about: 'Lists the public pages about services, with their addresses.',
  ask: (client) => client.statusPages.list.query(),
  text: (pages) =>
    pages.length === 0 ? 'There is no status page; see status-pages add --help.' : table(pages).trimEnd(),
})

export const statusPageCommands: readonly CliCommand[] = [
  list,
  ...describedInFiles({
    group: 'status-pages',
    one: 'a status page',
    section: 'status',
    example: '{ page: main, title: Example, groups: [{ name: Nodes, services: [{ id: node-a }] }] }',
    schema: StatusPageSpec,
    nameOf: ({ page }) => page,
    add: (client, spec) => client.statusPages.save.mutate({ spec, isNew: true }),
    remove: (client, page) => client.statusPages.remove.mutate({ page }),
  }),
]
