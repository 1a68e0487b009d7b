import { email } from '../../../shared/text.ts'
import { type StatusPageSpec, type SubscriberKind, subscriberKinds } from '../../../shared/status-pages.ts'
import type { EgressErrorCode } from '../../platform/egress.ts'
import { Fault } from '../../platform/fault.ts'
import { createAddressLimit } from '../../platform/http/address-limit.ts'
import { readBytes } from '../../platform/http/request-body.ts'
import { callerOf } from '../../platform/http/request-facts.ts'
import { pagePolicy } from '../page-style.ts'
import { type SmallPage, renderSmallPage } from './subscriber-pages.ts'
import type { PageSubscribers } from './subscribers.ts'

export interface SubscriberRoutesOptions {
  readonly subscribers: Pick<
    PageSubscribers,
    'pageOf' | 'offered' | 'ask' | 'isConfirmable' | 'confirm' | 'unsubscribe'
  >
  /** Why nothing may be sent to a URL that a stranger chose; null where it may. */
  readonly refusalOf: (url: string) => Promise<EgressErrorCode | null>
  /** Ms of a clock that does not run back. */
  readonly monotonic: () => number
}

/** From one address in a minute: forms that are sent, and links that are opened or answered. */
const formsPerMinute = 10
const linksPerMinute = 120
const formBytes = 8_192

const pathPattern =
  /^\/status\/([a-z0-9-]{1,40})\/(?:(subscribers)|(confirm|unsubscribe)\/([A-Za-z0-9_-]{1,100}))$/

/** What a request is for. */
interface Asked {
  readonly request: Request
  readonly spec: StatusPageSpec
  readonly token: string
}

/** The field of the form cannot be taken, and why. */
type Read = { readonly kind: SubscriberKind; readonly address: string } | { readonly wrong: string }

/**
 * Answers what people who subscribe send. Returns null for a request that is for something else, or for a page that is not
 * there. Each answer is a page for people; programs that unsubscribe by POST go by its status.
 */
