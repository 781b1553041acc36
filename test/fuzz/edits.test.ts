/** What crosses the border of edits: any texts and names in a plan, any text that stands in a file by now. */
import { array, boolean, constantFrom, nat, oneof, option, record, string, tuple } from 'fast-check'
import { expect } from 'vitest'
import { commands } from '@shared/contract/contract'
import { printPatch } from '../../src-main/cli/patchText'
import type { FileChange } from '../../src-main/formats/edit/action'
import { isDropped, mergedChange, signatureOf, takenBack } from '../../src-main/projects/edits/fieldChanges'
import { previewOf } from '../../src-main/projects/edits/previewEdit'
import { diffTexts, mergeTexts, wholeLines } from '../../src-main/projects/lineDiff'
import { fuzz } from './fuzz'

const line = oneof(
  constantFrom(
    '',
    '---',
    'status: pending',
    '**Decision:** ___',
    '- [ ] a',
    '{',
    '}',
    '"a": 1,',
    '- b',
    '+ c',
    '\\ d',
    '@@ -1 +1 @@',
  ),
  string({ maxLength: 12 }),
  string({ unit: 'binary', maxLength: 12 }),
)
const text = tuple(array(line, { maxLength: 25 }), constantFrom('\n', '\r\n', '\r'), boolean()).map(
  ([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''),
)
/** Some thousand lines, of which all or none are in another such text. */
const long = tuple(constantFrom('a', 'b'), nat(9_000)).map(
  ([sign, count]) => `${sign}\n`.repeat(count) + `${sign}${count}`,
)
const anyText = oneof({ weight: 9, arbitrary: text }, long)
const name = oneof(
  constantFrom('a.md', 's.json', 'm.yml', '.env', 'a b.md'),
  string({ unit: 'binary', minLength: 1, maxLength: 20 }),
)
const change = record({ file: name, before: option(anyText), after: option(anyText) })

fuzz('any plan has a preview that the window takes, and a patch', array(change, { maxLength: 4 }), (changes) => {
  const distinct = [...new Map(changes.map((one) => [one.file, one])).values()]
  const [first, ...others] = distinct
  const moved: FileChange[] =
    typeof first?.before === 'string' && first.after !== null
      ? [
          { file: `${first.file}.moved`, before: null, after: first.after, from: first.file },
          { file: first.file, before: first.before, after: null },
        ]
      : distinct.slice(0, 1)
  const preview = previewOf({ summary: 's', changes: [...moved, ...others], warnings: [] })
  expect(commands['projects.preview'].output.safeParse(preview).error).toBeUndefined()
  for (const printed of printPatch(preview.files).filter((one) => /^(?:diff|rename|---|\+\+\+) /.test(one)))
    expect(printed).not.toContain('\n')
})

fuzz(
  'hunks count what they hold, and change the one text into the other',
  tuple(anyText, anyText),
  ([before, after]) => {
    const { hunks, isFine, added, removed } = diffTexts(before, after)
    if (!isFine) return
    const old = wholeLines(before)
    const result: string[] = []
    let at = 0
    for (const hunk of hunks) {
      const start = hunk.beforeLines === 0 ? hunk.before : hunk.before - 1
      result.push(...old.slice(at, start))
      expect(result.length).toBe(hunk.afterLines === 0 ? hunk.after : hunk.after - 1)
      for (const [index, signed] of hunk.lines.entries())
        if (/^[ +]/.test(signed)) result.push(signed.slice(1) + (hunk.lines[index + 1]?.startsWith('\\ ') ? '' : '\n'))
      at = start + hunk.beforeLines
    }
    expect([...result, ...old.slice(at)].join('')).toBe(after)
    expect(added - removed).toBe(wholeLines(after).length - old.length)
  },
)

fuzz(
  'a change is merged only as the same change, and its way back is the text that was there',
  tuple(name, anyText, anyText, anyText),
  ([file, before, after, now]) => {
    const own: FileChange = { file, before, after }
    const merged = mergedChange(own, now)
    const planOf = (one: FileChange) => ({ summary: '', warnings: [], changes: [one] })
    if (merged && before !== after) expect(signatureOf(planOf(merged))).toBe(signatureOf(planOf(own)))
    expect(takenBack(own, after)).toEqual({ after: before })
    if (before !== after) expect(isDropped(own, after)).toBe(false)
    expect(mergeTexts(before, after, before)).toBe(after)
    takenBack(own, now)
    isDropped(own, now)
  },
)
