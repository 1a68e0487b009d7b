/**
 * What the secrets that Gatehouse mints begin with, so that people, secret scanners and our own log recognise them. No
 * secret is minted with another prefix, and whatever follows one of these is taken out of logs (`redact.ts`).
 */
export const tokenPrefixes = {
  apiKey: 'gak_',
  queryKey: 'gqk_',
  verifierEnrolment: 'gvt_',
  gatewaySession: 'gws_',
  operatorSetup: 'gst_',
  invitation: 'giv_',
  agentCode: 'gac_',
  agentAccess: 'gat_',
  agentRefresh: 'gar_',
  subscription: 'gsu_',
} as const

export type TokenPrefix = (typeof tokenPrefixes)[keyof typeof tokenPrefixes]

export const isApiKey = (value: string): boolean => value.startsWith(tokenPrefixes.apiKey)

export const isQueryKey = (value: string | null): value is string =>
  value?.startsWith(tokenPrefixes.queryKey) === true
