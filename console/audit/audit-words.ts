import type { AuditAction, AuditFacts } from '../../shared/audit.ts'
import { auditActions } from '../../shared/audit.ts'
import type { RouterAnswers } from '../trpc.ts'

export type ListedAuditEntry = RouterAnswers['audit']['list']['events'][number]

interface ActionWords {
  /** In a list to choose from. */
  readonly title: string
  /** Behind the name of who did it, before the name of what it was done to. */
  readonly phrase: string
}

const words: Readonly<Record<AuditAction, ActionWords>> = {
  'service.add': { title: 'Service registered', phrase: 'registered the service' },
  'service.update': { title: 'Service changed', phrase: 'changed the service' },
  'service.remove': { title: 'Service removed', phrase: 'removed the service' },
  'service.maintenance': { title: 'Service maintenance', phrase: 'started maintenance of the service' },
  'verifier.token': { title: 'Enrolment token made', phrase: 'made a token to enrol a verifier' },
  'verifier.token_cancel': {
    title: 'Enrolment token cancelled',
    phrase: 'cancelled a token to enrol a verifier',
  },
  'verifier.enroll': { title: 'Verifier enrolled', phrase: 'enrolled the verifier' },
  'verifier.revoke': { title: 'Verifier revoked', phrase: 'revoked the verifier' },
  'account.sign_in': { title: 'Sign-in', phrase: 'signed in' },
  'account.sign_out': { title: 'Sign-out', phrase: 'signed out' },
  'account.session_revoke': { title: 'Sessions ended', phrase: 'ended other sessions' },
  'account.link': { title: 'Identity linked', phrase: 'linked one more identity' },
  'account.unlink': { title: 'Identity removed', phrase: 'removed an identity' },
  'account.contact': { title: 'Contact details', phrase: 'changed what contact details are shared' },
  'account.approve': { title: 'Account approved', phrase: 'approved the account' },
  'account.join': { title: 'Account let in', phrase: 'was let in' },
  'account.create': { title: 'Account created', phrase: 'created the account' },
  'account.disable': { title: 'Account disabled', phrase: 'disabled the account' },
  'account.enable': { title: 'Account enabled', phrase: 'enabled the account' },
  'account.delete': { title: 'Account deleted', phrase: 'deleted the account' },
  'account.role': { title: 'Role changed', phrase: 'changed the role of the account' },
  'account.plan': { title: 'Plan changed', phrase: 'changed the plan of the account' },
  'plan.create': { title: 'Plan created', phrase: 'created the plan' },
  'plan.update': { title: 'Plan edited', phrase: 'edited the plan' },
  'plan.delete': { title: 'Plan deleted', phrase: 'deleted the plan' },
  'chain.create': { title: 'Chain added', phrase: 'added the chain' },
  'chain.update': { title: 'Chain edited', phrase: 'edited the chain' },
  'chain.delete': { title: 'Chain deleted', phrase: 'deleted the chain' },
  'account.invite': { title: 'Somebody invited', phrase: 'made the invitation' },
  'account.invitation_cancel': { title: 'Invitation cancelled', phrase: 'cancelled the invitation' },
  'team.create': { title: 'Team created', phrase: 'created the team' },
  'team.rename': { title: 'Team renamed', phrase: 'renamed the team' },
  'team.delete': { title: 'Team deleted', phrase: 'deleted the team' },
  'team.invite': { title: 'Member invited', phrase: 'invited somebody to the team' },
  'team.invitation_cancel': {
    title: 'Invitation to a team cancelled',
    phrase: 'cancelled an invitation to the team',
  },
  'team.join': { title: 'Member joined', phrase: 'joined the team' },
  'team.role': { title: 'Role in a team changed', phrase: 'changed the role of a member of the team' },
  'team.leave': { title: 'Member left', phrase: 'left the team' },
  'team.remove': { title: 'Member removed', phrase: 'removed a member of the team' },
  'operator.claim': { title: 'Operator made', phrase: 'became an operator' },
  'audit.archive': { title: 'Log archived', phrase: 'moved a month of the log into a file of' },
  'api_key.create': { title: 'API key created', phrase: 'created the API key' },
  'api_key.update': { title: 'API key changed', phrase: 'changed the API key' },
  'api_key.enable': { title: 'API key enabled', phrase: 'enabled the API key' },
  'api_key.disable': { title: 'API key disabled', phrase: 'disabled the API key' },
  'api_key.delete': { title: 'API key deleted', phrase: 'deleted the API key' },
  'api_key.reveal': { title: 'API key shown', phrase: 'looked at the value of the API key' },
  'api_key.rotate': { title: 'API key rotated', phrase: 'replaced the value of the API key' },
  'query_key.create': { title: 'Query key created', phrase: 'created the query key' },
  'query_key.update': { title: 'Query key changed', phrase: 'changed the query key' },
  'query_key.enable': { title: 'Query key enabled', phrase: 'enabled the query key' },
  'query_key.disable': { title: 'Query key disabled', phrase: 'disabled the query key' },
  'query_key.delete': { title: 'Query key deleted', phrase: 'deleted the query key' },
  'query_key.reveal': { title: 'Query key shown', phrase: 'looked at the value of the query key' },
  'query_key.rotate': { title: 'Query key rotated', phrase: 'replaced the value of the query key' },
  'endpoint.create': { title: 'Endpoint created', phrase: 'created the endpoint' },
  'endpoint.update': { title: 'Endpoint changed', phrase: 'changed the endpoint' },
  'endpoint.remove': { title: 'Endpoint removed', phrase: 'removed the endpoint' },
  'registry.import': { title: 'Registry imported', phrase: 'imported a registry of services' },
  'connection.create': { title: 'Connection saved', phrase: 'saved the connection' },
  'connection.update': { title: 'Connection relabelled', phrase: 'relabelled the connection' },
  'connection.accept_tools': {
    title: 'Changed tools accepted',
    phrase: 'accepted the tools of the connection',
  },
  'connection.secret_quoted': {
    title: 'Secret quoted by a tool server',
    phrase: 'hid the secret that the tool server quoted, of the connection',
  },
  'oauth_issuer.set': {
    title: 'Client id set',
    phrase: 'set the client id for the authorization server',
  },
  'oauth_issuer.remove': {
    title: 'Client id removed',
    phrase: 'removed the client id for the authorization server',
  },
  'tool_server.accept_tools': {
    title: 'Tools of a tool server accepted',
    phrase: 'accepted the tools of the tool server',
  },
  'connection.consent': { title: 'Connection agreed to', phrase: 'agreed to the access of the connection' },
  'connection.consent_lost': {
    title: 'Connection lost its access',
    phrase: 'noticed that another consent is needed for the connection',
  },
  'connection.delete': { title: 'Connection deleted', phrase: 'deleted the connection' },
  'tool_policy.save': { title: 'Tool policy saved', phrase: 'saved the tool policy' },
  'tool_policy.remove': { title: 'Tool policy removed', phrase: 'removed the tool policy' },
  'virtual_server.create': { title: 'Virtual server created', phrase: 'created the virtual server' },
  'virtual_server.update': { title: 'Virtual server changed', phrase: 'changed the virtual server' },
  'virtual_server.delete': { title: 'Virtual server deleted', phrase: 'deleted the virtual server' },
  'status_page.create': { title: 'Status page created', phrase: 'created the status page' },
  'status_page.update': { title: 'Status page changed', phrase: 'changed the status page' },
  'status_page.delete': { title: 'Status page deleted', phrase: 'deleted the status page' },
  'status_page.export_subscribers': {
    title: 'Subscribers exported',
    phrase: 'exported the subscribers of the status page',
  },
  'status_page.remove_subscriber': {
    title: 'Subscriber removed',
    phrase: 'removed a subscriber of the status page',
  },
  'status_incident.start': {
    title: 'Incident published',
    phrase: 'published an incident on the status page',
  },
  'status_incident.update': {
    title: 'Incident updated',
    phrase: 'wrote an update of an incident on the status page',
  },
  'status_incident.delete': {
    title: 'Incident deleted',
    phrase: 'deleted an incident of the status page',
  },
  'agent.connect': { title: 'Agent connected', phrase: 'let in the agent' },
  'agent.disconnect': { title: 'Agent disconnected', phrase: 'ended the access of the agent' },
  'channel.create': { title: 'Channel created', phrase: 'created the channel' },
  'channel.update': { title: 'Channel changed', phrase: 'changed the channel' },
  'channel.delete': { title: 'Channel deleted', phrase: 'deleted the channel' },
  'channel.test': { title: 'Channel tried out', phrase: 'tried out the channel' },
  'alert_rule.create': { title: 'Alert rule created', phrase: 'created the alert rule' },
  'alert_rule.update': { title: 'Alert rule changed', phrase: 'changed the alert rule' },
  'alert_rule.delete': { title: 'Alert rule deleted', phrase: 'deleted the alert rule' },
  'alert.acknowledge': { title: 'Alert acknowledged', phrase: 'takes care of the alert' },
  'silence.create': { title: 'Silence created', phrase: 'created the silence' },
  'silence.end': { title: 'Silence ended', phrase: 'ended the silence' },
  'maintenance.create': { title: 'Maintenance planned', phrase: 'planned the maintenance' },
  'maintenance.update': { title: 'Maintenance changed', phrase: 'changed the maintenance' },
  'maintenance.delete': { title: 'Maintenance deleted', phrase: 'deleted the maintenance' },
  'delivery.resend': { title: 'Message sent again', phrase: 'had sent again the message' },
  'statement.send': { title: 'Statements sent', phrase: 'sent the statements of the month' },
  'address.allow': { title: 'Private address allowed', phrase: 'allowed the private address' },
  'address.revoke': { title: 'Private address revoked', phrase: 'revoked the private address' },
}

