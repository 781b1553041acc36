import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StateText } from '../formats/text/stateFile'
import { addMissing, addNote, readNotes, removeNote, replaceNote, type WrittenNote } from './notesText'

const FILE = 'c64-notes.md'
const read = (text: string) => readNotes(new StateText(FILE, text))
const notesOf = (text: string) => read(text).items.map(({ note }) => note)
const idOf = (text: string, words: string) => notesOf(text).find((note) => note.text === words)?.id ?? 'missing'

const claude: WrittenNote = {
  place: '$0340-$037f',
  text: 'Sprite data.\n\nTwo frames.',
  by: 'claude',
  date: '2026-11-29',
  evidence: null,
  lastCall: 'call 42: memory why address: $0340',
}

const byHand = [
  '\uFEFF# My game',
  '',
  '* `main` Entry of the program',
  'goes on without being indented',
  '* $d020: Border, red while loading',
  '',
  '  ```',
  '  - no note of its own',
  '  ```',
  '  -- frank, 2026-10-01; seen',
  '* The player wants A = song',
  '',
  '```',
  '- code, no note',
  '```',
  '<!-- - hidden',
  '- hidden, too -->',
  'The end.',
].join('\r\n')

describe('the notes of a file that a person wrote', () => {
  it('are the items of its lists, with their places and who wrote them', () => {
    expect(notesOf(byHand)).toMatchObject([
      { line: 3, place: 'main', text: 'Entry of the program\ngoes on without being indented', by: null },
      {
        line: 5,
        place: '$d020',
        text: 'Border, red while loading\n\n```\n- no note of its own\n```',
        by: 'frank',
        date: '2026-10-01',
        evidence: 'seen',
      },
      { line: 11, place: null, text: 'The player wants A = song' },
    ])
    expect(read(byHand).findings).toEqual([])
  })

  it('keep a place that is none in their text, and a finding says where it is', () => {
    const { items, findings } = read('# Notes\n\n- fine\n- `$12345` too far\n- `lda #5` is code\n')
    expect(items.map(({ note: { place, text } }) => [place, text])).toEqual([
      [null, 'fine'],
      [null, '`$12345` too far'],
      [null, '`lda #5` is code'],
    ])
    expect(findings).toMatchObject([{ file: FILE, line: 4, column: 4, rule: 'notes/place' }])
  })

  it('get one more below the last, with its bullet and line ends', () => {
    const added = addNote(byHand, claude, FILE)
    const [before = '', after = ''] = byHand.split('song')
    const lines = [
      '* `$0340-$037f` Sprite data.',
      '',
      '  Two frames.',
      '  — claude, 2026-11-29; call 42: memory why address: $0340',
    ]
    expect(added).toBe(`${before}song\r\n${lines.join('\r\n')}${after}`)
  })

  it('begin a file with a heading, or a list below what stands there', () => {
    expect(addNote(null, claude, FILE)).toMatch(/^# C64 notes\n[^]*\n\n- `\$0340-\$037f` Sprite data\.\n/)
    expect(addNote('Ideas', claude, FILE)).toMatch(/^Ideas\n\n- `\$0340-\$037f` Sprite data\.\n/)
  })

  it('are not added below code that does not end', () => {
    expect(() => addNote('# Notes\n\n```\n', claude, FILE)).toThrow('c64-notes.md:3:1: ')
    expect(notesOf(addNote('- one\n\n```\n', claude, FILE))).toHaveLength(2)
  })

  it('are not written where nothing changes', () => {
    const same: WrittenNote = { ...claude, place: '$d020', text: notesOf(byHand)[1]?.text ?? '' }
    expect(replaceNote(byHand, notesOf(byHand)[1]?.id ?? '', same, FILE)).toBe(byHand)
    expect(replaceNote(byHand, notesOf(byHand)[1]?.id ?? '', { ...same, evidence: 'look' }, FILE)).not.toBe(byHand)
  })

  it('keep what they rest on when their text alone is changed', () => {
    const id = notesOf(byHand)[1]?.id ?? ''
    const changed = replaceNote(byHand, id, { ...claude, place: '$d020', text: 'Border.', lastCall: null }, FILE)
    expect(notesOf(changed)[1]).toMatchObject({ text: 'Border.', by: 'claude', evidence: 'seen' })
  })

  it('are found by what they say: one that was changed meanwhile is not overwritten', () => {
    const id = idOf(byHand, 'The player wants A = song')
    const changed = byHand.replace('A = song', 'X = song')
    expect(() => replaceNote(changed, id, claude, FILE)).toThrow('it was changed or removed meanwhile')
    expect(() => removeNote(changed, id, FILE)).toThrow('it was changed or removed meanwhile')
  })
})

it('A name or a text of an agent makes no line of somebody else', () => {
  const forged = { ...claude, by: 'x, 2020-01-01; y\n- z', text: 'A\n— frank, 2026-01-01\r\n\u0007- `main` B' }
  expect(notesOf(addNote(null, forged, FILE))).toMatchObject([
    { by: 'x 2020-01-01 y - z', text: 'A\n— frank, 2026-01-01\n- `main` B', date: '2026-11-29' },
  ])
})

it('Notes that two versions of a file have, and no third one, come together', () => {
  const base = addNote(null, { ...claude, text: 'base' }, FILE)
  const [one, other] = ['one', 'other'].map((text) => addNote(base, { ...claude, text }, FILE))
  expect(notesOf(addMissing(one ?? '', base, other ?? '')).map(({ text }) => text)).toEqual(['base', 'one', 'other'])
})

const words = fc.stringMatching(/^[a-z`$:*#<>—-][a-z0-9 `$:.*#<>—-]{0,20}$/)
const paragraph = fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'))
const written: fc.Arbitrary<WrittenNote> = fc.record({
  place: fc.constantFrom(null, '$d020', '$c000-$c0ff', 'main', 'play.loop+3'),
  text: paragraph,
  by: fc.constantFrom('claude', 'frank'),
  date: fc.constant('2026-11-29'),
  evidence: fc.constantFrom(null, 'call 7: see screen'),
  lastCall: fc.constant(null),
})
const document = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(
      fc.oneof(
        words,
        words.map((line) => `- ${line}`),
        words.map((line) => `  ${line}`),
        fc.constant(''),
      ),
      {
        maxLength: 12,
      },
    ),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([mark, lines, end]) => mark + lines.join(end))

/** Where code or a comment goes on to the end, a note below it would not be one. */
const isWhole = (text: string): boolean => read(text).findings.every(({ rule }) => rule !== 'notes/block')

/** What two texts have in common at their beginning and end is all of the one without a part of it. */
function expectKept(before: string, after: string, from: number, to: number): void {
  expect(after.startsWith(before.slice(0, from))).toBe(true)
  expect(after.slice(from).endsWith(before.slice(to))).toBe(true)
}

describe('in any file', () => {
  it('a note that was written is read as it was written, all others as before', () => {
    fc.assert(
      fc.property(document.filter(isWhole), written, (text, note) => {
        const added = addNote(text, note, FILE)
        const before = notesOf(text)
        const now = notesOf(added)
        expect(now.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
        expect(now).toHaveLength(before.length + 1)
        expect(now.at(-1)).toMatchObject({ by: note.by, date: note.date, evidence: note.evidence })
        if (note.place !== null) expect(now.at(-1)).toMatchObject({ place: note.place, text: trimmed(note.text) })
      }),
    )
  })

  it('only the bytes of a note change', () => {
    fc.assert(
      fc.property(document.filter(isWhole), written, fc.nat(), (start, note, which) => {
        const text = addNote(start, note, FILE)
        const { items } = read(text)
        const { span, note: chosen } = items[which % items.length] ?? expect.fail('There is one at least.')
        expectKept(
          text,
          replaceNote(text, chosen.id, { ...note, text: 'new', by: 'other' }, FILE),
          span.start,
          span.end,
        )
        const removed = removeNote(text, chosen.id, FILE)
        expectKept(text, removed, span.start, Math.min(text.length, span.end + 2))
        expect(notesOf(removed).length).toBeLessThan(items.length)
      }),
    )
  })
})

const trimmed = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
