import { parsePrg } from '../prg'
import { missingBasic } from './bootRom'
import { keywords } from './tokens'
import { tokenise } from './tokenise'

export function needsBasic(text: string): string | null {
  for (const written of text.split(/[\r\n]+/)) {
    const line = written.trim()
    const number = /^\d+/.exec(line)?.[0]
    if (number !== undefined) return `line ${number}`
    const missing = isStatement(line) ? missingStatement(line) : null
    if (missing !== null) return missing
  }
  return null
}

/** Words that no statement begins with go to a program, which may ask for anything. */
function isStatement(line: string): boolean {
  const upper = line.toUpperCase()
  const keyword = keywords.find((word) => upper.startsWith(word))
  return keyword === undefined
    ? /^[A-Z][A-Z0-9]*[$%]?(\(.*\))? *=/.test(upper)
    : /^\P{L}|^$/u.test(upper.slice(keyword.length))
}

const atPrompt = /^(run|new|list|help)\b/i

function missingStatement(line: string): string | null {
  if (atPrompt.test(line)) return null
  const made = tokenise(`0 ${line}`)
  return made.ok ? (missingBasic(parsePrg(made.prg))?.word ?? null) : null
}
