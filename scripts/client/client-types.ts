import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript'

const heading = '/** Made by `npm run client`: what is changed here is lost. */\n\n'

/** Returns the TypeScript types of the API that a server describes in its `/openapi.json`. */
export async function clientTypesOf(server: string): Promise<string> {
  const description = (await (await fetch(`${server}/openapi.json`)).json()) as OpenAPI3
  return heading + astToString(await openapiTS(description))
}
