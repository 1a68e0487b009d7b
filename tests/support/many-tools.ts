import type { Tool } from '@modelcontextprotocol/server'

import { textTool } from './scripted-tool-server.ts'

/** Tools as 25 well-known kinds of servers have them: 500, with the texts and arguments that such tools usually have. */

interface Kind {
  readonly prefix: string
  readonly product: string
  readonly things: readonly (readonly [name: string, described: string, ...args: readonly string[]])[]
}

const kinds: readonly Kind[] = [
  {
    prefix: 'github',
    product: 'GitHub',
    things: [
      ['issue', 'an issue in a repository', 'owner*', 'repo*', 'title', 'body', 'labels'],
      ['pull_request', 'a pull request with its diff and reviews', 'owner*', 'repo*', 'head', 'base'],
      ['branch', 'a branch of a repository', 'owner*', 'repo*', 'from'],
      ['workflow_run', 'a run of a GitHub Actions workflow', 'owner*', 'repo*', 'run_id'],
    ],
  },
  {
    prefix: 'gitlab',
    product: 'GitLab',
    things: [
      ['merge_request', 'a merge request', 'project*', 'source_branch', 'target_branch'],
      ['pipeline', 'a CI pipeline with its jobs', 'project*', 'ref'],
      ['snippet', 'a code snippet', 'project*', 'content'],
      ['milestone', 'a milestone', 'project*', 'due_date'],
    ],
  },
  {
    prefix: 'slack',
    product: 'Slack',
    things: [
      ['message', 'a message in a channel or thread', 'channel*', 'text', 'thread_ts'],
      ['channel', 'a channel of the workspace', 'name', 'is_private'],
      ['reaction', 'an emoji reaction on a message', 'channel*', 'timestamp*', 'emoji'],
      ['reminder', 'a reminder for a person', 'user', 'time'],
    ],
  },
  {
    prefix: 'jira',
    product: 'Jira',
    things: [
      ['ticket', 'a ticket of a project', 'project*', 'summary', 'priority'],
      ['sprint', 'a sprint of a board', 'board*', 'goal'],
      ['worklog', 'time that was worked on a ticket', 'ticket*', 'hours'],
      ['epic', 'an epic', 'project*', 'name'],
    ],
  },
  {
    prefix: 'linear',
    product: 'Linear',
    things: [
      ['cycle', 'a cycle of a team', 'team*', 'starts_at'],
      ['project', 'a project with its roadmap', 'team*', 'name'],
      ['label', 'a label', 'team*', 'color'],
      ['view', 'a saved view', 'team*', 'filter'],
    ],
  },
  {
    prefix: 'notion',
    product: 'Notion',
    things: [
      ['page', 'a page with its blocks', 'parent*', 'title', 'content'],
      ['database', 'a database of pages', 'parent*', 'properties'],
      ['block', 'a block of content', 'page*', 'content'],
      ['comment', 'a comment on a page', 'page*', 'text'],
    ],
  },
  {
    prefix: 'gmail',
    product: 'Gmail',
    things: [
      ['email', 'an email with attachments', 'to*', 'subject', 'body'],
      ['draft', 'a draft that is not sent yet', 'to', 'subject'],
      ['thread', 'a conversation of emails', 'thread_id'],
      ['filter', 'a rule for incoming mail', 'criteria*', 'action'],
    ],
  },
  {
    prefix: 'gcal',
    product: 'Google Calendar',
    things: [
      ['event', 'an event with guests in a calendar', 'calendar*', 'start', 'end', 'guests'],
      ['calendar', 'a calendar', 'summary'],
      ['free_slot', 'a time at which all guests are free', 'guests*', 'duration'],
      ['room', 'a meeting room', 'building', 'capacity'],
    ],
  },
  {
    prefix: 'drive',
    product: 'Google Drive',
    things: [
      ['file', 'a file', 'name', 'mime_type'],
      ['folder', 'a folder', 'name', 'parent'],
      ['permission', 'who may see or edit a file', 'file*', 'email', 'role'],
      ['revision', 'an earlier version of a file', 'file*', 'revision'],
    ],
  },
  {
    prefix: 'stripe',
    product: 'Stripe',
    things: [
      ['customer', 'a customer', 'email', 'name'],
      ['invoice', 'an invoice', 'customer*', 'amount'],
      ['refund', 'a refund of a payment', 'payment*', 'amount'],
      ['subscription', 'a subscription of a customer to a price', 'customer*', 'price'],
    ],
  },
  {
    prefix: 'shopify',
    product: 'Shopify',
    things: [
      ['order', 'an order of a shop', 'customer', 'lines'],
      ['product', 'a product with its variants', 'title', 'price'],
      ['discount', 'a discount code', 'code*', 'percent'],
      ['inventory_level', 'how much of a product is in stock', 'product*', 'quantity'],
    ],
  },
  {
    prefix: 'hubspot',
    product: 'HubSpot',
    things: [
      ['contact', 'a contact', 'email', 'phone'],
      ['deal', 'a deal in a sales pipeline', 'stage', 'amount'],
      ['company', 'a company', 'domain'],
      ['campaign', 'a marketing campaign', 'name', 'budget'],
    ],
  },
  {
    prefix: 'zendesk',
    product: 'Zendesk',
    things: [
      ['support_case', 'a support case of a customer', 'requester*', 'subject'],
      ['macro', 'a prepared answer', 'title', 'text'],
      ['satisfaction_rating', 'how satisfied a requester was', 'case*', 'score'],
      ['help_article', 'an article of the help centre', 'title', 'body'],
    ],
  },
  {
    prefix: 'aws',
    product: 'AWS',
    things: [
      ['bucket', 'an S3 bucket', 'bucket*', 'region'],
      ['instance', 'an EC2 virtual machine', 'instance_type', 'region'],
      ['lambda', 'a serverless function', 'function*', 'runtime'],
      ['secret', 'a secret of the secrets manager', 'name*', 'value'],
    ],
  },
  {
    prefix: 'k8s',
    product: 'Kubernetes',
    things: [
      ['pod', 'a pod with its logs', 'namespace*', 'name'],
      ['deployment', 'a deployment and its replicas', 'namespace*', 'image', 'replicas'],
      ['config_map', 'a config map', 'namespace*', 'values'],
      ['ingress', 'an ingress with its hosts', 'namespace*', 'host'],
    ],
  },
  {
    prefix: 'sentry',
    product: 'Sentry',
    things: [
      ['error_group', 'errors of an application with stack traces', 'project*', 'query'],
      ['alert_rule', 'a rule that notifies about errors', 'project*', 'threshold'],
      ['release', 'a release with its commits', 'project*', 'version'],
      ['replay', 'a replay of a user session', 'project*', 'replay'],
    ],
  },
  {
    prefix: 'grafana',
    product: 'Grafana',
    things: [
      ['dashboard', 'a dashboard with panels', 'uid', 'title'],
      ['datasource', 'a data source', 'type', 'url'],
      ['annotation', 'an annotation on a graph', 'time', 'text'],
      ['on_call_schedule', 'who is on call', 'team*', 'week'],
    ],
  },
  {
    prefix: 'postgres',
    product: 'PostgreSQL',
    things: [
      ['table', 'a table with its columns', 'schema', 'table'],
      ['query_plan', 'the plan of an SQL query', 'sql*'],
      ['index', 'an index of a table', 'table*', 'columns'],
      ['role', 'a database role and its grants', 'name'],
    ],
  },
  {
    prefix: 'eth',
    product: 'Ethereum',
    things: [
      ['transaction', 'a transaction by its hash', 'hash'],
      ['token_balance', 'the balance of an ERC-20 token of an address', 'address*', 'token'],
      ['gas_price', 'the current price of gas', 'speed'],
      ['contract_abi', 'the ABI of a verified contract', 'address*'],
    ],
  },
  {
    prefix: 'solana',
    product: 'Solana',
    things: [
      ['stake_account', 'a stake account with its validator', 'address*'],
      ['nft', 'an NFT with its metadata', 'mint*'],
      ['program_log', 'logs of a program', 'program*'],
      ['priority_fee', 'the fee to be included soon', 'accounts'],
    ],
  },
  {
    prefix: 'weather',
    product: 'OpenWeather',
    things: [
      ['forecast', 'the weather forecast of a city for days', 'city*', 'days'],
      ['air_quality', 'the air quality index', 'city*'],
      ['storm_warning', 'a warning about severe weather', 'region*'],
      ['uv_index', 'ultraviolet radiation', 'city*'],
    ],
  },
  {
    prefix: 'maps',
    product: 'Google Maps',
    things: [
      ['route', 'directions between two places', 'from*', 'to*', 'mode'],
      ['place', 'a place with opening hours', 'text'],
      ['geocode', 'the coordinates of an address', 'address*'],
      ['traffic', 'traffic on a road', 'road*'],
    ],
  },
  {
    prefix: 'spotify',
    product: 'Spotify',
    things: [
      ['playlist', 'a playlist of songs', 'name', 'songs'],
      ['track', 'a song', 'title', 'artist'],
      ['playback', 'what is playing on a device', 'device'],
      ['podcast_episode', 'an episode of a podcast', 'show*'],
    ],
  },
  {
    prefix: 'figma',
    product: 'Figma',
    things: [
      ['frame', 'a frame of a design', 'file*', 'node'],
      ['component', 'a component of a library', 'file*', 'name'],
      ['design_comment', 'a comment on a design', 'file*', 'text'],
      ['style', 'colours and fonts of a design', 'file*'],
    ],
  },
  {
    prefix: 'twilio',
    product: 'Twilio',
    things: [
      ['sms', 'a text message to a phone', 'to*', 'body'],
      ['voice_call', 'a phone call', 'to*', 'from'],
      ['phone_number', 'a phone number that can be bought', 'country*'],
      ['recording', 'the recording of a phone call', 'call*'],
    ],
  },
]

