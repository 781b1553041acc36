export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const nameWords = (name: string): string[] =>
  name
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

const historyNouns: ReadonlySet<string> = wordSet(
  'history histories messages conversation conversations transcript transcripts dialogue dialog chat chatlog',
)
const notHistory: ReadonlySet<string> = wordSet(
  'path file id ids length count size limit max summary url index key dir name title error errors warning warnings commit validation toast git browser router recent last window trimmed bounded summaries model type digest help',
)

export function isHistory(name: string): boolean {
  if (name.length > 60 || !/hist|mess|conv|trans|dial|chat/i.test(name)) return false
  const words = nameWords(name)
  return words.some((word) => historyNouns.has(word)) && !words.some((word) => notHistory.has(word))
}

const wholeContents: ReadonlySet<string> = new Set(['content', 'contents', 'fulltext', 'filetext'])
const wholeOutputs =
  /^(?:full|complete|entire|whole|raw)_(?:output|result|results|content|contents|text|response|document|file|report|transcript|data)$/
const shortened: ReadonlySet<string> = wordSet(
  'path paths summary summaries excerpt snippet length hash id type preview brief short truncated compressed digest size table title summarized trimmed ref reference',
)

const askingWords: ReadonlySet<string> = wordSet(
  'has have is was are should can could may must needs with without no not show hide want',
)

/** `content`, `fileContent`, `full_output`, `completeResult`. */
export function isWholeContent(name: string): boolean {
  if (name.length > 60 || !/content|full|compl|entire|whole|raw|filetext/i.test(name)) return false
  const words = nameWords(name)
  if (words.some((word) => shortened.has(word)) || askingWords.has(words[0] ?? '')) return false
  return wholeContents.has(words.at(-1) ?? '') || wholeOutputs.test(words.join('_'))
}

export const isWholeOutput = (name: string): boolean =>
  name.length <= 60 && wholeOutputs.test(nameWords(name).join('_'))

const stateNouns: ReadonlySet<string> = wordSet('state context ctx history messages conversation memory')

/** `state`, `currentState`, `fullContext`. */
export function isWholeState(name: string): boolean {
  const words = nameWords(name)
  return stateNouns.has(words.at(-1) ?? '') && !words.some((word) => shortened.has(word) || word === 'relevant')
}
