import { hostileWords, inSeconds, type FinalOutput, type Line, type OutputParts } from './finalOutput'

const init = { type: 'system', subtype: 'init', session_id: 's', claude_code_version: '2.1.332' }
const says = (text: string) => ({
  type: 'assistant',
  message: { id: 'm1', model: 'm', content: [{ type: 'text', text }] },
})
const printed = (text: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: text }] },
})
const synthetic = (text: string, error: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm2', model: '<synthetic>', content: [{ type: 'text', text }] },
  error,
  is_api_error_message: true,
  ...more,
})
const done = (result: string) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result,
  terminal_reason: 'completed',
})
const failed = (result: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  result,
  terminal_reason: 'api_error',
  ...more,
})
const refused = (text: string, error: string, status: number | undefined, kind?: string, more: object = {}): Line[] => {
  const parts = {
    ...(status === undefined ? {} : { api_error_status: status }),
    ...(kind === undefined ? {} : { api_error_type: kind }),
    ...more,
  }
  return [init, synthetic(text, error, parts), failed(text, parts)]
}
const rejected = (info: object) => ({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', ...info } })
const retries = (status: number, error: string) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  error_status: status,
  error,
})
const temporary = 'This is a server-side issue, usually temporary — try again in a moment.'
const older = (result: string) => [init, failed(result, { terminal_reason: undefined })]

export const claudeParts: OutputParts = {
  begin: [init],
  says,
  toolPrinted: [printed],
  done,
  failures: [[{ type: 'result', subtype: 'error_during_execution', is_error: true, errors: [] }]],
  wantsPerson: refused('Invalid API key', 'authentication_failed', 401, 'authentication_error'),
  refusals: [refused('API Error: 529 Overloaded', 'server_error', 529), refused('Come back.', 'rate_limit', 429)],
}

