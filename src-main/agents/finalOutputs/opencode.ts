import { hostileWords, inSeconds, type FinalOutput, type Line, type OutputParts } from './finalOutput'

const begin = { type: 'step_start', part: { type: 'step-start' } }
const says = (text: string) => ({ type: 'text', part: { messageID: 'm', type: 'text', text } })
const printed = (output: string) => ({
  type: 'tool_use',
  part: { tool: 'bash', state: { status: 'completed', output } },
})
const brokeTool = (error: string) => ({ type: 'tool_use', part: { tool: 'bash', state: { status: 'error', error } } })
const finish = (reason = 'stop') => ({
  type: 'step_finish',
  part: { type: 'step-finish', reason, tokens: { input: 1, output: 1 } },
})
const done = finish()
const error = (name: string, data: object) => ({ type: 'error', sessionID: 's', error: { name, data } })
const api = (message: string, statusCode: number | undefined, more: object = {}): Line[] => [
  error('APIError', { message, ...(statusCode === undefined ? {} : { statusCode }), isRetryable: true, ...more }),
]
const body = (kind: object) => ({ responseBody: JSON.stringify({ error: kind }) })

export const opencodeParts: OutputParts = {
  begin: [begin],
  says,
  toolPrinted: [printed, brokeTool],
  done: () => done,
  failures: [[error('UnknownError', { message: 'no' })]],
  wantsPerson: api('no', 401),
  refusals: [api('no', 529), api('no', 429)],
}

