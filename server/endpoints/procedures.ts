import type { AuditAction } from '../../shared/audit.ts'
import { EndpointByName, EndpointSpec, EndpointUpdate, MethodsOfChain } from '../../shared/endpoints.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type CallContext, authorOf, memberProcedure, operatorProcedure, router } from '../trpc/init.ts'
import type { Endpoints, RecordEndpointChange } from './endpoints.ts'

/** Adds to the audit log, in the transaction of the change. */
type RecordEntry = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

/** Endpoints, for the console and the command line. No answer holds an upstream's address or a header's value. */
export function endpointProcedures({ management }: Endpoints, record: RecordEntry) {
  /** Each change and its entry in the audit log are one transaction. */
  const recorded =
    (ctx: CallContext, action: AuditAction, name: string): RecordEndpointChange =>
    (sql, { before, after }) =>
      record(sql, {
        ...authorOf(ctx),
        action,
        subject: { kind: 'endpoint', id: name },
        ...(before && { before: factsOf(before) }),
        ...(after && { after: factsOf(after) }),
      })

  return router({
    /** What a form that creates a query key offers. */
    choices: memberProcedure.query(() => management.choices()),
    prices: memberProcedure.input(EndpointByName).query(({ input }) => management.prices(input.name)),

    list: operatorProcedure.query(() => management.list()),
    details: operatorProcedure.input(EndpointByName).query(({ input }) => management.details(input.name)),
    methods: operatorProcedure.input(MethodsOfChain).query(({ input }) => management.methods(input.chain)),
    keyCount: operatorProcedure.input(EndpointByName).query(({ input }) => management.keyCount(input.name)),
    create: operatorProcedure
      .input(EndpointSpec)
      .mutation(({ input, ctx }) => management.create(input, recorded(ctx, 'endpoint.create', input.name))),
    update: operatorProcedure
      .input(EndpointUpdate)
      .mutation(({ input, ctx }) => management.update(input, recorded(ctx, 'endpoint.update', input.name))),
    remove: operatorProcedure
      .input(EndpointByName)
      .mutation(({ input: { name }, ctx }) =>
        management.remove(name, recorded(ctx, 'endpoint.remove', name)),
      ),
    /** A mutation, because it sends calls to the upstreams. */
    test: operatorProcedure.input(EndpointByName).mutation(({ input }) => management.test(input.name)),
  })
}

/** Neither the rest of an address nor the values of headers: they may be credentials. */
const factsOf = ({ name, chain, upstreams, methods, credits, settings }: EndpointSpec) => ({
  name,
  chain,
  upstreams: upstreams.map(({ service, url, ws, headers = {}, weight, tier, budget, compression }) => ({
    ...(service !== undefined && { service }),
    ...(url !== undefined && { host: new URL(url).host }),
    ...(ws !== undefined && { webSocketHost: new URL(ws).host }),
    headers: Object.keys(headers),
    weight,
    tier,
    budget,
    compression,
  })),
  methods,
  credits,
  settings,
})
