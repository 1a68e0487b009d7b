import { trpc } from '../trpc.ts'

/** The account's own policies. */
export const toolPoliciesQuery = {
  key: ['tool-policies', 'list'],
  query: () => trpc.toolPolicies.list.query(),
}

/** The policy of the installation, which its file sets. */
export const installationPolicyQuery = {
  key: ['tool-policies', 'installation'],
  query: () => trpc.toolPolicies.ofInstallation.query(),
}
