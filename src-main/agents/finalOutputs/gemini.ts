import { hostileWords, inSeconds, type FinalOutput, type Line, type OutputParts } from './finalOutput'

const init = { type: 'init', session_id: 's', model: 'm' }
const asked = { type: 'message', role: 'user', content: 'do it\n' }
const says = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
const printed = (output: string) => ({ type: 'tool_result', tool_id: 't', status: 'success', output })
const brokeTool = (message: string) => ({
  type: 'tool_result',
  tool_id: 't',
  status: 'error',
  error: { type: 'run_failed', message },
})
const stats = { total_tokens: 0 }
const done = { type: 'result', status: 'success', stats }
const failed = (message: string, type = 'unknown') => ({
  type: 'result',
  status: 'error',
  error: { type, message },
  stats,
})
const refused = (message: string): Line[] => [init, asked, failed(`[API Error: ${message}]`)]
const wait = '\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio'
const api = (code: number, status: string, message: string, details: object[] = []) =>
  JSON.stringify({ error: { code, message, status, details } })
/** With `--output-format json` an error is an object on standard error. */
const object = (message: string, code: number) =>
  `${JSON.stringify({ session_id: 's', error: { type: 'Error', message, code } }, null, 2)}\n`
const report = (error: string, status?: number) =>
  `Error when talking to Gemini API Full report available at: /tmp/gemini-client-error.json ${error}\n    at retry (file:///x.js:1:1) {\n${status === undefined ? '' : `  cause: { code: ${status} },\n  status: ${status}\n`}}\n`
const whole = (response: string) =>
  JSON.stringify({ session_id: 's', response, stats: { models: {} } }, null, 2).split('\n')

export const geminiParts: OutputParts = {
  begin: [init, asked],
  says,
  toolPrinted: [printed, brokeTool],
  done: () => done,
  failures: [[failed('no')]],
  wantsPerson: [failed(`[API Error: ${api(401, 'UNAUTHENTICATED', 'no')}]`)],
  refusals: [[failed('[API Error: fetch failed]')], [failed(`[API Error: ${api(429, 'RESOURCE_EXHAUSTED', 'no')}]`)]],
}

