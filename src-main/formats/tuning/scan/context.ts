/** Context that grows without a bound, or is passed on whole. Reads only `phases/`. */
import type { Code } from './code'
import { agentCalls } from './agentCalls'
import { callAround } from './agentCode'
import { STRING } from './tokens'
import { allSure, foundAt, missingIn, offsetsOf, type Found, type Offsets } from './finding'
import { isHistory, isWholeContent, isWholeOutput, isWholeState, nameWords, wordSet } from './names'
import { isNegated, withoutInlineCode, wordsIn } from './prose'
import type { SkillText } from './skillText'
import { isCall, isDot, isJoined, isText, pathStart, unquoted, usageOf } from './usage'

export type ContextPattern =
  | 'history_accumulation'
  | 'full_content_passing'
  | 'missing_summarization'
  | 'agent_return_bloat'

export function scanContext(skill: readonly SkillText[]): Found<ContextPattern>[] {
  return skill
    .filter(({ path }) => path.startsWith('phases/'))
    .flatMap((file) => {
      const told = instructionsIn(file)
      return [
        ...foundAt('history_accumulation', 'high', file, growth(file.code, told)),
        ...foundAt('full_content_passing', 'medium', file, wholeValues(file.code, told)),
        ...foundAt('agent_return_bloat', 'high', file, bloatedReturns(file.code, told)),
        ...unsummarised(file),
      ]
    })
}

interface Instructions {
  readonly grown: number[]
  readonly passed: number[]
  readonly returned: number[]
  isBounded: boolean
}

function instructionsIn(file: SkillText): Instructions {
  const told: Instructions = { grown: [], passed: [], returned: [], isBounded: false }
  for (const { start, text } of file.sentences()) {
    const offset = (): number => start + text.search(/\S/)
    if (historyWord.test(text)) {
      if (boundsHistory(text)) told.isBounded = true
      if (tellsToGrow(text)) told.grown.push(offset())
    }
    if (!/content|full|compl|entire|whole|state|raw|verbatim|\ball\b/i.test(text)) continue
    const slot = slotIn(withoutInlineCode(text))
    if (slot !== undefined) told.passed.push(start + slot)
    else if (passesWhole(text)) told.passed.push(offset())
    if (returnsWhole(text)) told.returned.push(offset())
  }
  return told
}

function unsummarised(file: SkillText): Found<ContextPattern>[] {
  const { text } = file
  if (text.length <= MAX_UNSUMMARISED || shortening.test(text)) return []
  const context = `${text.length} characters, and no word of summarising or shortening`
  return [missingIn('missing_summarization', 'medium', file, context, agentCalls(file).length > 0 ? 'high' : 'low')]
}

const MAX_UNSUMMARISED = 5_000
const shortening =
  /summar(?:y|ie|is|iz)|compress|truncat|condens|shorten|abbreviat|\bdigest|\bcompact(?!\s+dis)|sliding.window|excerpt|\babridge|\bdistil/i

export const growing: ReadonlySet<string> = new Set(['push', 'append', 'concat', 'unshift', 'extend'])

function growth(code: Code, told: Instructions): Offsets {
  if (told.isBounded) return allSure([])
  const bounded = new Set<string>()
  const asked = new Set<string>()
  const grown: { name: string; offset: number; isSure: boolean }[] = []
  for (let at = 0; at < code.length; at++) {
    if (!code.isWord(at)) continue
    const name = code.text(at)
    if (!isHistory(name)) continue
    if (isBounded(code, at)) bounded.add(name)
    else if (growsAt(code, at)) grown.push({ name, offset: code.start(at), isSure: isOfReplies(code, at) })
    else if (usageOf(code, pathStart(code, at)) === 'prompt') asked.add(name)
  }
  const left = grown.filter(({ name }) => !bounded.has(name))
  const { sure, unsure } = offsetsOf(
    left,
    ({ offset }) => offset,
    ({ name, isSure }) => isSure || asked.has(name),
  )
  return { sure: [...sure, ...told.grown], unsure }
}

const replyWords: ReadonlySet<string> = wordSet(
  'reply replies response responses message messages answer answers output result text content role turn user assistant prompt question entry',
)

