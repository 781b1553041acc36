import { claudeOutputs } from './claude'
import { codexOutputs } from './codex'
import { inSeconds, type Expected, type FinalOutput, type Line } from './finalOutput'
import { geminiOutputs } from './gemini'

type Source = { readonly run: string } | { readonly words: string } | { readonly page: string }

interface KnownOutput {
  readonly version: string
  readonly source: Source
  readonly output: FinalOutput
}

const CLAUDE = '2.1.332'
const GEMINI = '0.61.0'
const CODEX = '0.171.0'

function rowOf(outputs: readonly FinalOutput[], name: string): FinalOutput {
  const row = outputs.find(([what]) => what === name)
  if (!row) throw new Error(`There is no row “${name}”.`)
  return row
}

const inPackage = (
  outputs: readonly FinalOutput[],
  version: string,
  rows: readonly (readonly [row: string, words: string])[],
): KnownOutput[] => rows.map(([row, words]) => ({ version, source: { words }, output: rowOf(outputs, row) }))

const onPage = (outputs: readonly FinalOutput[], version: string, row: string, page: string): KnownOutput => ({
  version,
  source: { page },
  output: rowOf(outputs, row),
})

const inRun = (version: string, [what, ...rest]: FinalOutput): KnownOutput => ({
  version,
  source: { run: what },
  output: [what, ...rest],
})

function claudeRun(
  what: string,
  expected: Expected,
  result: string,
  parts: object,
  retried: { readonly status: number | null; readonly error: string } | null,
): KnownOutput {
  const retry = retried && {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 1,
    retry_delay_ms: 587,
    error_status: retried.status,
    error: retried.error,
  }
  const text = { type: 'text', text: result }
  const lines: Line[] = [
    { type: 'system', subtype: 'init', claude_code_version: CLAUDE },
    ...(retry ? [retry] : []),
    {
      type: 'assistant',
      message: { model: '<synthetic>', role: 'assistant', content: [text] },
      is_api_error_message: true,
      ...parts,
    },
    {
      type: 'result',
      subtype: 'success',
      is_error: true,
      terminal_reason: 'api_error',
      result,
      api_error_status: null,
      ...parts,
    },
  ]
  return inRun(CLAUDE, [what, 1, lines, expected])
}

const gateway =
  'This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:1).'

