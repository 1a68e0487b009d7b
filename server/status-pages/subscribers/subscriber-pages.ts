import type { SubscriberKind } from '../../../shared/status-pages.ts'
import { escapeHtml as safe } from '../../platform/escape-html.ts'
import { pageStyle } from '../page-style.ts'

/** A small page that answers a form or a link. */
export interface SmallPage {
  readonly status: number
  readonly heading: string
  readonly text: string
  /** What was subscribed to; null where that is not known. */
  readonly page: { readonly name: string; readonly title: string } | null
  /** A button that sends a POST to this very address. */
  readonly button?: string
  /** What is shown this once, with its name. */
  readonly secret?: { readonly name: string; readonly value: string }
}

/** Returns it as HTML that needs no script. Pure. */
export function renderSmallPage({ heading, text, page, button, secret }: SmallPage): string {
  const title = page === null ? '' : safe(page.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${safe(heading)}${title === '' ? '' : ` · ${title}`}</title>
<style>${pageStyle}</style>
</head>
<body>
<main class="small">${title === '' ? '' : `<p class="aff"><bdi>${title}</bdi></p>`}
<h1>${safe(heading)}</h1>
<p>${safe(text)}</p>
${secret === undefined ? '' : `<p class="aff">${safe(secret.name)}</p><p class="secret">${safe(secret.value)}</p>\n`}${button === undefined ? '' : `<form method="post"><button>${safe(button)}</button></form>\n`}${page === null ? '' : `<p><a href="/status/${page.name}">Back to the status page</a></p>\n`}</main>
</body>
</html>
`
}

/** Returns the forms by which one subscribes to a page. */
export const subscribeForms = (page: string, kinds: readonly SubscriberKind[]): string =>
  kinds.map((kind) => formOf(page, kind, fields[kind])).join('')

const fields: Readonly<Record<SubscriberKind, { readonly label: string; readonly attributes: string }>> = {
  email: {
    label: 'E-mail',
    attributes: 'type="email" maxlength="254" autocomplete="email" placeholder="you@example.com"',
  },
  webhook: {
    label: 'Webhook',
    attributes: 'type="url" maxlength="2048" pattern="https://.*" placeholder="https://example.com/hook"',
  },
}

const formOf = (page: string, kind: string, { label, attributes }: (typeof fields)[SubscriberKind]): string =>
  `<form method="post" action="/status/${page}/subscribers"><input type="hidden" name="kind" value="${kind}"><label for="s-${kind}">${label}</label><div class="in"><input id="s-${kind}" name="address" required ${attributes}><button>Subscribe</button></div></form>`