function isOfReplies(code: Code, at: number): boolean {
  const words = nameWords(code.text(at))
  if (!words.includes('history') && !words.includes('histories')) return true
  if (words.some((word) => ['conversation', 'chat', 'message', 'messages', 'dialog', 'dialogue'].includes(word)))
    return true
  if (words.length > 1) return false
  const end = Math.min(code.length, at + 24)
  let open = at + 1
  while (open < end && !code.is(open, '{')) open++
  const close = code.partner(open)
  if (open > at + 5 || close < 0) return true
  for (let token = open + 1; token < Math.min(close, end); token++)
    if (code.isWord(token) && nameWords(code.text(token)).some((word) => replyWords.has(word))) return true
  return false
}

function growsAt(code: Code, at: number): boolean {
  const name = code.text(at)
  if (isDot(code, at + 1) && growing.has(code.text(at + 2)) && code.is(at + 3, '(')) {
    const argument = unquoted(code, at + 4)
    // `history.push('/home')` navigates; fixed texts are messages of a check.
    return argument === undefined || !(argument.startsWith('/') || /message/i.test(name))
  }
  if (code.is(at + 1, '+=')) return true
  const start = pathStart(code, at)
  if (code.is(at + 1, '=') && code.is(at + 2, name) && code.is(at + 3, '+')) return true
  if (!code.is(start - 1, '...') || !(code.is(at + 1, ',') || code.is(start - 2, ','))) return false
  const open = code.parent(start)
  return code.is(open, '[') && isHistory(code.text(open - 2))
}

const bounding: ReadonlySet<string> = wordSet(
  'summarize summarise summary compress truncate trim compact condense window prune limit cap tail recent clip shorten drop bound rotate evict',
)

function isBounded(code: Code, at: number): boolean {
  const method = code.text(at + 2)
  if (isDot(code, at + 1)) {
    if (method === 'slice') return !code.is(at + 4, ')')
    if (['splice', 'shift', 'popleft', 'clear', 'pop'].includes(method)) return true
    if (method === 'length') return ['=', '>', '>='].some((mark) => code.is(at + 3, mark))
  }
  if (code.is(at + 1, '[') && (code.is(at + 2, '-') || code.is(at + 2, ':'))) return true
  if (code.is(at + 1, '=') && code.is(at + 2, 'deque')) return true
  if (code.is(at - 2, 'len') && code.is(at - 1, '(') && code.is(at + 2, '>')) return true
  const list = code.parent(pathStart(code, at))
  const cut = code.is(list, '[') ? code.partner(list) : -1
  if (cut >= 0 && isDot(code, cut + 1) && code.is(cut + 2, 'slice')) return true
  for (const open of code.around(at)) {
    if (!code.is(open, '(') || !code.isWord(open - 1)) break
    if (nameWords(code.text(open - 1)).some((word) => bounding.has(word))) return true
  }
  return false
}

const historyWord = /histor|conversation|transcript|messages|dialog/i
const historyObject =
  /(?<!\b(?:version|revision|git|commit|change|browser|release|shell|edit|undo|order|price|purchase|document|file|error|warning|log|status|command)[ -])\b(?:(?:conversation|message|chat|dialog(?:ue)?|action|prompt)[ -])?(?:history|transcript|conversation|messages|message list|dialogue)\b(?! (?:file|table|page|section|path|log|size|length|view|tab|entry id))/i
const growthVerb = /\b(?:append|add|push|concatenate|concat|accumulate|attach|extend|keep adding|collect|tack)\b/i
const keepAll =
  /\b(?:keep|retain|carry|preserve|maintain|store|include|remember)\b.{0,40}\b(?:all|every|full|entire|whole|complete|growing)\b.{0,40}\b(?:history|transcript|conversation|messages|dialogue|replies|responses|turns)\b/i
const limiting =
  /\b(?:last|latest|recent|only|summar\w+|compress\w*|window|limit\w*|at most|trim\w*|drop\w*|max\w*|truncat\w*|up to|oldest|cap(?:ped)?|no more than|prun\w+|condens\w+|discard\w*|rolling|bounded)\b/i