export const geminiOutputs: readonly FinalOutput[] = [
  ['a stream that was cut', 1, refused('terminated'), 'outage'],
  ['a stream that was cut after work', 1, [init, asked, says('I begin.'), failed('[API Error: terminated]')], 'outage'],
  ['an error that nobody knows', 1, refused('The answer made no sense'), 'unknown'],
  [
    'an error that nobody knows, after work',
    1,
    [init, asked, says('I begin.'), failed('[API Error: No sense]')],
    'error',
  ],
  ['settings that are broken', 52, [''], 'person', 'Error in settings.json: bad JSON\n'],
  ['429', 173, refused(`Resource has been exhausted (e.g. check quota).]${wait}`), 'limit'],
  ['429 of a day', 173, refused(`You have exhausted your daily quota on this model.]${wait}`), 'limit'],
  [
    '429 of a day with its time',
    173,
    refused(`You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.]${wait}`),
    inSeconds(31_447),
  ],
  [
    '429 of a minute with its time',
    173,
    refused(`Quota exceeded. Please retry in 2s.\nSuggested retry after 2s.]${wait}`),
    inSeconds(2),
  ],
  [
    '429 of a plan',
    173,
    refused('You exceeded your current quota, please check your plan and billing details.'),
    'limit',
  ],
  ['429 in words nobody knows', 173, refused('Come back on Monday.'), 'limit'],
  ['429 in words nobody knows, on Windows', 429, refused('Come back on Monday.'), 'limit'],
  ['429 as JSON', 1, refused(api(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')), 'limit'],
  [
    '429 as JSON with its delay',
    1,
    refused(
      api(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' },
      ]),
    ),
    inSeconds(34.07),
  ],
  [
    '429 as JSON in JSON',
    1,
    refused(JSON.stringify({ error: { message: api(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'), code: 429 } })),
    'limit',
  ],
  ['429 as JSON that is cut', 1, [init, failed('[API Error: {"error":{"code":429,"message":"Quota exc')], 'limit'],
  ['a quota by its status alone', 1, refused('{"error":{"status":"RESOURCE_EXHAUSTED"}}'), 'limit'],
  ['no capacity', 173, refused('No capacity available for model m'), 'limit'],
  ['503', 247, refused('The model is overloaded. Please try again later.'), 'outage'],
  ['503 with exit code 1', 1, refused('The model is overloaded. Please try again later.'), 'outage'],
  ['503 as JSON', 1, refused(api(503, 'UNAVAILABLE', 'The model is overloaded.')), 'outage'],
  ['500', 244, refused(api(500, 'INTERNAL', 'An internal error has occurred.')), 'outage'],
  ['502 by its exit code', 246, refused('Bad Gateway'), 'outage'],
  ['504 by its exit code', 248, refused('It took too long.'), 'outage'],
  ['504 as JSON', 1, refused(api(504, 'DEADLINE_EXCEEDED', 'Deadline expired.')), 'outage'],
  ['no connection', 1, refused('exception TypeError: fetch failed sending request'), 'outage'],
  ['an answer that is cut', 1, refused('terminated'), 'outage'],
  [
    'a network error in its words',
    1,
    refused('request to https://example.org failed, reason: getaddrinfo ENOTFOUND example.org'),
    'outage',
  ],
  ['401', 145, refused(api(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')), 'person'],
  ['403', 147, refused(api(403, 'PERMISSION_DENIED', 'Permission denied on resource.')), 'person'],
  [
    'a key that is wrong',
    144,
    refused(api(400, 'INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }])),
    'person',
  ],
  [
    'a bad request that quotes a limit',
    144,
    refused(api(400, 'INVALID_ARGUMENT', 'Invalid value at contents: rate limit exceeded HTTP 429')),
    'error',
  ],
  ['a model that is not there', 1, refused('models/none is not found'), 'error'],
  ['no key', 41, [], 'person', 'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.\n'],
  ['a folder that is not trusted', 55, [], 'person', 'Gemini CLI is not running in a trusted directory.\n'],
  ['an input that is invalid', 42, [], 'error', 'No input provided via stdin.\n'],
  [
    'too many turns',
    53,
    [init, asked, failed('Reached max session turns for this session.', 'FatalTurnLimitedError')],
    'turns',
  ],
  [
    'an answer without text',
    0,
    [
      init,
      asked,
      {
        type: 'error',
        severity: 'error',
        message:
          'The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again.',
      },
      { type: 'result', status: 'error', stats },
    ],
    'error',
  ],
  [
    'a loop that it found',
    0,
    [init, { type: 'error', severity: 'warning', message: 'Loop detected, stopping execution' }, done],
    'answer',
  ],
  [
    'an error of a tool',
    54,
    [
      init,
      brokeTool('HTTP 429: rate limit exceeded'),
      failed('Error executing tool run_shell_command: connect ECONNREFUSED 127.0.0.1', 'FatalToolExecutionError'),
    ],
    'error',
  ],
  [
    'a refusal that it got over',
    0,
    [init, says('Done.'), done],
    'answer',
    'Attempt 1 failed: The model is overloaded. Please try again later. Retrying after 6173ms...\n',
  ],
  [
    'an error on the way that it got over',
    0,
    [init, { type: 'error', severity: 'error', message: '[API Error: 429]' }, says('Done.'), done],
    'answer',
  ],
  [
    'an error on the way, and a signal later',
    'SIGKILL',
    [init, { type: 'error', severity: 'error', message: '[API Error: fetch failed]' }, says('I go on.')],
    'error',
  ],
  [
    'an error as its last event, and a signal',
    'SIGKILL',
    [init, { type: 'error', severity: 'error', message: '[API Error: fetch failed]' }],
    'outage',
  ],
  ['success, and exit code 173', 173, [init, says('429'), done], 'error'],
  [
    'a last event that is cut',
    173,
    [init, says('I begin.'), '{"type":"result","status":"error","error":{"type":"unk'],
    'limit',
    report('RetryableQuotaError: Come back on Monday.', 429),
  ],
  [
    'a last event that is cut, and nothing else',
    1,
    [init, says('I begin.'), '{"type":"result","status":"error","error":{"type":"unk'],
    'error',
  ],
  ['nothing', 0, [], 'answer'],
  ['nothing, and exit code 1', 1, [], 'error'],
  ['nothing, and exit code 173', 173, [], 'error'],
  ['nothing, and a signal', 'SIGKILL', [], 'error'],
  [
    'one object: 429',
    173,
    [],
    'limit',
    `Ripgrep is not available.\n${report('TerminalQuotaError: You have exhausted your daily quota on this model.', 429)}${object('You have exhausted your daily quota on this model.', 429)}`,
  ],
  ['one object: 503', 247, [], 'outage', object('The model is overloaded.', 503)],
  ['one object: 429 with exit code 1', 1, [], 'limit', object('Come back on Monday.', 429)],
  ['one object: 401', 145, [], 'person', object(api(401, 'UNAUTHENTICATED', 'rate limit'), 401)],
  ['one object: a code of its own', 52, [], 'person', object('Config error: rate limit exceeded', 52)],
  ['one object: an answer', 0, whole('HTTP 429: rate limit exceeded'), 'answer'],
  [
    'plain text: 429',
    1,
    [],
    'limit',
    `${report('TerminalQuotaError: You have exhausted your daily quota on this model.', 429)}An unexpected critical error occurred:[object Object]\n`,
  ],
  [
    'plain text: 503',
    1,
    [],
    'outage',
    `Attempt 1 failed: The model is overloaded.. Max attempts reached\n${report('RetryableQuotaError: Come back.', 503)}An unexpected critical error occurred:[object Object]\n`,
  ],
  [
    'plain text: 401',
    1,
    [],
    'person',
    `${report('_ApiError: {"error":{"code":401,"message":"rate limit","status":"UNAUTHENTICATED"}}', 401)}An unexpected critical error occurred:[object Object]\n`,
  ],
  ['plain text: no connection', 1, [], 'outage', report('Error: exception TypeError: fetch failed sending request')],
  ['plain text: 429 behind its answer', 1, ['I begin.'], 'limit', report('RetryableQuotaError: Come back.', 429)],
  ['plain text: an answer about limits', 0, ['I mended the error "HTTP 429: rate limit exceeded".'], 'answer'],
  [
    'plain text: a limit with exit code 0',
    0,
    ['[API Error: You have exhausted your daily quota on this model.]'],
    'limit',
  ],
  ['a context that is exceeded', 1, refused('You exceeded the maximum number of tokens.'), 'error'],
  [
    'a last event that is missing, with exit code 0',
    0,
    [init, says('I begin.')],
    'limit',
    report('RetryableQuotaError: Come back on Monday.', 429),
  ],
  ...hostileWords.flatMap((words): FinalOutput[] => [
    [`an answer: ${words}`, 0, [init, asked, says(words), done], 'answer'],
    [`what a tool printed: ${words}`, 0, [init, printed(words), says('Mended.'), done], 'answer'],
    [`a tool’s error, and exit code 1: ${words}`, 1, [init, brokeTool(words)], 'error'],
    [`a last message, and a signal: ${words}`, 'SIGTERM', [init, says(words)], 'error'],
    [
      `an answer before a wrong key: ${words}`,
      145,
      [init, says(words), ...refused(api(401, 'UNAUTHENTICATED', words))],
      'person',
    ],
    [`an answer as one object: ${words}`, 0, whole(words), 'answer'],
  ]),
]
