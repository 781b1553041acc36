export interface Failure {
  readonly words: string
  /** HTTP status. */
  readonly status?: number | undefined
  readonly kinds?: readonly string[] | undefined
  /** When a limit resets, ms since 1970. */
  readonly resetsAt?: number | undefined
}

/** `own`: a later try would not help. `person`: the same until the person signs in, pays or sets it up. */
export type FailureKind = 'usage-limit' | 'unreachable' | 'own' | 'person'

const kindsOf = (kind: FailureKind, names: string): [string, FailureKind][] =>
  names.split(/\s+/).map((name) => [name, kind])

/** As the services and programs name them; names that stand for several kinds are left out. */
const knownKinds = new Map<string, FailureKind>([
  ...kindsOf(
    'usage-limit',
    'rate_limit_error rate_limit rate_limit_exceeded usage_limit_reached usage_limit_exceeded insufficient_quota quota_exceeded FreeUsageLimitError GoUsageLimitError RESOURCE_EXHAUSTED QUOTA_EXHAUSTED RATE_LIMIT_EXCEEDED',
  ),
  ...kindsOf(
    'unreachable',
    'overloaded_error overloaded server_error timeout_error server_is_overloaded slow_down connection_failed stream_idle_timeout no_response computer_slept UNAVAILABLE INTERNAL DEADLINE_EXCEEDED MODEL_CAPACITY_EXHAUSTED',
  ),
  ...kindsOf(
    'person',
    'authentication_error authentication_failed billing_error permission_error invalid_api_key usage_not_included ProviderAuthError UNAUTHENTICATED PERMISSION_DENIED API_KEY_INVALID',
  ),
  ...kindsOf(
    'own',
    'not_found_error request_too_large model_not_found context_length_exceeded ContextOverflowError MessageAbortedError MessageOutputLengthError NOT_FOUND',
  ),
])
const vagueKinds = new Map<string, FailureKind>([
  ...kindsOf('unreachable', 'api_error'),
  ...kindsOf('own', 'invalid_request_error invalid_request INVALID_ARGUMENT FAILED_PRECONDITION'),
])

const kindAmong = (names: readonly string[] | undefined, known: ReadonlyMap<string, FailureKind>) =>
  names?.map((name) => known.get(name)).find((kind) => kind !== undefined)

function kindOfStatus(status: number | undefined): FailureKind | undefined {
  if (status === undefined || status < 400 || status > 599) return undefined
  if (status === 429) return 'usage-limit'
  if (status >= 401 && status <= 403) return 'person'
  return status >= 500 || status === 408 ? 'unreachable' : 'own'
}

const kindOfParts = ({ kinds, status }: Pick<Failure, 'kinds' | 'status'>): FailureKind | undefined =>
  kindAmong(kinds, knownKinds) ?? kindOfStatus(status) ?? kindAmong(kinds, vagueKinds)

