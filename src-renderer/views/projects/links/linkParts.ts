import { SEE_LOG } from '@shared/seeLog'

export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'commit'; readonly text: string }
  | { readonly kind: 'file'; readonly text: string; readonly file: string; readonly line: number }

/** Git abbreviates hashes to 7 digits; what is all digits, or all letters, is a number or a word. */
const commitName = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$/

const fileName = /^(?:[\w.@+~-]+\/)*[\w.@+-]*\.([A-Za-z][A-Za-z0-9]{0,9})$/
/** A name without a folder counts as a file only when it has one of these endings. */
const fileEndings = new Set(
  'a65 asm bas bat c cfg cpp crt csv css d64 diff go h html inc java js json jsonl lock log lua mjs md patch prg py rs s sh sid toml ts tsx txt vsf xml yaml yml'.split(
    ' ',
  ),
)

/** @param place of the project: a full path below it names a file, too */
export function linkParts(text: string, place: string): readonly TextPart[] {
  const at = text.indexOf(SEE_LOG)
  if (at < 0) return wordParts(text, place)
  const [before, after] = [text.slice(0, at), text.slice(at + SEE_LOG.length)]
  return [...wordParts(before, place), { kind: 'log', text: SEE_LOG }, ...wordParts(after, place)]
}

function wordParts(text: string, place: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(/[\w./@+~:-]+/g)) {
    const link = linkOf(word.replace(/[.:-]+$/, ''), text[index - 1] ?? '', place)
    if (link === null) continue
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) })
    parts.push(link)
    end = index + link.text.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** @param before the character in front of it: `$d020abc` and `#a1b2c3d` are no hashes */
function linkOf(text: string, before: string, place: string): TextPart | null {
  if (commitName.test(text)) return before === '$' || before === '#' ? null : { kind: 'commit', text }
  const [, path = text, line = '1'] = /^(.*?):(\d{1,8})(?::\d+)?$/.exec(text) ?? []
  const file = place !== '' && path.startsWith(`${place}/`) ? path.slice(place.length + 1) : path
  const [, ending] = fileName.exec(file) ?? []
  if (ending === undefined || file.split('/').includes('..')) return null
  if (!file.includes('/') && !fileEndings.has(ending)) return null
  return { kind: 'file', text, file, line: Math.max(1, Number(line)) }
}
