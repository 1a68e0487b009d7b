import { servicesPerPage } from '../../shared/health-services.ts'
import { type AddressQuery, queryText } from '../address-query.ts'
import { type PageSize, pageSizes } from '../ui/page-sizes.ts'
import { type ServiceGrouping, isServiceGrouping } from './group-services.ts'
import { type ServiceFilter, serviceFilterFromQuery, serviceQueryOf } from './service-filter.ts'

/** What is shown of the list of services. It stands in the address of the page: `?q=fra&decision=DOWN&group=chain&size=100`. */
export interface ServicesView {
  readonly filter: ServiceFilter
  readonly grouping: ServiceGrouping
  readonly size: PageSize
}

/** Reads the address; what makes no sense in it counts as absent. */
export function servicesViewFromQuery(query: AddressQuery): ServicesView {
  const [grouping, size] = [queryText(query, 'group'), queryText(query, 'size')]
  return {
    filter: serviceFilterFromQuery(query),
    grouping: isServiceGrouping(grouping) ? grouping : '',
    size: pageSizes.find((each) => String(each) === size) ?? servicesPerPage,
  }
}

/** The reverse of `servicesViewFromQuery`. */
export const queryOfServicesView = ({ filter, grouping, size }: ServicesView): Record<string, string> => ({
  ...serviceQueryOf(filter),
  ...(grouping !== '' && { group: grouping }),
  ...(size !== servicesPerPage && { size: String(size) }),
})
