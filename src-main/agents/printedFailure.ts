import type { PresetName } from '@shared/agentPresets'
import { failureParts, ownErrorLine, type Failure } from './failureKind'

export const MAX_ERRORS_CHARACTERS = 16 * 1024

export function printedFailure(preset: PresetName, answer: string, errors: string, now: number): Failure | undefined {
  if (preset === 'custom') return undefined
  if (preset === 'gemini') return geminiObject(errors, now) ?? geminiReport(errors) ?? lastLine(answer)
  // With plain text Codex prints the agent's answer and its tools' output on standard error, too.
  if (preset === 'codex') return lastLine(errors, /^ERROR: /) ?? lastLine(answer)
  return lastLine(errors) ?? lastLine(answer)
}

export const wholeAnswerFailure = (preset: PresetName, answer: string): Failure | undefined =>
  preset === 'custom' || answer.trim().includes('\n') ? undefined : lastLine(answer)

function lastLine(text: string, own?: RegExp): Failure | undefined {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  const isOwn = own ? own.test(line) : ownErrorLine(line) !== ''
  return isOwn ? { words: line } : undefined
}

function geminiObject(errors: string, now: number): Failure | undefined {
  const [, text = ''] = /(?:^|\n)(\{\n(?: .*\n)*\})\s*$/.exec(errors) ?? []
  try {
    const value: unknown = JSON.parse(text)
    const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined
    if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
    return { words: String(error.message), ...failureParts(error, now) }
  } catch {
    return undefined
  }
}

function geminiReport(errors: string): Failure | undefined {
  const lines = errors.split('\n')
  const at = lines.findLastIndex((line) => line.startsWith('Error when talking to Gemini API'))
  const line = lines[at]
  if (line === undefined) return undefined
  const [, status] = /\n {2}(?:status|code): ([45]\d\d)\b/.exec(`\n${lines.slice(at + 1).join('\n')}`) ?? []
  return {
    words: line.replace(/ Full report available at: .{1,300}?\.json/, ''),
    ...(status === undefined ? {} : { status: Number(status) }),
  }
}
