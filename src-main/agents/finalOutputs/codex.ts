import { hostileWords, inSeconds, type FinalOutput, type Line, type OutputParts } from './finalOutput'

const begin = { type: 'thread.started', thread_id: 't' }
const turn = { type: 'turn.started' }
const note = {
  type: 'item.completed',
  item: { id: 'i0', type: 'error', message: 'Model metadata for `m` not found. Defaulting to fallback metadata.' },
}
const says = (text: string) => ({ type: 'item.completed', item: { id: 'i1', type: 'agent_message', text } })
const printed = (output: string, exit = 1) => ({
  type: 'item.completed',
  item: {
    id: 'i2',
    type: 'command_execution',
    command: 'make',
    aggregated_output: output,
    exit_code: exit,
    status: exit === 0 ? 'completed' : 'failed',
  },
})
const done = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 5 } }
const error = (message: string) => ({ type: 'error', message })
const failed = (message: string) => ({ type: 'turn.failed', error: { message } })
const refused = (message: string): Line[] => [begin, note, turn, error(message), failed(message)]
const upgrade = 'Upgrade to Pro (https://example.org/pro), visit https://example.org/usage to purchase more credits or'
const badRequest =
  '{"error":{"type":"invalid_request_error","code":null,"message":"Invalid value: rate limit exceeded HTTP 429 ECONNREFUSED"}}'
const transcript = (answer: string, end: string) =>
  `OpenAI Codex v0.171.0\n--------\nuser\ndo it\ncodex\n${answer}\n${end}`

export const codexParts: OutputParts = {
  begin: [begin, note, turn],
  says,
  toolPrinted: [printed, (words) => printed(words, 0)],
  done: () => done,
  failures: [[failed('no')]],
  wantsPerson: [failed('unexpected status 401 Unauthorized: no')],
  refusals: [
    [failed('Selected model is at capacity.')],
    [failed('exceeded retry limit, last status: 429 Too Many Requests')],
  ],
}

