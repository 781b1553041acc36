import type { Fact } from '@shared/contract/orchestration'
import { unknown } from '../run'
import { field, numberOf } from '../text/located'
import { fieldNames, type State } from './state'

const FOCUS = /^\s*phase\s+(\d{1,6})\s*:\s*(.*)$/i

export function currentPhase({ session, context }: State): Fact<string> {
  const node = field(session?.root, ...fieldNames.currentPhase)
  if (session && node)
    return session.fact(node, (value) => (numberOf(value) === undefined ? undefined : String(numberOf(value))))
  const focus = context?.lines.find((line) => FOCUS.test(line.kind === 'text' ? line.text : ''))
  const [, number] = FOCUS.exec(focus?.kind === 'text' ? focus.text : '') ?? []
  return context && focus && number !== undefined
    ? { value: String(Number(number)), source: { file: context.text.path, line: focus.line } }
    : unknown()
}

export function phaseTitles({ context }: State): Map<number, Fact<string>> {
  const titles = new Map<number, Fact<string>>()
  if (!context) return titles
  let inPhases = false
  for (const line of context.lines) {
    if (line.kind === 'heading') inPhases = /^phases$/i.test(line.text)
    if (line.kind !== 'text' || line.fenced) continue
    const source = { file: context.text.path, line: line.line }
    const [, focus, focused] = FOCUS.exec(line.text) ?? []
    // The position in the list is the phase's number, whatever number is written.
    if (inPhases && /^\s{0,3}\d{1,9}[.)]\s/.test(line.text))
      titles.set(titles.size + 1, {
        value: line.text
          .replace(/^\s*\d+[.)]\s+/, '')
          .replaceAll('**', '')
          .trim(),
        source,
      })
    else if (focus !== undefined && !titles.has(Number(focus)))
      titles.set(Number(focus), { value: (focused ?? '').trim(), source })
  }
  return titles
}

export function isLastPhase(state: State): boolean {
  const numbers = [...phaseTitles(state).keys()]
  const current = Number(currentPhase(state).value ?? -Infinity)
  return numbers.length > 0 && numbers.every((number) => number <= current)
}
