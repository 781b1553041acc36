import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const types: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

export function expectationOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? issue.expected
    case 'invalid_value':
      return issue.values
        .map(String)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1')
    case 'too_small':
      return issue.origin === 'string' ? 'text that is not empty' : `at least ${issue.minimum}`
    case 'too_big':
      return `at most ${issue.maximum}`
    default:
      return issue.message
  }
}

const MAX_ISSUES = 5

/** Does not quote the values: `length has to be at least 1; colour is not known`. */
export function describeIssues(issues: readonly Issue[]): string {
  const words = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${key.slice(0, 60)} is not known`)
    const path = issue.path.map((part) => String(part).slice(0, 60)).join('.')
    if (path === '') return expectationOf(issue)
    return wantsValue.has(issue.code) ? `${path} has to be ${expectationOf(issue)}` : `${path}: ${expectationOf(issue)}`
  })
  return words.slice(0, MAX_ISSUES).join('; ')
}

const wantsValue: ReadonlySet<Issue['code']> = new Set(['invalid_type', 'invalid_value', 'too_small', 'too_big'])