export const codexOutputs: readonly FinalOutput[] = [
  [
    'a usage limit with its time',
    1,
    refused(`You’ve hit your usage limit. ${upgrade} try again at Nov 28th, 2026 4:43 PM.`),
    new Date('2026-11-28T16:43').getTime(),
  ],
  [
    'a usage limit that lasts some days',
    1,
    refused(`You’ve hit your usage limit. ${upgrade} try again in 1 day 2 hours 3 minutes.`),
    inSeconds(93_780),
  ],
  ['a usage limit without a time', 1, refused(`You’ve hit your usage limit. ${upgrade} try again later.`), 'limit'],
  ['a usage limit with a straight apostrophe', 1, refused("You've hit your usage limit."), 'limit'],
  [
    'a usage limit of version 0.20',
    1,
    refused("You've hit your usage limit. Upgrade to Pro (…), or wait for limits to reset (every 5h and every week.)."),
    'limit',
  ],
  ['no quota', 1, refused('Quota exceeded. Check your plan and billing details.'), 'limit'],
  ['no credits', 1, refused("You're out of credits. Add credits to continue using Codex."), 'limit'],
  [
    'a rate limit within the stream',
    1,
    refused('rate limit exceeded: Rate limit reached for m. Please try again in 11.054s.'),
    inSeconds(11.054),
  ],
  ['a rate limit at every try', 1, refused('exceeded retry limit, last status: 429 Too Many Requests'), 'limit'],
  [
    'a rate limit at every try, with an id',
    1,
    refused('exceeded retry limit, last status: 429 Too Many Requests, request id: r1'),
    'limit',
  ],
  [
    '429 with its body',
    1,
    refused('unexpected status 429 Too Many Requests: slow down, url: http://127.0.0.1/responses'),
    'limit',
  ],
  [
    '429 as JSON',
    1,
    refused(
      '{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":7200}}',
    ),
    inSeconds(7_200),
  ],
  [
    '429 as JSON with a moment',
    1,
    refused(`{"error":{"type":"usage_limit_reached","resets_at":${inSeconds(3_600) / 1000}}}`),
    inSeconds(3_600),
  ],
  ['429 as JSON that is cut', 1, refused('{"error":{"type":"rate_limit_exceeded","message":"Rate li'), 'limit'],
  ['high demand', 1, refused('We’re currently experiencing high demand, which may cause temporary errors.'), 'outage'],
  ['a model at capacity', 1, refused('Selected model is at capacity. Please try a different model.'), 'outage'],
  [
    '502 of a proxy',
    1,
    refused(
      'unexpected status 502 Bad Gateway: <html><h1>502 Bad Gateway</h1></html>, url: http://127.0.0.1/responses',
    ),
    'outage',
  ],
  ['503 at every try', 1, refused('exceeded retry limit, last status: 503 Service Unavailable'), 'outage'],
  ['529', 1, refused('unexpected status 529 <unknown status code>: , url: http://127.0.0.1/responses'), 'outage'],
  ['500 as JSON', 1, refused('{"error":{"type":"server_error","message":"The server had an error"}}'), 'outage'],
  [
    'a stream that is cut',
    1,
    refused('stream disconnected before completion: Transport error: network error: error decoding response body'),
    'outage',
  ],
  [
    'a connection that is dropped',
    1,
    refused('stream disconnected before completion: error sending request'),
    'outage',
  ],
  [
    'a stream that stands still',
    1,
    refused('stream disconnected before completion: idle timeout waiting for SSE'),
    'outage',
  ],
  [
    'no network, and something ended it',
    'SIGTERM',
    [begin, turn, error('Reconnecting... waiting for network (Connection failed: error sending request)')],
    'outage',
  ],
  [
    'no network for a while, and something ended it later',
    'SIGTERM',
    [begin, turn, error('Reconnecting... 1/5'), says('I go on.')],
    'error',
  ],
  [
    'no network for a while, and exit code 1 later',
    1,
    [begin, turn, error('Reconnecting... 1/5'), printed('429')],
    'error',
  ],
  ['no network for a while', 0, [begin, turn, error('Reconnecting... 1/5'), says('Done.'), done], 'answer'],
  [
    'a key that is wrong',
    1,
    refused('unexpected status 401 Unauthorized: Incorrect API key provided: x., url: http://127.0.0.1/responses'),
    'person',
  ],
  [
    'a key that is wrong, in words of a limit',
    1,
    refused('unexpected status 401 Unauthorized: rate limit 429 ECONNREFUSED, url: http://127.0.0.1/responses'),
    'person',
  ],
  ['403', 1, refused('unexpected status 403 Forbidden: quota exceeded'), 'person'],
  [
    'a plan without it',
    1,
    refused('To use Codex with your ChatGPT plan, upgrade to Plus: https://example.org/plus.'),
    'error',
  ],
  [
    'a plan without it as JSON',
    1,
    refused('{"error":{"type":"usage_not_included","message":"Usage limit"}}'),
    'person',
  ],
  ['a bad request that quotes a limit', 1, refused(badRequest), 'error'],
  ['a bad request that is cut', 1, refused(badRequest.slice(0, 90)), 'error'],
  ['a model that is not there', 1, refused('The model none does not exist'), 'error'],
  [
    'too long a conversation',
    1,
    refused(
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    ),
    'error',
  ],
  [
    'a login that has expired',
    1,
    refused('Your access token could not be refreshed because your refresh token has expired.'),
    'error',
  ],
  ['an error of its own', 1, refused('turn aborted. Something went wrong?'), 'error'],
  ['an error of its own that quotes a test', 1, refused('Error: connect ECONNREFUSED 127.0.0.1:6510'), 'error'],
  ['an error without words', 1, [begin, turn, { type: 'turn.failed', error: {} }], 'error'],
  ['an error as text', 1, [begin, turn, { type: 'turn.failed', error: 'Quota exceeded. Check your plan.' }], 'limit'],
  [
    'a folder without git',
    1,
    [],
    'error',
    'Not inside a trusted directory and --skip-git-repo-check was not specified.\n',
  ],
  ['a setting that is wrong', 1, [], 'error', 'Error loading config.toml: line 429: unknown field\n'],
  [
    'a failed turn, and one that went well',
    0,
    [begin, turn, failed('Quota exceeded.'), turn, says('Done.'), done],
    'answer',
  ],
  ['success, and exit code 1', 1, [begin, turn, says('429'), done], 'error'],
  ['success, and a signal', 'SIGKILL', [begin, turn, says('429'), done], 'error'],
  [
    'a failed turn, and a signal',
    'SIGKILL',
    refused('exceeded retry limit, last status: 429 Too Many Requests'),
    'limit',
  ],
  [
    'a last event that is cut',
    1,
    [begin, turn, says('I begin.'), '{"type":"turn.failed","error":{"message":"You’ve hit your usa'],
    'error',
  ],
  ['an answer that is missing', 0, [begin, turn, done], 'answer'],
  ['nothing', 0, [], 'answer'],
  ['nothing, and exit code 1', 1, [], 'error'],
  ['nothing, and a signal', 'SIGKILL', [], 'error'],
  [
    'plain text: a usage limit',
    1,
    [''],
    inSeconds(7_200),
    `warning: no bubblewrap\n${'ERROR: You’ve hit your usage limit. Try again in 2 hours.\n'.repeat(2)}`,
  ],
  ['plain text: 429', 1, [''], 'limit', 'ERROR: exceeded retry limit, last status: 429 Too Many Requests\n'],
  ['plain text: capacity', 1, [''], 'outage', 'ERROR: Selected model is at capacity. Please try a different model.\n'],
  ['plain text: a bad request', 1, [''], 'error', `ERROR: ${badRequest}\n`],
  [
    'plain text: an answer about limits',
    0,
    ['Rate limit exceeded. HTTP 429'],
    'answer',
    transcript('Rate limit exceeded. HTTP 429', 'tokens used\n15\n'),
  ],
  ['plain text: a usage limit with exit code 0', 0, ["You've hit your usage limit."], 'limit'],
  ['a limit of its own threads', 1, refused('agent thread limit reached'), 'error'],
  ['a limit that its workspace set', 1, refused("Usage limit reached. You've reached your usage limit."), 'limit'],
  ...hostileWords.flatMap((words): FinalOutput[] => [
    [`an answer: ${words}`, 0, [begin, turn, says(words), done], 'answer'],
    [`what a command printed: ${words}`, 0, [begin, turn, printed(words), says('Mended.'), done], 'answer'],
    [`a last message, and exit code 1: ${words}`, 1, [begin, turn, printed(words), says(words)], 'error'],
    [`a command’s output, and a signal: ${words}`, 'SIGTERM', [begin, turn, printed(words)], 'error'],
    [
      `an answer before a wrong key: ${words}`,
      1,
      [begin, turn, says(words), failed('unexpected status 401 Unauthorized: no key')],
      'person',
    ],
    [`a transcript, and exit code 1: ${words}`, 1, [''], 'error', transcript(words, `exec\n${words}\n`)],
  ]),
]