const isKnown = (action: string): action is AuditAction => auditActions.some((known) => known === action)

export const actionOptions: readonly { value: AuditAction; label: string }[] = auditActions.map((action) => ({
  value: action,
  label: words[action].title,
}))

/** What was done, as a verb; the name of an action that a newer version wrote stays as it is. */
export function actionPhrase({ action, after }: Pick<ListedAuditEntry, 'action' | 'after'>): string {
  if (action === 'service.maintenance' && after?.isOver === true) return 'ended maintenance of the service'
  return isKnown(action) ? words[action].phrase : `did “${action}” to`
}

/** Accounts act on themselves; a token belongs to nothing yet. */
const isSaidByPhrase = ({ subjectKind, subjectId, actor }: ListedAuditEntry): boolean =>
  subjectKind === 'installation' || (subjectKind === 'account' && subjectId === actor)

/** What to call the thing that it was done to; null where the phrase says all. */
export function subjectName(entry: ListedAuditEntry): string | null {
  if (isSaidByPhrase(entry)) return null
  return nameIn(entry.after) ?? nameIn(entry.before) ?? entry.subjectId
}

const nameIn = (facts: AuditFacts | null): string | null =>
  typeof facts?.name === 'string' && facts.name !== '' ? facts.name : null

/** An account without a label is known by its id. */
export const actorName = ({ actor, actorLabel }: Pick<ListedAuditEntry, 'actor' | 'actorLabel'>): string =>
  actorLabel === '' ? actor : actorLabel
