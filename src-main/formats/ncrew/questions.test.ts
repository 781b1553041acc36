import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { isOpen } from './questions'

const path = 'questions/architect-001-auth.md'
const question = (status: string, answer: string) =>
  `---\nfrom: architect\ntype: blocker\n${status}\n---\n# BLOCKER: Which\n\n## Your Answer (required to resume)\n${answer}\n`
const resolved = question('status: resolved', '**Decision:** A\n**Reason:** cheap')

function open(text: string | Uint8Array, file = path): string[] {
  const { questions } = crewState({ 'INDEX.md': '---\ntype: project\n---\n', 'tasks.md': '', [file]: text })
  return questions.filter(isOpen).map(({ open }) => open ?? '')
}

describe('a question', () => {
  const options = '## Options\n- **Option A:** cheap\n- **Option B:** good'
  it.each([
    ['an option that is named', `${options}\n\n## Recommendation\nOption B, as it lasts.\n\n---`, 'Option B: good'],
    ['words of its own', `${options}\n\n## Recommendation\nBoth, one after the other.`, 'Both, one after the other.'],
    ['nothing', options, undefined],
    ['nothing yet', `${options}\n\n## Recommendation\n___`, undefined],
  ])('recommends %s', (_, text, recommended) => {
    const { questions } = crewState({
      'INDEX.md': '',
      'tasks.md': '',
      [path]: `# BLOCKER: Which\n\n${text}\n\n## Your Answer\n`,
    })
    expect(questions.map(({ recommendation }) => recommendation)).toEqual([recommended])
  })

  it('is resolved by its status together with a decision', () => {
    expect(open(resolved)).toEqual([])
    expect(open(resolved.replace('resolved', '" Resolved "'))).toEqual([])
    expect(open(resolved.replaceAll('\n', '\r\n'))).toEqual([])
  })

  it('is resolved by a decision in words of the person’s own', () => {
    expect(open(question('status: resolved', '**Decision:** ___\n\nTake option A, it is cheaper.'))).toEqual([])
    expect(open(question('status: resolved', '**Decision:**\nOption A'))).toEqual([])
    expect(open(question('status: resolved', 'Option A\n\n**Reason:** ___'))).toEqual([])
    expect(open(question('status: resolved', '**Decision:** 👍 <!-- yours -->'))).toEqual([])
    expect(open(question('status: resolved', '**Decision:** B'))).toEqual([])
  })

  it.each([
    ['that is pending', resolved.replace('resolved', 'pending'), 'pending'],
    ['without front matter', resolved.replace(/^---[^]*?\n---\n/, ''), 'no front matter'],
    ['with a status that nobody knows', resolved.replace('resolved', 'open'), 'its status is "open"'],
    ['without a status', resolved.replace('status: resolved\n', ''), 'no status'],
    ['with an empty status', resolved.replace('resolved', ''), 'no status'],
    ['with a list as status', resolved.replace('resolved', '[resolved]'), 'no status'],
    ['with two statuses', resolved.replace('status: r', 'status: pending\nstatus: r'), 'cannot be read'],
    ['that is half a file', resolved.slice(0, resolved.indexOf('\n---\n')), 'cannot be read'],
    ['whose front matter is no YAML', resolved.replace('from: architect', 'from: [architect'), 'cannot be read'],
    ['that is empty', '', 'no front matter'],
    [
      'that is resolved without a decision',
      question('status: resolved', '**Decision:** ___\n**Reason:** ___'),
      'no dec',
    ],
    ['whose decision is a comment', question('status: resolved', '**Decision:** <!-- yours -->'), 'no decision'],
    ['whose decision is a mark', question('status: resolved', '**Decision:** ...?'), 'no decision'],
    ['whose decision is put off', question('status: resolved', '**Decision:** TBD.'), 'no decision'],
    ['whose end is missing', resolved.slice(0, resolved.indexOf('**Decision')), 'no decision'],
    ['whose reason alone is written', question('status: resolved', '**Decision:** ___\n**Reason:** x'), 'no decision'],
    ['that is no text', Uint8Array.of(0x2d, 0, 0x2d), 'cannot be read'],
  ])('is open when it is one %s', (_, text, why) => {
    expect(open(text)).toEqual([expect.stringContaining(why)])
  })

  it.each([
    'architect-001-auth.markdown',
    'ARCHITECT-001-AUTH.MD',
    'a-001-b.txt',
    'to-user/a-001-b.md',
    'auth/a.md',
    'a-001-b',
    'a.rst',
  ])('is found as questions/%s', (name) => {
    expect(open('Which one?\n', `questions/${name}`)).toHaveLength(1)
    expect(open('Which one?\n', `.noodlecrew/questions/${name}`)).toHaveLength(1)
  })

  it('is not what explains the folder, nor what lies in an archive, nor what no editor shows', () => {
    expect(open('# How to answer\n', 'questions/README.md')).toEqual([])
    expect(open(question('status: pending', ''), 'questions/archive/a-001-b.md')).toEqual([])
    expect(open('x', 'questions/.a-001-b.md.swp')).toEqual([])
    expect(open('x', 'questions/diagram.png')).toEqual([])
    expect(open(question('status: pending', ''), 'questions/readme.md')).toHaveLength(1)
  })
})
