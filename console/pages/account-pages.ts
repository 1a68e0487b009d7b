import AccountsPage from '../accounts/list/AccountsPage.vue'
import AllKeysPage from '../accounts/list/AllKeysPage.vue'
import SettingsPage from '../accounts/SettingsPage.vue'
import AuditLogPage from '../audit/AuditLogPage.vue'
import PlansPage from '../plans/PlansPage.vue'
import JoinTeamPage from '../teams/JoinTeamPage.vue'
import TeamPage from '../teams/TeamPage.vue'

export const accountPages = {
  accounts: AccountsPage,
  plans: PlansPage,
  accountKeys: AllKeysPage,
  team: TeamPage,
  auditLog: AuditLogPage,
  settings: SettingsPage,
  joinTeam: JoinTeamPage,
}
