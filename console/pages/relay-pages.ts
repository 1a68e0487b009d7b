import EndpointsPage from '../endpoints/EndpointsPage.vue'
import QueryKeysPage from '../query-keys/QueryKeysPage.vue'
import RequestsPage from '../requests/RequestsPage.vue'
import UsagePage from '../usage/UsagePage.vue'

export const relayPages = {
  usage: UsagePage,
  requests: RequestsPage,
  endpoints: EndpointsPage,
  queryKeys: QueryKeysPage,
}