const keeping =
  /\b(?:keep|keeps|retain|hold|trim|drop|summar\w+|compress|truncate|prune|limit|cap|discard|condense|cut|window)\b/i

function tellsToGrow(sentence: string): boolean {
  const text = withoutInlineCode(sentence)
  if (isNegated(text) || !isInstruction(text)) return false
  const limited = text.replace(
    /\b(?:the|your|its|each|this) (?:last|latest|most recent) (?:result|reply|response|answer|turn|output|message)\b/gi,
    '',
  )
  if (limiting.test(limited)) return false
  if (keepAll.test(text)) return true
  const verb = growthVerb.exec(text)
  const object = verb ? /\b(?:to|in|into|onto|on|up)\b/i.exec(text.slice(verb.index)) : undefined
  if (!verb || !object) return false
  const target = text.slice(verb.index + object.index)
  const noun = historyObject.exec(target)
  return noun !== null && wordsIn(target.slice(0, noun.index)).length <= 6
}

const boundsHistory = (sentence: string): boolean =>
  !isNegated(sentence) &&
  keeping.test(sentence) &&
  limiting.test(sentence) &&
  /\d|few|two|three|four|five|six|ten|summar|compress|window|oldest|truncat|trim|prun|condens/i.test(sentence)

function isInstruction(sentence: string): boolean {
  const words = wordsIn(sentence)
  return (
    words.length >= 3 &&
    words.length <= 50 &&
    !/[│├└┌┐┘─→]|\|.*\|/.test(sentence) &&
    !/\b(?:was|were|had|has been|example|e\.g\.|why|because of|grew|grows|problem|bug|issue)\b/i.test(sentence) &&
    !/\?\s*$/.test(sentence)
  )
}

function wholeValues(code: Code, told: Instructions): Offsets {
  const sure: number[] = [...told.passed]
  const unsure: number[] = []
  const readInto = new Set<string>()
  for (let at = 0; at < code.length; at++) {
    if (isText(code, at)) {
      const slot = /\{\{\s{0,5}([\w.]{1,60})\s{0,5}\}\}/.exec(code.text(at).slice(0, 20_000))
      if (slot?.[1] && isSlot(slot[1]) && usageOf(code, at) !== 'saved') unsure.push(code.start(at) + slot.index)
    }
    if (!code.isWord(at)) continue
    const target = assignedRead(code, at)
    if (target !== undefined && promptNames.test(target)) continue
    if (target !== undefined) readInto.add(target)
    if (isWholeValue(code, at, readInto))
      (isSurelyWhole(code, at, readInto) && isInCall(code, at) ? sure : unsure).push(code.start(at))
  }
  return { sure, unsure }
}

const promptNames = /prompt|template|instruction|schema/i

const surelyWhole: ReadonlySet<string> = wordSet('state history messages conversation')

function isSurelyWhole(code: Code, at: number, readInto: ReadonlySet<string>): boolean {
  const name = code.text(at)
  if (name === 'stringify' || name === 'dumps')
    return (
      surelyWhole.has(nameWords(code.text(code.partner(at + 1) - 1)).at(-1) ?? '') ||
      surelyWhole.has(nameWords(code.text(at + 2)).at(-1) ?? '')
    )
  return readers.has(name) || readInto.has(name) || isWholeOutput(name) || /^file_?(?:content|text)s?$/i.test(name)
}

const isInCall = (code: Code, at: number): boolean => {
  const start = pathStart(code, at)
  if (callAround(code, start) >= 0) return true
  for (const place of [start, ...code.around(start)]) {
    const isGiven = code.is(place - 1, '=') || code.is(place - 1, ':') || code.is(place - 1, '+')
    for (let token = place - 1; isGiven && token > place - 8; token--)
      if (code.isWord(token) && /prompt|instruction/i.test(code.text(token).slice(0, 60))) return true
  }
  return false
}

const readers: ReadonlySet<string> = wordSet('Read readFile readFileSync read_file read_text ReadFile cat')

function assignedRead(code: Code, at: number): string | undefined {
  if (!readers.has(code.text(at)) || !isCall(code, at)) return undefined
  const close = code.partner(at + 1)
  if (isDot(code, close + 1)) return undefined
  let start = pathStart(code, at)
  if (code.is(start - 1, 'await')) start--
  return code.is(start - 1, '=') && code.isWord(start - 2) ? code.text(start - 2) : undefined
}

