import { createHash } from 'node:crypto'

import type { ToolPolicyView } from '../../shared/tool-policies.ts'

/** Characters of a schema that the audit log keeps: as many rules as a policy may have fit into one entry. */
const keptChars = 1_200

/**
 * Returns a policy as the audit log has it. Schemas are texts there: what they say of an argument named `token` is a rule that
 * somebody wrote, and no secret, which members of such names are taken for. Of a long one there is also the hash, so that none
 * is changed without a sign of it.
 */
export const auditedPolicy = ({ accountId, policy }: Pick<ToolPolicyView, 'accountId' | 'policy'>) => ({
  accountId,
  ...policy,
  arguments: policy.arguments.map(({ tools, schema }) => ({ tools, ...schemaFacts(JSON.stringify(schema)) })),
})

const schemaFacts = (schema: string) =>
  schema.length <= keptChars
    ? { schema }
    : {
        schema: `${schema.slice(0, keptChars)}…`,
        sha256: createHash('sha256').update(schema).digest('hex'),
      }
