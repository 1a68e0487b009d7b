import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { Elysia } from 'elysia'

import type { ByteLimit } from './byte-limit.ts'
import { readStaticFile, sendStaticFile } from './static-file.ts'

const { resolve } = createRequire(import.meta.url)
const bundleDirectory = dirname(resolve('swagger-ui-dist/package.json'))

/** Nothing else of the package is served. */
const bundledFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API reference</title>
<link rel="icon" type="image/png" href="/reference/favicon-32x32.png">
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="stylesheet" href="/reference/page.css">
</head>
<body>
<main id="reference"></main>
<noscript>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/reference/swagger-ui-bundle.js"></script>
<script src="/reference/page.js"></script>
</body>
</html>
`

const style = `body { margin: 0; background: #fff; }
.swagger-ui .info { margin: 24px 0; }
`

const script = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
})
`

/** Swagger UI's style sheet holds its icons as `data:` images. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const own = (content: string, type: string) => () =>
  new Response(content, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    },
  })

/** `/reference`: the API's reference page, from our own files only, so that it works without a network. */
export function referencePage(reads: ByteLimit) {
  const app = new Elysia({ name: 'reference' })
    .get('/reference', own(page, 'text/html'))
    .get('/reference/page.css', own(style, 'text/css'))
    .get('/reference/page.js', own(script, 'text/javascript'))
  for (const [name, type] of bundledFiles) {
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=3600' }
    const file = readStaticFile(join(bundleDirectory, name), headers, false)
    app.get(`/reference/${name}`, ({ request }) => sendStaticFile(file, request, reads))
  }
  return app
}