const actions = [
  ['create', 'Creates', []],
  ['list', 'Lists all: page by page,', ['limit', 'cursor']],
  ['get', 'Returns', ['id*']],
  ['update', 'Changes', ['id*']],
  ['delete', 'Deletes for ever', ['id*']],
] as const

/** 25 servers × 4 things × 5 actions. */
export const manyTools: readonly Tool[] = kinds.flatMap(({ prefix, product, things }) =>
  things.flatMap(([name, described, ...args]) =>
    actions.map(([verb, does, more]) =>
      textTool(`${prefix}_${verb}_${name}`, `${does} ${described}. Part of ${product}.`, [...more, ...args]),
    ),
  ),
)

/** Questions as people ask them, with the tools of which one answers. */
export const questions: readonly (readonly [question: string, ...right: readonly string[]])[] = [
  ['open a bug on github', 'github_create_issue'],
  ['show me my open pull requests', 'github_list_pull_request', 'github_get_pull_request'],
  ['post a message to a slack channel', 'slack_create_message'],
  ['remove a reaction', 'slack_delete_reaction'],
  ['log hours on a ticket', 'jira_create_worklog', 'jira_update_worklog'],
  ['write an email', 'gmail_create_email', 'gmail_create_draft'],
  ['schedule a meeting with guests', 'gcal_create_event'],
  ['when is everybody free', 'gcal_list_free_slot', 'gcal_get_free_slot'],
  ['who can see this file', 'drive_list_permission', 'drive_get_permission'],
  ['give a customer their money back', 'stripe_create_refund'],
  ['bill a customer', 'stripe_create_invoice'],
  ['is the product in stock', 'shopify_get_inventory_level', 'shopify_list_inventory_level'],
  ['scale the replicas of a deployment', 'k8s_update_deployment'],
  ['look at pod logs', 'k8s_get_pod', 'k8s_list_pod'],
  ['erc-20 balance of an address', 'eth_get_token_balance', 'eth_list_token_balance'],
  ['how much does gas cost', 'eth_get_gas_price', 'eth_list_gas_price'],
  ['will it rain tomorrow, forecast', 'weather_get_forecast', 'weather_list_forecast'],
  ['directions from the hotel to the airport', 'maps_get_route', 'maps_list_route', 'maps_create_route'],
  ['send a text message to a phone', 'twilio_create_sms'],
  ['who is on call this week', 'grafana_get_on_call_schedule', 'grafana_list_on_call_schedule'],
]
