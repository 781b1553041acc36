/** Parses what 64tass 1.58, ACME 0.97 (`--msvc` too), cc65 2.19 and later, KickAssembler 5 and Oscar64 print. */

export interface BuildProblem {
  readonly severity: 'error' | 'warning'
  /** As the tool writes it; null where it names none. */
  readonly file: string | null
  /** From 1. */
  readonly line: number | null
  readonly message: string
}

export const MAX_PROBLEMS = 200
const MAX_MESSAGE_CHARACTERS = 500
const MAX_LINE_CHARACTERS = 2_000
const MAX_LINE_NUMBER = 10_000_000

const forms: readonly RegExp[] = [
  // Error - File game.a, line 4 (Zone <untitled>): Value not defined (foo).
  /^(?<severity>Error|Serious error|Warning) - File (?<file>[^,]+), line (?<line>\d+) (?:\([^)]*\))?: (?<message>.+)$/,
  // game.a(4) : Error (Zone <untitled>): Value not defined (foo).
  /^(?<file>[^(:]+)\((?<line>\d+)\) : (?<severity>Error|Serious error|Warning) \([^)]*\): (?<message>.+)$/,
  // game.c(5, 12) : error 3019: Undefined identifier 'x'
  /^(?<file>[^(]+)\((?<line>\d+), \d+\) : (?<severity>error|warning) \d+: (?<message>.+)$/,
  // (game.asm 3:5) Error: Unknown symbol 'foo'
  /^\s*\((?<file>[^()]+) (?<line>\d+):\d+\) (?<severity>Error|Warning): (?<message>.+)$/,
  // ld65: Error: c64.cfg(15): Start address of memory area 'BSS' is not constant
  /^\w+65: (?<severity>Error|Warning): (?<file>[^(]+)\((?<line>\d+)\): (?<message>.+)$/,
  // game.c(5): Error: Undefined symbol: 'y', and game.c:5: Error: … since 2.20
  /^(?<file>[^(]+)\((?<line>\d+)\): (?<severity>Error|Fatal|Warning): (?<message>.+)$/,
  /^(?<file>(?:[A-Za-z]:)?[^:]+):(?<line>\d+)(?::\d+)?: (?<severity>error|fatal error|warning|Error|Fatal|Warning): (?<message>.+)$/,
  // 64tass: fatal error: can't open file 'none.asm', and ld65: Error: 1 unresolved external(s) found
  /^(?:64tass|\w+65): (?<severity>error|fatal error|warning|Error|Fatal|Warning): (?<message>.+)$/,
  // Error: Cannot open toplevel file "none.a".
  /^(?<severity>Error|Warning): (?<message>.+)$/,
]

/** at line 3, column 5 in game.asm: where KickAssembler's error of the line before is. */
const kickPlace = /^at line (?<line>\d+), column \d+ in (?<file>.+)$/

export function parseBuildProblems(text: string): BuildProblem[] {
  const found = new Map<string, BuildProblem>()
  let before: BuildProblem | undefined
  for (const printed of text.split(/\r?\n/)) {
    const line = printed.slice(0, MAX_LINE_CHARACTERS)
    const place = kickPlace.exec(line.trim())?.groups
    if (place && before?.file === null) {
      found.delete(keyOf(before))
      before = { ...before, file: place['file'] ?? null, line: lineNumber(place['line']) }
    } else before = problemIn(line)
    if (before) found.set(keyOf(before), before)
    if (found.size >= MAX_PROBLEMS) break
  }
  return [...found.values()]
}

function problemIn(line: string): BuildProblem | undefined {
  for (const pattern of forms) {
    const groups = pattern.exec(line)?.groups
    if (groups)
      return {
        severity: /warning/i.test(groups['severity'] ?? '') ? 'warning' : 'error',
        file: groups['file']?.trim() ?? null,
        line: lineNumber(groups['line']),
        message: (groups['message'] ?? '').trim().slice(0, MAX_MESSAGE_CHARACTERS),
      }
  }
  return undefined
}

function lineNumber(digits: string | undefined): number | null {
  const number = Number(digits)
  return digits !== undefined && number >= 1 && number <= MAX_LINE_NUMBER ? number : null
}

const keyOf = ({ file, line, message }: BuildProblem): string => `${file ?? ''} ${line ?? ''} ${message}`

export function problemText({ severity, file, line, message }: BuildProblem): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
  return `${place}${severity}: ${message}`
}