function isWholeValue(code: Code, at: number, readInto: ReadonlySet<string>): boolean {
  const name = code.text(at)
  if (name === 'stringify' || name === 'dumps') {
    if (!isCall(code, at)) return false
    let last = at + 2
    while (isDot(code, last + 1) && code.isWord(last + 2)) last += 2
    if (!code.isWord(last) || !isWholeState(code.text(last)) || !(code.is(last + 1, ',') || code.is(last + 1, ')')))
      return false
    return isPassedOn(code, pathStart(code, at), code.partner(at + 1))
  }
  if (readers.has(name) && isCall(code, at)) {
    const close = code.partner(at + 1)
    if (close < 0) return false
    if (isDot(code, close + 1))
      return ['then', 'toString'].includes(code.text(close + 2)) && isPassedOn(code, pathStart(code, at), close)
    return isPassedOn(code, pathStart(code, at), close) || isMappedAndJoined(code, at)
  }
  const isInterpolated =
    code.is(at + 1, '}') && code.is(code.parent(at), '${') && code.is(pathStart(code, at) - 1, '${')
  if (isInterpolated && (readInto.has(name) || isSlot(name)))
    return !isShortened(code, at) && usageOf(code, at) !== 'saved'
  if (readInto.has(name) && !isDot(code, at + 1) && !isDot(code, at - 1) && !code.is(at + 1, '='))
    return isJoined(code, at, at) && usageOf(code, at) === 'prompt'
  return false
}

const isShortened = (code: Code, at: number): boolean => {
  const start = pathStart(code, at)
  return start < at && nameWords(code.text(start)).some((word) => bounding.has(word) || word === 'excerpt')
}

const measuring: ReadonlySet<string> = wordSet('length slice substring substr split match replace')

function isPassedOn(code: Code, first: number, last: number): boolean {
  if (isDot(code, last + 1) && measuring.has(code.text(last + 2))) return false
  const start = code.is(first - 1, 'await') ? first - 1 : first
  const usage = usageOf(code, start)
  if (usage === 'saved') return false
  return usage === 'prompt' || usage === 'template' || isJoined(code, start, last)
}

function isMappedAndJoined(code: Code, at: number): boolean {
  for (const open of code.around(at)) {
    if (!code.is(open, '(') || !code.is(open - 1, 'map')) continue
    const close = code.partner(open)
    return isDot(code, close + 1) && code.is(close + 2, 'join') && usageOf(code, pathStart(code, open - 1)) !== 'saved'
  }
  return false
}

const isSlot = (name: string): boolean =>
  isWholeContent(name.split('.').at(-1) ?? '') && !/summar|excerpt|short/i.test(name)