const PREFIX =
  /^[^\p{L}\p{N}]*(?:Error when talking to Gemini API|API Error|\w{0,30}Error|fatal|exception|Attempt \d+ failed|Failed to authenticate)\b[^\p{L}\p{N}{]*/iu

const LIMIT_WORDS =
  /^(?:(?:The |Claude (?:AI )?)?(?:usage|session|weekly|monthly|rate|quota|opus|sonnet|haiku|\d+-hour) limit (?:has been )?reached|limit reached\W+resets|You['\u2019]ve (?:hit|reached) your (?:[\w-]{1,20} ){0,3}limit|You['\u2019]re out of |Your workspace is out of credits|You (?:have )?(?:exhausted|exceeded) (?:your|the) [\w -]{0,40}\b(?:quota|capacity|usage)|(?:Usage )?quota (?:limit )?exceeded|Resource has been exhausted|No capacity available|Free usage exceeded|Too many requests|rate[ -]limit(?:ed\b|_error| exceeded| reached)|insufficient_quota|RESOURCE_EXHAUSTED|Server is temporarily limiting requests)/i

const OUTAGE_WORDS =
  /^(?:fetch failed|terminated\b|socket hang up|network error|getaddrinfo E[A-Z_]+|Connection (?:error|failed|refused|reset|closed|dropped|timed out|to the API was lost)|Can['\u2019]t reach the API|Unable to connect\b|Request timed out|stream (?:error|disconnected)|error sending request|Reconnecting\.\.\.|(?:The (?:model|server|service|engine) is (?:currently )?)?overloaded|We['\u2019]re currently experiencing high (?:demand|load)|Selected model is at capacity|Server is busy)/i

const PERSON_WORDS =
  /^(?:Invalid API key|Not logged in|Please (?:run \/login|sign in|log in)|OAuth token (?:has expired|revoked)|(?:Your )?credit balance is too low)/i

const OWN_WORDS =
  /\bmaximum (?:context|number of tokens|prompt)|\bprompt is too long\b|\bcontext (?:length|window)\b|\b(?:is|was) not (?:found|supported)\b|\bdoes not exist\b/i

const NETWORK_CODES = /\b(?:ECONNRESET|ECONNREFUSED|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|EPIPE)\b/

/** `529 Overloaded`, `unexpected status 502 Bad Gateway`, `exceeded retry limit, last status: 429`, `Request rejected (429)` */
const STATUS_WORDS =
  /^(?:Request rejected \(|exceeded retry limit, last status: |unexpected status |HTTP(?:\/\d(?:\.\d)?)? |[Ss]tatus(?: code)?:? |got status: )?([45]\d\d)(?= [\p{Lu}{<]| \w+_error|[:,.)]|$)/u

const MAX_PREFIXES = 6

function bareWords(words: string): { readonly bare: string; readonly isApiError: boolean } {
  let bare = words
  for (let count = 0; count < MAX_PREFIXES; count++) bare = bare.replace(PREFIX, '')
  return { bare: bare.replace(/^[^\p{L}\p{N}{]+/u, ''), isApiError: /^[^\p{L}\p{N}]*API Error\b/iu.test(words) }
}

function kindOfWords(words: string): FailureKind | undefined {
  const { bare, isApiError } = bareWords(words)
  const [, status] = STATUS_WORDS.exec(bare) ?? []
  const byStatus = kindOfStatus(status === undefined ? undefined : Number(status))
  if (byStatus) return byStatus
  if (LIMIT_WORDS.test(bare)) return 'usage-limit'
  if (PERSON_WORDS.test(bare)) return 'person'
  if (OUTAGE_WORDS.test(bare) || (isApiError && NETWORK_CODES.test(bare))) return 'unreachable'
  return OWN_WORDS.test(bare) ? 'own' : undefined
}

/** Keys that hold an error's details. Text under other keys, as in a quoted request, may be the agent's own. */
const WITHIN = /^(?:\d{1,3}|errors?|details?|data|cause|responseHeaders)$/
const MAX_DEPTH = 8
const MAX_PARTS = 200

interface Parts {
  status?: number
  readonly kinds: string[]
  resetsAt?: number
}

export function failureParts(value: unknown, now: number): Parts {
  const parts: Parts = { kinds: [] }
  let left = MAX_PARTS
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return
    const within: unknown[] = []
    for (const [key, part] of Object.entries(node)) {
      if (left-- <= 0) return
      if (typeof part === 'number') readNumber(key, part)
      else if (typeof part !== 'string') within.push(WITHIN.test(key) ? part : undefined)
      else if (/^(?:message|responseBody)$/.test(key) && part.trimStart().startsWith('{')) within.push(parsed(part))
      else readText(key, part)
    }
    // What an error says itself goes before what it quotes.
    for (const part of within) visit(part, depth + 1)
  }
  const readText = (key: string, part: string): void => {
    if (/^(?:type|code|status|reason|name)$/.test(key)) parts.kinds.push(part)
    // A header gives seconds without a unit, or a date.
    const [, seconds] = /^retry(?:Delay|-after)$/.test(key) ? (/^(\d{1,7}(?:\.\d{1,9})?)s?$/.exec(part) ?? []) : []
    if (seconds !== undefined) parts.resetsAt ??= now + Number(seconds) * 1000
  }
  const readNumber = (key: string, part: number): void => {
    if (/^(?:code|status|statusCode)$/.test(key)) parts.status ??= part
    else if (key === 'resets_at' || key === 'resetsAt') parts.resetsAt ??= part * 1000
    else if (key === 'resets_in_seconds') parts.resetsAt ??= now + part * 1000
  }
  visit(value, 0)
  return parts
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_WORDS_BEFORE_JSON = 80

function partsInWords(words: string, now: number): Parts {
  const from = words.indexOf('{')
  if (from < 0 || from > MAX_WORDS_BEFORE_JSON || !/^\W*$|error|status/i.test(words.slice(0, from)))
    return { kinds: [] }
  const whole = parsed(words.slice(from, words.lastIndexOf('}') + 1))
  if (whole !== undefined) return failureParts(whole, now)
  const text = words.slice(from).replaceAll('\\"', '"')
  const [, status] = /"(?:code|status|statusCode)"\s{0,4}:\s{0,4}([45]\d\d)\b/.exec(text) ?? []
  const kinds = [...text.matchAll(/"(?:type|code|status|reason)"\s{0,4}:\s{0,4}"(\w{1,60})"/g)].map(
    ([, name = '']) => name,
  )
  return { kinds, ...(status === undefined ? {} : { status: Number(status) }) }
}

const OWN_ERROR_LINE =
  /^\W{0,3}(?:(?:error|fatal): ?)?(?:API Error\b|stream (?:error|disconnected)|unexpected status \d|exceeded retry limit|Attempt \d+ failed|Error when talking to Gemini API|Claude (?:AI )?usage limit reached|(?:session|weekly|\d+-hour|opus|sonnet) limit reached|You['\u2019]ve hit your |You have (?:exhausted|exceeded) |You exceeded |The usage limit has been reached|Free Usage Exceeded|Too Many Requests|(?:TypeError: )?fetch failed|getaddrinfo E[A-Z]+)/i

export const ownErrorLine = (line: string): string => (OWN_ERROR_LINE.test(line) ? line : '')

const SERVICE_ERROR = /^\W*(?:API Error\b|Error when talking to |stream (?:error|disconnected)|unexpected status )/i
const serviceErrorKinds: readonly string[] = ['unknown', 'api_error', 'APIError']

/** Gemini CLI calls any error unknown. */
export const isOfService = ({ words, status, kinds = [] }: Failure): boolean =>
  status !== undefined ||
  SERVICE_ERROR.test(words) ||
  (kinds.some((kind) => serviceErrorKinds.includes(kind)) && !/^\W*(?:Error|\[)/.test(words))

/**
 * Structured parts decide first, then JSON in its words, then the words.
 * @param now ms since 1970
 */
export function kindOfFailure(
  failure: Failure,
  now: number,
): { readonly kind: FailureKind | undefined; readonly resetsAt: number | undefined } {
  const inner = partsInWords(failure.words, now)
  return {
    kind: kindOfParts(failure) ?? kindOfParts(inner) ?? kindOfWords(failure.words),
    resetsAt: failure.resetsAt ?? inner.resetsAt,
  }
}
