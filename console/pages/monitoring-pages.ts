import AlertsPage from '../alerts/AlertsPage.vue'
import ChainsPage from '../chains/ChainsPage.vue'
import ServicePage from '../health/ServicePage.vue'
import ServicesPage from '../health/ServicesPage.vue'
import VerifiersPage from '../health/VerifiersPage.vue'
import StatusPagesPage from '../status-pages/StatusPagesPage.vue'

export const monitoringPages = {
  services: ServicesPage,
  service: ServicePage,
  verifiers: VerifiersPage,
  chains: ChainsPage,
  statusPages: StatusPagesPage,
  alerts: AlertsPage,
}
