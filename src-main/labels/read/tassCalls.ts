/**
 * 64tass's listing has no line for a macro call without a label (1.58, `--verbose-list` too), so calls are found in the
 * sources. Calls between two lines with code count only if they account for all that macros made between them;
 * otherwise there are none.
 */
import type { SourceLine } from './labelFile'

export interface SourceText {
  readonly file: string
  readonly text: string
}

interface Macro {
  readonly name: string
  readonly first: number
  readonly last: number
  readonly hasLoop: boolean
  readonly words: ReadonlySet<string>
}

interface Made {
  readonly line: SourceLine
  readonly macro: Macro
}

interface Call {
  readonly line: number
  readonly macro: Macro
}

const begin = /^\s*([a-z_][\w.]*):?\s+\.(?:macro|segment|function)\b/i
const finish = /^\s*(?:[a-z_][\w.]*:?\s+)?\.(?:endm|endmacro|endsegment|endf|endfunction)\b/i
const loop = /\.(?:b?for|b?rept|b?while|goto)\b/i

/** Lines of all sources together: with more, no call is found. */
const MAX_CALLING_LINES = 1_000_000

export function tassCalls(lines: readonly SourceLine[], sources: readonly SourceText[]): SourceLine[] {
  const texts = sources.map(({ file, text }) => ({ file, code: text.split('\n') }))
  if (texts.reduce((sum, { code }) => sum + code.length, 0) > MAX_CALLING_LINES) return []
  const found: SourceLine[] = []
  const callers = callersIn(texts)
  let before: SourceLine | null = null
  let made: Made[] = []
  const close = (after: SourceLine | null): void => {
    const { file } = after ?? before ?? {}
    const isOneFile = before === null || after === null || (before.file === file && before.line < after.line)
    const caller = file === undefined ? undefined : callers.get(file)
    if (made.length > 0 && isOneFile && file !== undefined && caller) {
      const from = firstAfter(caller.calls, before?.line ?? 0)
      const to = after === null ? caller.calls.length : firstAfter(caller.calls, after.line - 1)
      for (const line of assigned(made, { all: caller.calls, from, to }, file)) found.push(line)
    }
    made = []
  }
  for (const line of lines) {
    const macro = callers.get(line.file)?.macroAt[line.line]
    if (macro) made.push({ line, macro })
    else {
      close(line)
      before = line
    }
  }
  close(null)
  return found
}

interface Caller {
  readonly macroAt: readonly (Macro | undefined)[]
  readonly calls: readonly Call[]
}

function callersIn(texts: readonly { readonly file: string; readonly code: readonly string[] }[]) {
  const sources = texts.map(({ file, code }) => {
    const lines = code.map(codeOf)
    return { file, lines, macros: macrosIn(lines) }
  })
  const named = new Map<string, Macro>()
  for (const { macros } of sources) for (const macro of macros) if (!named.has(macro.name)) named.set(macro.name, macro)
  const callers = new Map<string, Caller>()
  if (named.size === 0) return callers
  for (const { file, lines, macros } of sources) {
    const macroAt = new Array<Macro | undefined>(lines.length + 1).fill(undefined)
    for (const macro of macros) macroAt.fill(macro, macro.first, macro.last + 1)
    const calls: Call[] = []
    for (const [index, code] of lines.entries()) {
      if (macroAt[index + 1]) continue
      const macro = wordsOf(code)
        .map((word) => named.get(word))
        .find((each) => each !== undefined)
      if (macro) calls.push({ line: index + 1, macro })
    }
    callers.set(file, { macroAt, calls })
  }
  return callers
}

function firstAfter(calls: readonly Call[], line: number): number {
  let low = 0
  let high = calls.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((calls[middle]?.line ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return low
}

const codeOf = (line: string): string => line.replaceAll(/"[^"]*"|'[^']*'/g, '""').replace(/;.*/, '')

const wordsOf = (code: string): string[] =>
  code
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.replace(/^[#.]/, '').replace(/^.*\./, '').toLowerCase())

function macrosIn(code: readonly string[]): Macro[] {
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
        ...open,
        last: index + 1,
        hasLoop: body.some((each) => loop.test(each)),
        words: new Set(body.flatMap(wordsOf)),
      })
    }
  }
  return macros
}

function assigned(
  made: readonly Made[],
  { all, from, to }: { readonly all: readonly Call[]; readonly from: number; readonly to: number },
  file: string,
): SourceLine[] {
  const lines: SourceLine[] = []
  let at = 0
  const isOnly = to - from === 1
  for (let next = from; at < made.length || next < to; next++) {
    // A single call may be in a loop.
    const call = isOnly ? all[from] : next < to ? all[next] : undefined
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
