import { ImportedRegistryResource, RegistryResource } from '../../../shared/admin-access-resources.ts'
import { RegistryArchive, type RegistryStatus } from '../../../shared/registry.ts'
import { idText } from '../../../shared/text.ts'
import { requestLimits } from '../../platform/http/request-limits.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const active = oneList<RegistryStatus>({
  all: async ({ call }) => [await call.registry.status()],
  idOf: ({ version }) => version,
  versionOf: ({ version }) => version,
  missing: 'No registry of this version is active',
})

/** What there is to be discovered. Its entries are for everybody who is signed in, and for agents. */
export const adminRegistry = resource({
  path: 'registry',
  name: 'RegistryImport',
  one: 'a registry',
  many: 'the active registry',
  view: RegistryResource,
  id: idText(100),
  ...active.reading,
  creating: {
    body: RegistryArchive,
    view: ImportedRegistryResource,
    example: { source: 'registry.tar.gz', content: 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=' },
    about: 'Imports a `.tar.gz` archive, in Base64, in its place. One that cannot be used changes nothing.',
    maxBytes: requestLimits.archiveBytes,
    async create({ call }, archive) {
      const { version, problems } = await call.registry.importArchive(archive)
      return { id: version, once: { problems } }
    },
  },
  changing: { refused: 'A registry is replaced as a whole: import another one by POST /admin/registry' },
  removing: { refused: 'There is always a registry: import another one by POST /admin/registry' },
})