const claude: readonly KnownOutput[] = [
  claudeRun(
    '401',
    'person',
    'Failed to authenticate. API Error: 401 The key is not valid.',
    { error: 'authentication_failed', api_error_status: 401, api_error_type: 'authentication_error' },
    { status: 401, error: 'authentication_failed' },
  ),
  claudeRun(
    '403',
    'person',
    'Failed to authenticate. API Error: 403 The key may not use this model.',
    { error: 'authentication_failed', api_error_status: 403, api_error_type: 'permission_error' },
    null,
  ),
  claudeRun(
    '429, with its time',
    inSeconds(30),
    'API Error: Request rejected (429) · Too many requests. Please retry in 30s.',
    { error: 'rate_limit', api_error_status: 429, api_error_type: 'rate_limit_error' },
    { status: 429, error: 'rate_limit' },
  ),
  claudeRun(
    '429, with words',
    'limit',
    'API Error: Request rejected (429) · You exceeded your current quota.',
    { error: 'rate_limit', api_error_status: 429, api_error_type: 'rate_limit_error' },
    { status: 429, error: 'rate_limit' },
  ),
  claudeRun(
    '429, bare',
    'limit',
    'API Error: Request rejected (429) · status code (no body)',
    { error: 'rate_limit', api_error_status: 429 },
    { status: 429, error: 'rate_limit' },
  ),
  claudeRun(
    '500',
    'outage',
    `API Error: 500 Internal error. ${gateway}`,
    { error: 'server_error', api_error_status: 500, api_error_type: 'api_error' },
    { status: 500, error: 'server_error' },
  ),
  claudeRun(
    '503',
    'outage',
    `API Error: 503 The service is unavailable. ${gateway}`,
    { error: 'server_error', api_error_status: 503, api_error_type: 'api_error' },
    { status: 503, error: 'server_error' },
  ),
  claudeRun(
    '529',
    'outage',
    `API Error: 529 Overloaded. ${gateway}`,
    { error: 'server_error', api_error_status: 529, api_error_type: 'overloaded_error' },
    { status: 529, error: 'overloaded' },
  ),
  claudeRun(
    'cut in the stream',
    'outage',
    'API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.',
    { error: 'server_error', api_error: 'connection_failed' },
    { status: null, error: 'unknown' },
  ),
  claudeRun(
    'no answer at all',
    'outage',
    'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.',
    { error: 'server_error', api_error: 'connection_failed' },
    { status: null, error: 'unknown' },
  ),
  claudeRun(
    'half of its JSON',
    'unknown',
    'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request. Response: content-type json, body is not valid JSON, size unknown.',
    { error: 'unknown' },
    null,
  ),
  inRun(CLAUDE, [
    'silent for 3 s',
    0,
    [
      { type: 'system', subtype: 'init', claude_code_version: CLAUDE },
      { type: 'assistant', message: { id: 'm', model: 'm', content: [{ type: 'text', text: 'Hello.' }] } },
      { type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', result: 'Hello.' },
    ],
    'answer',
  ]),
  ...inPackage(claudeOutputs, CLAUDE, [
    ['a subscription’s limit with its time', "You've hit your"],
    ['a limit without a time', 'Server is temporarily limiting requests (not your usage limit)'],
    ['a refused connection', 'a firewall or proxy may be blocking it'],
    ['a name that is not found', "Can't reach the API server"],
    ['a key that is wrong', 'Fix external API key'],
    ['a login that has expired', 'Please run /login'],
    ['no credit', 'Credit balance is too low'],
    ['a model that is not there', "There's an issue with the selected model"],
    ['a request that is too large', 'Request too large (max'],
    ['too many turns', 'error_max_turns'],
    ['too much money', 'error_max_budget_usd'],
    ['an error of its own', 'error_during_execution'],
  ]),
  onPage(
    ...([claudeOutputs, '1.0.31', 'a limit as version 1 told it'] as const),
    'https://github.com/anthropics/claude-code/issues/2490',
  ),
  onPage(
    ...([claudeOutputs, '1.0.113', 'a limit of five hours as version 1 told it'] as const),
    'https://github.com/anthropics/claude-code/issues/7641',
  ),
  onPage(
    ...([claudeOutputs, '2.1.201', 'a limit whose time stands in its words'] as const),
    'https://github.com/anthropics/claude-code/issues/74079',
  ),
]

const geminiRun = (what: string, end: number, message: string, expected: Expected): KnownOutput =>
  inRun(GEMINI, [
    what,
    end,
    [
      { type: 'init', model: 'auto' },
      { type: 'message', role: 'user', content: 'Say hello.' },
      { type: 'result', status: 'error', error: { type: 'unknown', message }, stats: { total_tokens: 0 } },
    ],
    expected,
  ])

const gemini: readonly KnownOutput[] = [
  geminiRun(
    '401',
    145,
    '[API Error: {"error":{"code":401,"message":"The key is not valid.","status":"UNAUTHENTICATED"}}]',
    'person',
  ),
  geminiRun(
    '403',
    147,
    '[API Error: {"error":{"code":403,"message":"The key may not use this model.","status":"PERMISSION_DENIED"}}]',
    'person',
  ),
  geminiRun(
    '429, with its time',
    173,
    '[API Error: Too many requests. Please retry in 30s.]\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method',
    inSeconds(30),
  ),
  geminiRun(
    '429, with words',
    173,
    '[API Error: You exceeded your current quota.]\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method',
    'limit',
  ),
  geminiRun('429, bare', 1, '[API Error: Unexpected end of JSON input]', 'unknown'),
  geminiRun(
    '500',
    244,
    '[API Error: {"error":{"code":500,"message":"Internal error.","status":"INTERNAL"}}]',
    'outage',
  ),
  geminiRun('503', 247, '[API Error: The service is unavailable.]', 'outage'),
  geminiRun('529', 17, '[API Error: {"error":{"code":529,"message":"Overloaded","status":"UNKNOWN"}}]', 'outage'),
  geminiRun('cut in the stream', 1, '[API Error: terminated]', 'outage'),
  geminiRun('no answer at all', 1, '[API Error: exception TypeError: fetch failed sending request]', 'outage'),
  geminiRun('half of its JSON', 1, '[API Error: Incomplete JSON segment at the end]', 'unknown'),
  inRun(GEMINI, [
    'silent for 3 s',
    0,
    [
      { type: 'init', model: 'auto' },
      { type: 'message', role: 'user', content: 'Say hello.' },
      { type: 'message', role: 'assistant', content: 'Hello.', delta: true },
      { type: 'result', status: 'success', stats: { total_tokens: 1050 } },
    ],
    'answer',
  ]),
  ...inPackage(geminiOutputs, GEMINI, [
    ['429 of a day', 'You have exhausted your daily quota on this model.'],
    ['429 of a minute with its time', 'Suggested retry after'],
    ['429', 'Please wait and try again later. To increase your limits, request a quota increase through AI Studio'],
    ['no key', 'you must specify the GEMINI_API_KEY environment variable'],
    ['a folder that is not trusted', 'not running in a trusted directory'],
    ['an input that is invalid', 'No input provided via stdin'],
    ['settings that are broken', 'super(message, 52)'],
    ['too many turns', 'Reached max session turns for this session.'],
    ['an answer without text', 'empty response with no text or thoughts'],
    ['a loop that it found', 'Loop detected, stopping execution'],
    ['an error of a tool', 'super(message, 54)'],
    ['plain text: 503', 'An unexpected critical error occurred'],
    ['plain text: no connection', 'Error when talking to Gemini API'],
  ]),
]

const codexRun = (what: string, message: string, expected: Expected): KnownOutput =>
  inRun(CODEX, [
    what,
    1,
    [
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'Model metadata for `m` not found.' } },
      { type: 'turn.started' },
      { type: 'error', message: `Reconnecting... 1/1 (${message})` },
      { type: 'error', message },
      { type: 'turn.failed', error: { message } },
    ],
    expected,
  ])

