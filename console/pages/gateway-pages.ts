import ConnectServerPage from '../gateway/ConnectServerPage.vue'
import GatewayPage from '../gateway/GatewayPage.vue'
import RegistryPage from '../registry/RegistryPage.vue'
import ToolCallsPage from '../tool-calls/ToolCallsPage.vue'

export const gatewayPages = {
  registry: RegistryPage,
  gateway: GatewayPage,
  toolCalls: ToolCallsPage,
  connectServer: ConnectServerPage,
}
