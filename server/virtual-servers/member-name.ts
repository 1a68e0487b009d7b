import type { VirtualMember } from '../../shared/virtual-servers.ts'
import type { DownstreamServices } from '../connections/connections.ts'

/** What people call a member: the service's name where the registry has one, else its id. */
export function memberName(member: VirtualMember | undefined, services: DownstreamServices): string {
  if (member?.gateway === true) return 'the gateway itself'
  if (member?.service === undefined) return member?.connection ?? 'a member that is gone'
  return services.find(member.service, member.chain ?? null)?.name ?? member.service
}