export const opencodeOutputs: readonly FinalOutput[] = [
  ['429', 1, api('Too Many Requests', 429), 'limit'],
  [
    '429 with the header of a delay',
    1,
    api('Too Many Requests', 429, { responseHeaders: { 'retry-after': '20' } }),
    inSeconds(20),
  ],
  [
    '429 with the header of a date',
    1,
    api('Too Many Requests', 429, { responseHeaders: { 'retry-after': 'Sat, 28 Nov 2026 16:00:00 GMT' } }),
    'limit',
  ],
  [
    '429 with its body',
    1,
    api('Rate limit reached for m.', 429, body({ type: 'requests', code: 'rate_limit_exceeded' })),
    'limit',
  ],
  [
    '429 with a time in its body',
    1,
    api('The usage limit has been reached', 429, body({ type: 'usage_limit_reached', resets_in_seconds: 7_200 })),
    inSeconds(7_200),
  ],
  [
    '429 with a time in its words',
    1,
    api('You have exceeded the 5-hour usage quota. It will reset at 2026-11-28 18:00:00 +0000 UTC.', 429),
    Date.UTC(2026, 10, 28, 18),
  ],
  ['429 in words nobody knows', 1, api('Come back on Monday.', 429), 'limit'],
  [
    '429 without a quota',
    1,
    api('You exceeded your current quota.', 429, body({ code: 'insufficient_quota' })),
    'limit',
  ],
  ['a limit by its body alone', 1, api('Come back.', undefined, body({ type: 'rate_limit_error' })), 'limit'],
  [
    'a limit by its words alone',
    1,
    [error('UnknownError', { message: 'Too Many Requests, retrying in 59 minutes 12 seconds' })],
    inSeconds(3_552),
  ],
  ['a limit of what is free', 1, [error('UnknownError', { message: 'Free Usage Exceeded, Subscribe To Go' })], 'limit'],
  ['a limit of what is free, by its name', 1, [error('FreeUsageLimitError', { message: 'Subscribe.' })], 'limit'],
  [
    'a limit as JSON in its words',
    1,
    [error('UnknownError', { message: '{"type":"error","error":{"type":"rate_limit_error","message":"x"}}' })],
    'limit',
  ],
  ['529', 1, api('Overloaded', 529, body({ type: 'overloaded_error' })), 'outage'],
  ['503', 1, api('Service Unavailable', 503), 'outage'],
  ['502 of a proxy', 1, api('Bad Gateway', 502, { responseBody: '<html>429</html>' }), 'outage'],
  ['504', 1, api('Gateway Timeout', 504), 'outage'],
  ['500', 1, api('Internal Server Error', 500, body({ type: 'server_error' })), 'outage'],
  ['an outage by its body alone', 1, api('x', undefined, body({ type: 'overloaded_error' })), 'outage'],
  ['no connection', 1, api('Unable to connect. Is the computer able to access the url?', undefined), 'outage'],
  ['a dropped connection', 1, [error('UnknownError', { message: 'socket hang up' })], 'outage'],
  [
    'a name that is not found',
    1,
    [error('UnknownError', { message: 'Error: getaddrinfo ENOTFOUND api.example.org' })],
    'outage',
  ],
  ['a failed request', 1, [error('UnknownError', { message: 'TypeError: fetch failed' })], 'outage'],
  [
    'a key that is wrong',
    1,
    api('Incorrect API key provided: x.', 401, body({ type: 'invalid_request_error', code: 'invalid_api_key' })),
    'person',
  ],
  ['a key that is wrong, in words of a limit', 1, api('Rate limit exceeded', 401), 'person'],
  ['no key', 1, [error('ProviderAuthError', { providerID: 'p', message: 'Usage limit reached' })], 'person'],
  ['403', 1, api('Quota exceeded', 403), 'person'],
  ['402', 1, api('Insufficient balance', 402), 'person'],
  [
    'a model that is not there',
    1,
    api('The model none does not exist', 404, body({ code: 'model_not_found' })),
    'error',
  ],
  [
    'a bad request that quotes a limit',
    1,
    api('Invalid value: rate limit exceeded HTTP 429 ECONNREFUSED', 400, body({ type: 'invalid_request_error' })),
    'error',
  ],
  ['too long an answer', 1, [error('MessageOutputLengthError', {})], 'error'],
  ['too long a conversation', 1, [error('ContextOverflowError', { message: '429 of 400 tokens' })], 'error'],
  ['an abort', 1, [error('MessageAbortedError', { message: 'Too many requests' })], 'error'],
  [
    'an error of its server',
    1,
    [error('UnknownError', { message: 'Unexpected server error. Check server logs for details.' })],
    'error',
  ],
  [
    'an error of its own that quotes a test',
    1,
    [error('UnknownError', { message: 'Error: connect ECONNREFUSED 127.0.0.1:6510' })],
    'error',
  ],
  ['an error as words', 1, [{ type: 'error', error: 'no model' }], 'error'],
  ['an error that is empty', 1, [{ type: 'error' }], 'error'],
  ['429, and exit code 0', 0, api('Too Many Requests', 429), 'limit'],
  ['529 behind an answer', 1, [begin, says('I begin.'), finish('tool-calls'), ...api('Overloaded', 529)], 'outage'],
  ['an error on the way, and a signal later', 'SIGKILL', [...api('Overloaded', 529), begin, says('I go on.')], 'error'],
  ['an error as its last event, and a signal', 'SIGKILL', [begin, ...api('Overloaded', 529)], 'outage'],
  ['an answer', 0, [begin, says('Done.'), done], 'answer'],
  ['an answer without text', 0, [begin, done], 'answer'],
  ['success, and exit code 1', 1, [begin, says('429'), done], 'error'],
  ['success, and a signal', 'SIGKILL', [begin, says('429'), done], 'error'],
  ['a step that was not its last, and exit code 1', 1, [begin, says('HTTP 429'), finish('tool-calls')], 'error'],
  [
    'a last event that is cut',
    1,
    [begin, says('I begin.'), '{"type":"error","error":{"name":"APIError","data":{"statusCode":42'],
    'error',
  ],
  ['nothing', 0, [], 'answer'],
  ['nothing, and exit code 1', 1, [], 'error'],
  ['nothing, and a signal', 'SIGKILL', [], 'error'],
  ['plain text: a limit', 1, [], 'limit', 'Error: Too Many Requests\n'],
  ['plain text: no connection', 1, [], 'outage', 'Error: fetch failed\n'],
  ['plain text: no model', 1, [], 'error', 'Error: Model not found: none/none.\n'],
  ['plain text: a line of a compiler', 1, ['src/main.asm:429: error: x'], 'error'],
  ['plain text: an answer about limits', 0, ['I wrote down the usage limit.'], 'answer'],
  ['plain text: a limit with exit code 0', 0, ['The usage limit has been reached'], 'limit'],
  ['plain text: a limit behind an answer', 0, ['I begin.', 'The usage limit has been reached'], 'answer'],
  ['plain text: 429 of a test', 1, ['FAIL expected 200, got HTTP 429'], 'error', 'exit status 1\n'],
  [
    'a bad request whose error holds what was asked',
    1,
    [error('APIError', { message: 'no', requestBodyValues: { messages: [{ type: 'rate_limit_error', code: 429 }] } })],
    'unknown',
  ],
  [
    'a context that is exceeded',
    1,
    [error('UnknownError', { message: 'You have exceeded the maximum context length.' })],
    'error',
  ],
  ['a limit of steps', 1, [error('UnknownError', { message: 'Step limit reached' })], 'error'],
  ...hostileWords.flatMap((words): FinalOutput[] => [
    [`an answer: ${words}`, 0, [begin, says(words), done], 'answer'],
    [`what a tool printed: ${words}`, 0, [begin, printed(words), says('Mended.'), done], 'answer'],
    [`a tool’s error, and exit code 1: ${words}`, 1, [begin, brokeTool(words), finish('tool-calls')], 'error'],
    [`a last message, and a signal: ${words}`, 'SIGTERM', [begin, says(words)], 'error'],
    [
      `an answer before a wrong key: ${words}`,
      1,
      [begin, says(words), ...api('Incorrect API key provided', 401)],
      'person',
    ],
    [`an answer with exit code 1: ${words}`, 1, [begin, says(words), done], 'error'],
  ]),
]
