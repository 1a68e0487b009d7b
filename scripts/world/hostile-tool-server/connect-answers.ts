import { endless, silence } from './streams.ts'

type Answer = () => Response | Promise<Response>

const jsonType = { 'content-type': 'application/json' }

/** What it answers to everything, by the path it is asked at. */
export const connectAnswers: Readonly<Record<string, Answer>> = {
  hang: silence,
  drip: () => new Response(endless('{', ' ', 20), { headers: jsonType }),
  redirect: () => new Response(null, { status: 307, headers: { location: 'http://10.0.0.1:6379/' } }),
  'redirect-metadata': () => Response.redirect('http://169.254.169.254/latest/meta-data/', 302),
  challenge: () =>
    new Response('secret words of the peer', {
      status: 401,
      headers: {
        'www-authenticate': `Bearer resource_metadata="http://169.254.169.254/${'x'.repeat(4_000)}"`,
      },
    }),
  failure: () => new Response('secret words of the peer', { status: 500 }),
  html: () => new Response('<script>alert(1)</script>', { headers: { 'content-type': 'text/html' } }),
  'endless-line': () =>
    new Response(endless('data: ', 'a'.repeat(65_536)), { headers: { 'content-type': 'text/event-stream' } }),
}
