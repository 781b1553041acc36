/**
 * The lines that call macros in the sources of a 64tass listing. The listing has the lines of a macro where that is written, and
 * nothing of a call without a label (tried with 64tass 1.58, `--verbose-list` too), so that calls are found in the sources: those
 * between two lines with code, if they account for all that macros made in between. Where that is not certain, there are none.
 */
import type { SourceLine } from './labelFile'

export interface SourceText {
  /** As the listing names it. */
  readonly file: string
  readonly text: string
}

interface Macro {
  readonly name: string
  readonly file: string
  /** Its first and last line, those of `.macro` and `.endm`. */
  readonly first: number
  readonly last: number
  readonly hasLoop: boolean
  /** What its lines may call, by name. */
  readonly words: ReadonlySet<string>
}

interface Call {
  readonly line: number
  readonly macro: Macro
}

const begin = /^\s*([a-z_][\w.]*):?\s+\.(?:macro|segment|function)\b/i
const finish = /^\s*(?:[a-z_][\w.]*:?\s+)?\.(?:endm|endmacro|endsegment|endf|endfunction)\b/i
const loop = /\.(?:b?for|b?rept|b?while|goto)\b/i

export function tassCalls(lines: readonly SourceLine[], sources: readonly SourceText[]): SourceLine[] {
  const texts = new Map(sources.map(({ file, text }) => [file, text.split('\n').map(codeOf)]))
  const macros = [...texts].flatMap(([file, code]) => macrosIn(file, code))
  if (macros.length === 0) return []
  const byFile = new Map([...texts.keys()].map((file) => [file, macros.filter((macro) => macro.file === file)]))
  const macroOf = ({ file, line }: SourceLine): Macro | undefined =>
    byFile.get(file)?.find(({ first, last }) => first <= line && line <= last)
  const found: SourceLine[] = []
  let before: SourceLine | null = null
  let made: { readonly line: SourceLine; readonly macro: Macro }[] = []
  const close = (after: SourceLine | null): void => {
    const { file } = after ?? before ?? {}
    const isOneFile = before === null || after === null || (before.file === file && before.line < after.line)
    const code = file === undefined ? undefined : texts.get(file)
    if (made.length > 0 && isOneFile && file !== undefined && code) {
      const calls = callsBetween(
        code,
        before?.line ?? 0,
        after?.line ?? code.length + 1,
        macros,
        byFile.get(file) ?? [],
      )
      found.push(...assigned(made, calls, file))
    }
    made = []
  }
  for (const line of lines) {
    const macro = macroOf(line)
    if (macro) made.push({ line, macro })
    else {
      close(line)
      before = line
    }
  }
  close(null)
  return found
}

/** Without its comment and what is in quotation marks. */
const codeOf = (line: string): string => line.replaceAll(/"[^"]*"|'[^']*'/g, '""').replace(/;.*/, '')

const wordsOf = (code: string): string[] =>
  code
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.replace(/^[#.]/, '').replace(/^.*\./, '').toLowerCase())

function macrosIn(file: string, code: readonly string[]): Macro[] {
  const macros: Macro[] = []
  let open: { readonly name: string; readonly first: number } | null = null
  let depth = 0
  for (const [index, line] of code.entries()) {
    const [, name] = begin.exec(line) ?? []
    if (name !== undefined) {
      if (depth++ === 0) open = { name: name.toLowerCase(), first: index + 1 }
    } else if (finish.test(line) && depth > 0 && --depth === 0 && open) {
      const body = code.slice(open.first, index)
      macros.push({
        ...{ ...open, file, last: index + 1 },
        hasLoop: body.some((each) => loop.test(each)),
        words: new Set(body.flatMap(wordsOf)),
      })
    }
  }
  return macros
}

function callsBetween(
  code: readonly string[],
  from: number,
  to: number,
  macros: readonly Macro[],
  written: readonly Macro[],
): Call[] {
  const calls: Call[] = []
  for (let line = from + 1; line < to; line++) {
    if (written.some(({ first, last }) => first <= line && line <= last)) continue
    const words = wordsOf(code[line - 1] ?? '')
    const macro = macros.find(({ name }) => words.includes(name))
    if (macro) calls.push({ line, macro })
  }
  return calls
}

/** Nothing unless the calls account for everything, in their order. */
function assigned(
  made: readonly { readonly line: SourceLine; readonly macro: Macro }[],
  calls: readonly Call[],
  file: string,
): SourceLine[] {
  const lines: SourceLine[] = []
  let at = 0
  for (let next = 0; at < made.length || next < calls.length; next++) {
    // The only one may stand in a loop.
    const call = calls.length === 1 ? calls[0] : calls[next]
    if (!call) return []
    const { line, macro } = call
    const first = at
    let last = 0
    for (; at < made.length; at++) {
      const each = made[at]
      if (!each) break
      const isOwn = each.macro === macro
      if (!isOwn && !macro.words.has(each.macro.name)) break
      if (at > first && each.line.start !== made[at - 1]?.line.end) break
      if (isOwn && each.line.line <= last && !macro.hasLoop) break
      if (isOwn) last = each.line.line
    }
    const [begun, ended] = [made[first], made[at - 1]]
    if (at === first || !begun || !ended) return []
    lines.push({ file, line, start: begun.line.start, end: ended.line.end })
  }
  return lines
}
