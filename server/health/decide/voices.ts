interface Watched {
  readonly serviceId: string
  readonly provider: string
}

/**
 * Returns the services with their providers as voices; where all are of one provider, each service is a voice of its
 * own, because nobody else can be asked. Returns the same list where there are several providers, or no service.
 */
export function voicesOf<Service extends Watched>(services: readonly Service[]): readonly Service[] {
  const providers = new Set(services.map(({ provider }) => provider))
  return providers.size === 1
    ? services.map((service) => ({ ...service, provider: service.serviceId }))
    : services
}
