import { describe, expect, it } from 'vitest'
import { Checks } from './checks'
import { applyEdits } from './finding'
import { field } from './text/located'
import { parseLocatedJson } from './text/locatedJson'
import { parseLocatedYaml } from './text/locatedYaml'
import { StateText } from './text/stateFile'

/** What the text is after all repairs that are offered. */
function repaired(
  text: string,
  check: (checks: Checks, document: ReturnType<typeof parseLocatedJson>) => void,
): string {
  const document = (text.startsWith('{') ? parseLocatedJson : parseLocatedYaml)(new StateText('a', text))
  const checks = new Checks('test')
  check(checks, document)
  return applyEdits(
    text,
    checks.findings.flatMap(({ repair }) => repair?.edits ?? []),
  )
}

describe('repairs', () => {
  it('write a word in the capitals that it has', () => {
    const status = (checks: Checks, document: ReturnType<typeof parseLocatedJson>) =>
      void checks.oneOf(document, field(document.root, 'status'), 'status', ['done', 'in_progress'])
    expect(repaired('{"status": "Done" }', status)).toBe('{"status": "done" }')
    expect(repaired('status: DONE # now\n', status)).toBe('status: done # now\n')
    expect(repaired('status: "In_Progress"\n', status)).toBe('status: "in_progress"\n')
  })

  it('are not offered where it is not certain what was meant', () => {
    expect(
      repaired('{"status": "finished"}', (checks, document) => {
        checks.oneOf(document, field(document.root, 'status'), 'status', ['done'])
        expect(checks.findings).toMatchObject([
          { rule: 'test/status', severity: 'error', line: 1, column: 12, found: '"finished"', expected: 'done' },
        ])
      }),
    ).toBe('{"status": "finished"}')
  })

  it('take a number out of its quotes, and put text into them', () => {
    const values = (checks: Checks, document: ReturnType<typeof parseLocatedJson>) => {
      checks.integer(document, field(document.root, 'phase'), 'phase', { min: 1 })
      checks.string(document, field(document.root, 'id'), 'id')
    }
    expect(repaired('{"phase": "01", "id": 7}', values)).toBe('{"phase": 1, "id": "7"}')
    expect(repaired('phase: "0"\nid: 0.10\n', values)).toBe('phase: "0"\nid: "0.10"\n')
  })

  it('give a field the name that it has', () => {
    const id = (checks: Checks, document: ReturnType<typeof parseLocatedJson>) =>
      void checks.required(document, document.root, 'sessionId', 'session_id')
    expect(repaired('{"session_id": "x"}', id)).toBe('{"sessionId": "x"}')
    expect(repaired('session_id: x\n', id)).toBe('sessionId: x\n')
  })
})