export function createSubscriberRoutes({ subscribers, refusalOf, monotonic }: SubscriberRoutesOptions) {
  const forms = createAddressLimit(formsPerMinute, monotonic)
  const links = createAddressLimit(linksPerMinute, monotonic)

  async function read({ request, spec }: Asked): Promise<Read> {
    const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, formBytes)))
    const kind = subscriberKinds.find((one) => one === form.get('kind'))
    const address = form.get('address')?.trim() ?? ''
    if (kind === undefined || !subscribers.offered(spec).includes(kind))
      return { wrong: 'This page offers no such subscription.' }
    if (kind === 'email') {
      if (email().safeParse(address).success) return { kind, address }
      return { wrong: 'Enter an e-mail address such as you@example.com.' }
    }
    const problem = await urlProblem(address)
    return problem === null ? { kind, address: new URL(address).href } : { wrong: problem }
  }

  async function urlProblem(address: string): Promise<string | null> {
    const url = URL.parse(address)
    const isWhole = url?.protocol === 'https:' && url.username === '' && url.password === ''
    if (!isWhole || address.length > 2_048)
      return 'Enter an address such as https://example.com/hook, without user name and password.'
    const refused = await refusalOf(url.href)
    return refused === 'ADDRESS' || refused === 'URL'
      ? 'Enter a public address: nothing else is sent to.'
      : null
  }

  async function subscribe(asked: Asked): Promise<SmallPage> {
    const page = pageOf(asked.spec)
    if (asked.request.headers.get('sec-fetch-site') === 'cross-site')
      return { status: 403, heading: 'Not subscribed', text: 'Use the form of the status page itself.', page }
    const given = await read(asked)
    if ('wrong' in given) return { status: 400, heading: 'Not subscribed', text: given.wrong, page }
    const outcome = await subscribers.ask({ spec: asked.spec, ...given })
    if (outcome === 'busy')
      return { status: 429, heading: 'Not subscribed', text: 'Too many people subscribe just now. Try again in an hour.', page } // prettier-ignore
    if (outcome === 'full')
      return { status: 409, heading: 'Not subscribed', text: 'This page takes no more subscribers. Use its Atom feed.', page } // prettier-ignore
    return given.kind === 'email'
      ? { status: 200, heading: 'Look into your mailbox', text: 'Open the link in our mail within 24 hours to confirm. It can take some minutes; repeated requests send at most one mail an hour.', page } // prettier-ignore
      : { status: 200, heading: 'Look at what your program received', text: 'We send one event, status.subscription_confirm. Open its confirmUrl within 24 hours to confirm.', page } // prettier-ignore
  }

  async function confirm({ request, spec, token }: Asked): Promise<SmallPage> {
    const page = pageOf(spec)
    const ended = { status: 410, heading: 'This link has ended', text: 'It worked once and for 24 hours. Subscribe again on the status page.', page } // prettier-ignore
    if (request.method !== 'POST') {
      if (!(await subscribers.isConfirmable(spec.page, token))) return ended
      return { status: 200, heading: 'Confirm your subscription', text: 'You will be told of incidents and planned work. You can unsubscribe at any time.', button: 'Confirm', page } // prettier-ignore
    }
    const done = await subscribers.confirm(spec.page, token)
    if (done === null) return ended
    if (done === 'full')
      return { status: 409, heading: 'Not subscribed', text: 'This page takes no more subscribers. Use its Atom feed.', page } // prettier-ignore
    if (done.secret === null)
      return { status: 200, heading: 'You are subscribed', text: 'You get a mail about each incident, each update and planned work.', page } // prettier-ignore
    const secret = { name: 'Signing secret, by the Standard Webhooks specification. It is shown only now.', value: done.secret } // prettier-ignore
    return { status: 200, heading: 'Your program is subscribed', text: 'It gets an event about each incident, each update and planned work.', secret, page } // prettier-ignore
  }

  async function unsubscribe({ request, spec, token }: Asked): Promise<SmallPage> {
    const page = pageOf(spec)
    if (request.method !== 'POST')
      return { status: 200, heading: 'Unsubscribe', text: 'You will not be told of incidents and planned work any more.', button: 'Unsubscribe', page } // prettier-ignore
    await subscribers.unsubscribe(spec.page, token)
    return { status: 200, heading: 'You are unsubscribed', text: 'Your address is deleted.', page }
  }

  const answers = { subscribers: subscribe, confirm, unsubscribe }

  return (request: Request): Promise<Response> | null => {
    const { method } = request
    const [, name = '', form, link, token = ''] = pathPattern.exec(new URL(request.url).pathname) ?? []
    const what = (form ?? link) as keyof typeof answers | undefined
    if (what === undefined || (method !== 'POST' && (method !== 'GET' || what === 'subscribers'))) return null
    const { address } = callerOf(request)
    const waitSec = (what === 'subscribers' ? forms : links).count(address)
    if (waitSec > 0) return Promise.resolve(responseOf(tooOften, waitSec))
    const spec = subscribers.pageOf(name)
    if (spec === null) return null
    return answers[what]({ request, spec, token }).then(responseOf, failureOf)
  }
}

const pageOf = ({ page, title }: StatusPageSpec): SmallPage['page'] => ({ name: page, title })

const tooOften: SmallPage = {
  status: 429,
  heading: 'Too many requests',
  text: 'Try again in a minute.',
  page: null,
}

/** While the database is away. */
function failureOf(error: unknown): Response {
  if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
  const text = 'This cannot be done at the moment. Try again in some minutes.'
  return responseOf({ status: 503, heading: 'Try again later', text, page: null })
}

function responseOf(page: SmallPage, waitSec?: number): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cache-control': 'no-store',
    ...(waitSec !== undefined && { 'retry-after': String(waitSec) }),
  }
  return new Response(renderSmallPage(page), { status: page.status, headers })
}
