import type { Decisions } from './requirement.ts'

export const operationDecisions: Decisions = {
  'Elysia and tRPC, without `@elysiajs/trpc`.':
    "That package bundles tRPC 10 and answers 404 to every tRPC 11 procedure; tRPC's own fetch adapter is mounted instead.",
  'A process whose event loop hangs is ended from outside':
    ', by whoever watches `/healthz`; the longest stay is in `/metrics`. A watchdog within would be one more thread, and would end processes that were only frozen.',
  'While the database is away a process stays in the balancer':
    'for the five minutes in which keys in memory are believed (`/readyz` answers 200, `degraded`): all processes lose it together, and each of them still relays calls and tells decisions.',
  'No ids in `/metrics`.':
    'Labels come from closed sets; the endpoints of the relay and their upstreams, which the configuration bounds, are the exception. Services are at `/metrics/services`, so that thousands of series are a choice: at most seven each, by id, chain and provider, and no name. Verifiers, keys and accounts have their pages instead.',
  'Subscribers of status pages are told of what operators write':
    ', not of what was seen, which would mail thousands whenever a service flaps. Webhooks are confirmed like mailboxes, by a link in the signed event that only their owner reads (as Amazon SNS does it): a server that answers 2xx to anything has not agreed, one of Slack or Zapier cannot answer a challenge, and a form that tried a URL at once would tell strangers what it answers. They reach public https addresses only, whatever private ones the installation may. An unpublished page forgets its subscribers.',
  'Alert rules that are not about decisions':
    "look once a minute at what the database has, and tell of each thing on its own. `certificate`: the end that the service's probe saw last, by default 14 days ahead; critical in the last two days and after it, over once a newer one is seen; services without TLS have none. `keyEnds`: keys of both kinds that end within the time and have not ended: a key that has ended is over, because its owner chose the end. `keyLimit`: the share of the fullest limit of calls or credits whose period is an hour or longer, told once for a key however much further it goes, and over with the period; the thousand keys that were used last, and their accounts, where a plan has a sum for all keys. `installation`: counts that cannot be written or rolled up, a store of the limits and a database that are away, as the deciding process sees them; that of the database is told from its memory, because the outbox is in what is lost, and stored with its attempts afterwards. `tools`: definitions that are not those which were accepted, until they are accepted. `account`: an operator who was made one, or signed in from a network (/24, /48) that is not among the last hundred sign-ins, for a day; the very first sign-in is no new place.",
  'A number that is not known is left out of `/metrics/services`':
    ', lag while a service is UNKNOWN for instance: 0 would say that it is level with its chain. Decisions are numbered as the specification lists them, 0 UNKNOWN, 1 UP, 2 DOWN, 3 LATENCY, so that a number is no order of badness.',
  "Refusals are the specification's `{error:{code,message}}` and nothing else":
    '; data of the verifier protocol (`verifier-last-seq`, `server-time-ms`) travels in headers.',
  "The console's routes are a table":
    '(`console/router.ts`), not files in folders: its folders are those of the domains.',
  'Workers of one machine count limits in their supervisor':
    ', which answers the few scripts of the shared store as functions, over the protocol of Redis: so there is one protocol of leases, and a test holds both sides to the same answers. To start a redis-server where one is installed would have been less code, but the archive has none, and an installation would behave otherwise by what its machine happens to have.',
  'A supervisor serves nobody':
    ': the kernel deals connections among workers by `SO_REUSEPORT`. A proxy in front of them would cost every call; sockets cannot be handed over, because the runtime listens on no descriptor that it is given.',
  'Databases are spoken to in SQL': '(postgres.js); drizzle describes the tables and makes the migrations.',
  'Everything that sets a cookie is REST':
    "(`/auth/…`), so that no batch or stream of the console's API can lose one.",
  'Listening on all addresses without `GATEHOUSE_PUBLIC_URL`':
    ", pages are our own whose origin is the very host that was asked, as long as that is an IP address, `localhost` or the machine's name; other names could be rebound to us.",
  'A `Host` that is not ours is refused with 403':
    ', everywhere but at `/healthz`: ours are the public address, where the server listens, `localhost`, every IP address (so that probes of orchestrators reach `/readyz`), and what `GATEHOUSE_ALLOWED_HOSTS` names. Any other name may have been pointed at us by the page that asks (DNS rebinding).',
  'Attempts to sign in':
    'are counted by visit once one has begun, and by address and what its proxy says of the client until then; one address has ten times that. A proxy that is not in `GATEHOUSE_TRUSTED_PROXIES` is told of in the log once, and on the overview for as long as it asks.',
  'Half of all gateway sessions':
    'is kept for callers with an API key. Callers without one make room for each other: the session that was idle for longest ends.',
  'A new master key':
    'is first given to every process behind the old one, `GATEHOUSE_MASTER_KEY=old,new`, then put in front, `new,old`: once all seal under it everything is sealed anew beside the work, and when the log says so the old one may go. Processes whose keys do not fit do not start.',
  'Known weaknesses of packages are looked up by the workflow':
    '(`.github/workflows/audit.yaml`), whenever the lock file changes and every day, because most are published after what they are about was merged. `npm test` does not: its build machine reaches the registry for packages alone and not its advisories, those of OSV cannot be had as a file there, and a copy in the tree would be out of date with every commit. What the test suite holds is that no package runs a script when it is installed, that each is the one of the lock file, and that a release lists all of them.',
  'Counts are written by `INSERT` from arrays, not by `COPY`':
    ', which cannot raise what is there and would need a temporary table in each transaction. Of the 711 ms in which 5,000 rows were written (while the machine had six times the work of its cores) the way of the values was 145 ms, and by `COPY` into such a table 138 ms.',
  'Programs of before go on with newer tables, and newer programs refuse older ones':
    '(with `GATEHOUSE_MIGRATE=off`; otherwise they change them first). In a rolling update tables are changed first, so that programs meet newer tables only; to have them serve on older ones, too, would take a second way through every query that a migration changes, and a release whose tables are the older ones, of which there is none yet. A migration that older programs cannot live with says so, and they refuse in one sentence.',
  'Counts go to PostgreSQL only, and to no ClickHouse':
    '. An hour of a million keys, three million minutes, is rolled up in 46.7 s beside the work, and an overview of 100,000 accounts takes a millisecond. A second engine would double every query of statistics, and what retention, backups and the deletion of an account have to do; counts that are raised in place cannot feed its materialised views without being counted twice; and the server of Debian 12, with which it would have to be tried, is of 2018. Whoever has a warehouse takes the CSV files or the traces. `CLICKHOUSE_URL` is refused at the start, so that nobody believes that counts go there.',
  'What has many parts is made from a file at the command line':
    ', in the words of `gatehouse.yaml`: `endpoints|plans|channels|alerts|status-pages add FILE`. Flags for headers and budgets of upstreams, or for the conditions of a rule, would be a second language with its own mistakes. There is no `update`: it would be either a merge, which JSON over REST does better, or the whole thing, which `gatehouse.yaml` has with a history.',
  'Connections under `/admin` are those of the account that the key belongs to':
    ': operators see no others in the console either, because a connection acts in the name of its owner. What somebody has to look at stays there: consent by OAuth, and tools that have changed.',
  'Silences, invitations and tokens are not changed by REST':
    ', as nowhere else: whoever wants another one makes it and ends the first, and the audit log has both. An incident is changed by an update that it keeps, so its `PATCH` adds one, and `If-Match` keeps a repeated request from adding it twice.',
}