const codex: readonly KnownOutput[] = [
  codexRun(
    '401',
    'unexpected status 401 Unauthorized: The key is not valid., url: http://127.0.0.1:1/v1/responses',
    'person',
  ),
  codexRun(
    '403',
    'unexpected status 403 Forbidden: The key may not use this model., url: http://127.0.0.1:1/v1/responses',
    'person',
  ),
  codexRun('429, with its time', 'exceeded retry limit, last status: 429 Too Many Requests', 'limit'),
  codexRun('429, with words', 'exceeded retry limit, last status: 429 Too Many Requests', 'limit'),
  codexRun('429, bare', 'exceeded retry limit, last status: 429 Too Many Requests', 'limit'),
  codexRun('500', 'We’re currently experiencing high demand, which may cause temporary errors.', 'outage'),
  codexRun(
    '503',
    'unexpected status 503 Service Unavailable: The service is unavailable., url: http://127.0.0.1:1/v1/responses',
    'outage',
  ),
  codexRun(
    '529',
    'unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1:1/v1/responses',
    'outage',
  ),
  codexRun(
    'cut in the stream',
    'stream disconnected before completion: Transport error: network error: error decoding response body',
    'outage',
  ),
  codexRun('no answer at all', 'stream disconnected before completion: error sending request', 'outage'),
  codexRun(
    'half of its JSON',
    'stream disconnected before completion: stream closed before response.completed',
    'outage',
  ),
  inRun(CODEX, [
    'silent for 3 s',
    0,
    [
      { type: 'thread.started', thread_id: 't' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Hello.' } },
      { type: 'turn.completed', usage: { input_tokens: 1000, cached_input_tokens: 200, output_tokens: 50 } },
    ],
    'answer',
  ]),
  ...inPackage(codexOutputs, CODEX, [
    ['a usage limit without a time', 'You’ve hit your usage limit'],
    ['no quota', 'Quota exceeded. Check your plan'],
    ['no credits', "You're out of credits"],
    ['a rate limit within the stream', 'rate limit exceeded: '],
    ['a rate limit at every try', 'exceeded retry limit, last status'],
    ['high demand', 'We’re currently experiencing high demand'],
    ['a model at capacity', 'Selected model is at capacity'],
    ['a stream that stands still', 'idle timeout waiting for SSE'],
    ['no network, and something ended it', 'Reconnecting... waiting for network'],
    ['a plan without it', 'To use Codex with your ChatGPT plan'],
    ['too long a conversation', "Codex ran out of room in the model's context window"],
    ['a login that has expired', 'Your access token could not be refreshed'],
    ['a limit of its own threads', 'agent thread limit reached'],
    ['a folder without git', 'Not inside a trusted directory and --skip-git-repo-check was not specified'],
  ]),
  onPage(
    ...([codexOutputs, 'before 0.171.0', 'a usage limit with a straight apostrophe'] as const),
    'https://github.com/openai/codex/blob/001cb8e233f250c7086c791c51390286c087faea/codex-rs/core/src/error.rs',
  ),
]

export const knownOutputs = { claude, gemini, codex } as const