function slotIn(text: string): number | undefined {
  for (const { 1: name = '', index } of text.matchAll(/[{[<$]{1,2}\s?([A-Za-z][\w.]{2,59})\s?[}\]>]{1,2}/g)) {
    const brackets = text.slice(index, index + 2)
    if (!/^(?:\{|\$\{)/.test(brackets)) continue
    if (isSlot(name) || /^(?:full|entire|whole|complete)_?state(?:_json)?$/i.test(name)) return index
  }
  return undefined
}

const passing = /\b(?:pass|include|paste|embed|inject|insert|hand|give|send|copy|put|provide|feed|forward|dump)\b/i
const wholeThing =
  /\b(?:(?:full|entire|whole|complete|all(?: of)?(?: the)?|raw)\s+(?:\w+\s+){0,2}(?:contents?|files?|text|documents?|state|state\.json|history|output|outputs|transcript|conversation|source|report|results?)|(?:full|entire|whole|complete)\s+(?:state\.json|contents?)|all of it|contents? of (?:each|every|all|the)(?:\s+\w+){0,3}\s+(?:files?|documents?|reports?))\b/i
const destination =
  /\b(?:prompts?|agents?|context|sub-?agents?|next (?:phase|step)|tasks?|models?|converter|llm|writer|reviewer|analy[sz]er|worker|it)\b/i
const smaller =
  /\b(?:paths?|summar\w+|references?|excerpts?|only|links?|names?|list of|digest|snippets?|truncat\w+|first \d+|last \d+)\b/i

function passesWhole(sentence: string): boolean {
  const text = withoutInlineCode(sentence)
  if (isNegated(text) || smaller.test(text) || !isInstruction(text)) return false
  const verb = passing.exec(text)
  if (!verb) return false
  const rest = text.slice(verb.index)
  const thing = wholeThing.exec(rest)
  return (
    thing !== null &&
    destination.test(rest.slice(thing.index + thing[0].length) || rest) &&
    /\b(?:to|in|into|on to|onto|on|with)\b/i.test(rest)
  )
}

/** A function that returns `content` may be a parser; a name such as `full_output` says that nothing is left out. */
function bloatedReturns(code: Code, told: Instructions): Offsets {
  const offsets: Offsets & { sure: number[]; unsure: number[] } = { sure: [...told.returned], unsure: [] }
  for (let at = 0; at < code.length; at++) {
    if (!code.isWord(at) || !code.is(at, 'return')) continue
    for (const place of returned(code, at))
      (isWholeOutput(place.name) ? offsets.sure : offsets.unsure).push(place.offset)
  }
  return offsets
}

function returned(code: Code, at: number): { readonly name: string; readonly offset: number }[] {
  const first = at + 1
  if (!code.is(first, '{')) {
    const name = code.text(first)
    return isWholeOutput(name) && !isDot(code, first + 1) ? [{ name, offset: code.start(at) }] : []
  }
  const close = code.partner(first)
  const limit = Math.min(close < 0 ? code.length : close, first + 400)
  for (let key = first + 1; key < limit; key++) {
    if (code.parent(key) !== first) continue
    const before = code.text(key - 1)
    if (before !== '{' && before !== ',') continue
    const name = code.isWord(key) ? code.text(key) : code.kind(key) === STRING ? (unquoted(code, key) ?? '') : ''
    if (!isWholeContent(name)) continue
    if (!code.is(key + 1, ':') || isWholeReturned(code, key + 2)) return [{ name, offset: code.start(key) }]
  }
  return []
}

function isWholeReturned(code: Code, at: number): boolean {
  if (code.is(at, '`') || code.is(at, 'true') || code.is(at, 'false')) return false
  if (isText(code, at) || code.is(at, 'null') || code.is(at, '[') || code.is(at, '{'))
    return code.kind(at) === STRING && /full|complete|entire|whole|\.\.\./i.test(code.text(at))
  const end = Math.min(code.length, at + 12)
  for (let next = at; next < end && !code.is(next, ',') && !code.is(next, '}'); next++) {
    if (comparing.has(code.text(next))) return false
    const words = nameWords(code.text(next))
    if (
      words.some(
        (word) => bounding.has(word) || ['slice', 'substring', 'substr', 'path', 'excerpt', 'preview'].includes(word),
      )
    )
      return false
  }
  return true
}

const comparing: ReadonlySet<string> = new Set(['>', '<', '>=', '<=', '==', '===', '!=', '!==', '!', '?', 'length'])

const returning =
  /\b(?:return|respond|reply|hand back|answer|send back|report back)\b|^[\s>#*\-\d.)]*output\b(?!\*{0,2}\s*:|\*\*|\s+(?:stored|file|path|format|director|folder))/i
const wholeReturn =
  /\b(?:full|entire|whole|complete|raw|verbatim)\s+(?:[\w-]+\s+){0,3}(?:contents?|output|results?|text|documents?|files?|report|source|transcript|response|analysis|code)\b|`(?:content|full_?output|complete_?result|full_?content|fullOutput|completeResult|fullContent)`|\b(?:full_output|complete_result|full_content)\b|\bcontents? of (?:each|every|all|the)\b/i

function returnsWhole(sentence: string): boolean {
  if (isNegated(sentence) || smaller.test(sentence) || !isInstruction(sentence)) return false
  const verb = returning.exec(sentence)
  return verb !== null && wholeReturn.test(sentence.slice(verb.index))
}
