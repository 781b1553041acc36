import { patternTexts, type Pattern } from './patterns'

/** Continues “left to a person or an agent because”. */
export const leftReasons: Readonly<Partial<Record<Pattern, string>>> = {
  full_content_passing: 'only its author knows which part of the content the agent needs',
  agent_return_bloat: 'whoever calls it reads the content that is returned, and would have to read a file instead',
  scattered_state: 'every phase that reads one of the files would have to change with them',
  inconsistent_naming: 'the other name is written elsewhere, too, where it may stand for something else',
  read_write_alignment: 'only its author knows whether the file has to be read, or need not be written',
  agent_type_consistency: 'which of the agents do similar work depends on what each is asked for',
  nested_calls: 'the inner agent’s task and its result have to move into the orchestrator',
  return_format_consistency: 'whoever reads the results would have to change with their format',
}

const NO_FORM = 'its lines have no form that a generated fix is known for'
const NOT_SCANNED = 'no scanner looks for it, so that no fix could be proven'

const patterns = new Map(Object.entries(patternTexts).map(([pattern, { description }]) => [description, pattern]))

export function whyLeft(description: string | null): string {
  const pattern = description === null ? undefined : patterns.get(description)
  if (pattern === undefined) return NOT_SCANNED
  return Object.entries(leftReasons).find(([name]) => name === pattern)?.[1] ?? NO_FORM
}