export const claudeOutputs: readonly FinalOutput[] = [
  [
    '429 of an API key',
    1,
    refused(
      "API Error: Request rejected (429) · This request would exceed your account's rate limit. Please try again later.",
      'rate_limit',
      429,
      'rate_limit_error',
    ),
    'limit',
  ],
  ['429 that names nothing', 1, refused('API Error: Request rejected (429) · Error', 'unknown', undefined), 'limit'],
  ['an error that nobody knows', 1, refused('API Error: The answer made no sense', 'unknown', undefined), 'unknown'],
  [
    'an error that nobody knows, after work',
    1,
    [init, says('I begin.'), ...refused('API Error: The answer made no sense', 'unknown', undefined).slice(1)],
    'error',
  ],
  [
    '429 without a body',
    1,
    refused('API Error: Request rejected (429) · status code (no body)', 'rate_limit', 429),
    'limit',
  ],
  [
    '429 with an empty error',
    1,
    refused('API Error: Request rejected (429) · {"error":{}}', 'rate_limit', 429),
    'limit',
  ],
  [
    'a subscription’s limit with its time',
    1,
    [
      rejected({ resetsAt: inSeconds(7_200) / 1000, rateLimitType: 'five_hour' }),
      ...refused("You've hit your limit · resets 4:43pm (UTC)", 'rate_limit', 429, 'rate_limit_error', {
        api_error: 'usage_limit_reached',
      }),
    ],
    inSeconds(7_200),
  ],
  [
    'a limit whose time stands in its words',
    1,
    refused("You've hit your session limit · resets 5:40pm (UTC)", 'rate_limit', 429),
    Date.UTC(2026, 10, 28, 17, 40),
  ],
  [
    'a limit without a time',
    1,
    [
      rejected({}),
      ...refused(
        'API Error: Server is temporarily limiting requests (not your usage limit)',
        'rate_limit',
        429,
        'rate_limit_error',
      ),
    ],
    'limit',
  ],
  [
    'a limit whose time is past',
    1,
    [rejected({ resetsAt: inSeconds(-60) / 1000 }), ...refused("You've hit your limit", 'rate_limit', 429)],
    inSeconds(0),
  ],
  [
    'a limit whose time is a month off',
    1,
    [
      rejected({ resetsAt: inSeconds(30 * 86_400) / 1000 }),
      ...refused("You've hit your monthly limit", 'rate_limit', 429),
    ],
    'limit',
  ],
  [
    'a limit that was lifted before another refusal',
    1,
    [
      rejected({ resetsAt: inSeconds(7_200) / 1000 }),
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } },
      ...refused('API Error: Request rejected (429)', 'rate_limit', 429),
    ],
    'limit',
  ],
  [
    'a limit by its typed kind alone',
    1,
    refused('Come back later.', 'rate_limit', undefined, undefined, { api_error: 'usage_limit_reached' }),
    'limit',
  ],
  ['a limit as version 1 told it', 1, older('Claude AI usage limit reached|1795890000'), 1_795_890_000_000],
  [
    'a limit of five hours as version 1 told it',
    1,
    older('5-hour limit reached ∙ resets 5pm (UTC)'),
    Date.UTC(2026, 10, 28, 17),
  ],
  [
    'a weekly limit as version 2.0 told it',
    1,
    older('Weekly limit reached · resets Nov 30, 10am (UTC)'),
    Date.UTC(2026, 10, 30, 10),
  ],
  ['529', 1, refused(`API Error: 529 Overloaded. ${temporary}`, 'server_error', 529, 'overloaded_error'), 'outage'],
  ['503 of a proxy', 1, refused(`API Error: 503 Service Unavailable. ${temporary}`, 'server_error', 503), 'outage'],
  ['502 of a proxy', 1, refused(`API Error: 502 Bad Gateway. ${temporary}`, 'server_error', 502), 'outage'],
  ['504', 1, refused(`API Error: 504 Request timed out. ${temporary}`, 'server_error', 504, 'timeout_error'), 'outage'],
  ['500', 1, refused(`API Error: 500 Internal server error. ${temporary}`, 'server_error', 500, 'api_error'), 'outage'],
  [
    'a refused connection',
    1,
    refused(
      'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
      'server_error',
      undefined,
    ),
    'outage',
  ],
  [
    'a name that is not found',
    1,
    refused(
      "API Error: Can't reach the API server — check your internet or DNS (ENOTFOUND)",
      'server_error',
      undefined,
    ),
    'outage',
  ],
  [
    'a connection that is dropped',
    1,
    refused(
      'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.',
      'server_error',
      undefined,
    ),
    'outage',
  ],
  [
    'an answer that is cut',
    1,
    refused(
      'API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.',
      'server_error',
      undefined,
    ),
    'outage',
  ],
  [
    '529 as version 1 told it',
    1,
    older('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'),
    'outage',
  ],
  [
    '529 as version 1 told it, cut in its JSON',
    1,
    older('API Error: 529 {"type":"error","error":{"type":"overloa'),
    'outage',
  ],
  ['a connection error as version 1 told it', 1, older('API Error: Connection error.'), 'outage'],
  [
    'a key that is wrong',
    1,
    refused('Invalid API key · Fix external API key', 'authentication_failed', 401, 'authentication_error'),
    'person',
  ],
  [
    'a login that has expired',
    1,
    [
      init,
      retries(401, 'authentication_failed'),
      ...refused('Not logged in · Please run /login', 'authentication_failed', 401, 'authentication_error'),
    ],
    'person',
  ],
  [
    'a key without permission',
    1,
    refused(
      'Failed to authenticate. API Error: 403 Your API key does not have permission to use the specified resource.',
      'authentication_failed',
      403,
      'permission_error',
    ),
    'person',
  ],
  ['no credit', 1, refused('Credit balance is too low', 'billing_error', 400, 'invalid_request_error'), 'person'],
  [
    'a bad request that quotes a limit',
    1,
    refused(
      'API Error: 400 messages.0: rate limit exceeded, HTTP 429, ECONNREFUSED',
      'unknown',
      400,
      'invalid_request_error',
    ),
    'error',
  ],
  [
    'a bad request as version 1 told it',
    1,
    older(
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"rate limit, 429, ECONNREFUSED"}}',
    ),
    'error',
  ],
  [
    'a model that is not there',
    1,
    refused(
      "There's an issue with the selected model (m). It may not exist or you may not have access to it.",
      'model_not_found',
      404,
      'not_found_error',
    ),
    'error',
  ],
  [
    'a request that is too large',
    1,
    refused('Request too large (max 32MB).', 'invalid_request', 413, 'request_too_large'),
    'error',
  ],
  [
    'a malformed answer',
    1,
    refused(
      'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request.',
      'unknown',
      undefined,
    ),
    'unknown',
  ],
  [
    'an answer that safeguards stopped',
    1,
    refused(
      'API Error: The safeguards flagged this message (https://example.org/aup).\n\nTry rephrasing the request.',
      'invalid_request',
      undefined,
    ),
    'error',
  ],
  ['too many turns', 1, [init, says('429'), { type: 'result', subtype: 'error_max_turns', is_error: false }], 'turns'],
  ['too much money', 1, [init, { type: 'result', subtype: 'error_max_budget_usd', is_error: true }], 'turns'],
  [
    'an error of its own',
    1,
    [
      init,
      { type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['TypeError: x is undefined'] },
    ],
    'error',
  ],
  [
    'an error of its own that quotes a test',
    1,
    [
      init,
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: ['Error: connect ECONNREFUSED 127.0.0.1:6510'],
      },
    ],
    'error',
  ],
  [
    'a refusal that it got over',
    0,
    [init, retries(529, 'overloaded'), retries(429, 'rate_limit'), says('Done.'), done('Done.')],
    'answer',
  ],
  [
    'a limit beyond which it goes on with credits',
    0,
    [init, rejected({ resetsAt: inSeconds(60) / 1000, isUsingOverage: true }), says('Done.'), done('Done.')],
    'answer',
  ],
  [
    'a message in the service’s place that it went on after',
    0,
    [init, synthetic('API Error: 529 Overloaded', 'server_error', { api_error_status: 529 }), says('Done.'), done('')],
    'answer',
  ],
  [
    'an empty result behind a refusal',
    0,
    [init, synthetic('API Error: 529 Overloaded', 'server_error', { api_error_status: 529 }), done('')],
    'outage',
  ],
  ['an empty result behind an answer', 0, [init, says('Done.'), done('')], 'answer'],
  [
    'a refusal, killed before its last event',
    'SIGTERM',
    [init, says('I begin.'), synthetic("You've hit your limit", 'rate_limit', { api_error_status: 429 })],
    'limit',
  ],
  [
    'a refusal as its last event, and a signal then',
    'SIGKILL',
    refused('API Error: 529 Overloaded', 'server_error', 529),
    'outage',
  ],
  [
    'a key that is wrong as its last event, and 143',
    143,
    refused('Invalid API key', 'authentication_failed', 401),
    'person',
  ],
  ['success, and exit code 3', 3, [init, says('429'), done('API Error: 529 Overloaded')], 'error'],
  [
    'a last event that is cut',
    1,
    [init, says('Done.'), '{"type":"result","subtype":"success","is_error":true,"api_error_status":42'],
    'error',
  ],
  ['nothing', 0, [], 'answer'],
  ['nothing, and exit code 1', 1, [], 'error'],
  ['nothing, and a signal', 'SIGKILL', [], 'error'],
  [
    'one object instead of events',
    1,
    [failed('API Error: 529 Overloaded', { api_error_status: 529, api_error_type: 'overloaded_error' })],
    'outage',
  ],
  ['all events in one list', 1, [JSON.stringify(refused('API Error: 529 Overloaded', 'server_error', 529))], 'outage'],
  [
    'plain text: 429',
    1,
    ["API Error: Request rejected (429) · This request would exceed your account's rate limit."],
    'limit',
  ],
  ['plain text: 529', 1, [`API Error: 529 Overloaded. ${temporary}`], 'outage'],
  ['plain text: 529 with exit code 0', 0, ['API Error: 529 Overloaded'], 'outage'],
  ['plain text: a limit with exit code 0', 0, ['Claude AI usage limit reached|1795890000'], 1_795_890_000_000],
  ['plain text: a key that is wrong', 1, ['Invalid API key · Fix external API key'], 'error'],
  [
    'plain text: an answer of several lines that ends in a limit',
    0,
    ['I wrote this line into the docs:', "You've hit your session limit"],
    'answer',
  ],
  ['plain text: an answer about limits', 0, ['The loader has no rate limit.'], 'answer'],
  ['plain text: an error on standard error', 1, [], 'outage', 'API Error: 529 Overloaded\n'],
  [
    'a key that is wrong, and exit code 0 without a last event',
    0,
    [init, synthetic('Invalid API key', 'authentication_failed', { api_error_status: 401 })],
    'person',
  ],
  [
    'a limit, and exit code 0 without a last event',
    0,
    [init, synthetic("You've hit your limit", 'rate_limit', { api_error_status: 429 })],
    'limit',
  ],
  ['a conversation that is too long', 1, older('API Error: You have exceeded the maximum context length.'), 'error'],
  ...hostileWords.flatMap((words): FinalOutput[] => [
    [`an answer: ${words}`, 0, [init, says(words), done(words)], 'answer'],
    [`what a tool printed: ${words}`, 0, [init, printed(words), says('Mended.'), done('Mended.')], 'answer'],
    [`a last message, and exit code 1: ${words}`, 1, [init, printed(words), says(words)], 'error'],
    [`a last message, and a signal: ${words}`, 'SIGTERM', [init, says(words)], 'error'],
    [
      `an answer before a wrong key: ${words}`,
      1,
      [init, says(words), ...refused('Invalid API key', 'authentication_failed', 401)],
      'person',
    ],
    [`an answer with exit code 1: ${words}`, 1, [init, says(words), done(words)], 'error'],
  ]),
]
