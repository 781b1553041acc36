import { expect, it } from 'vitest'
import { machineRead } from '../commands/machine/read'
import { snapshotDiff } from '../commands/snapshot/diff'
import { answerInToolWords, failureInToolWords } from './toolWords'

it.each([
  ['Stop it with: bridgedeck task stop 0001_sample', 'Stop it with: tasks stop 0001_sample'],
  ['Pause it with bridgedeck pause.', 'Pause it with machine pause.'],
  ['Run it again with bridgedeck run game.prg', 'Run it again with run file game.prg'],
  ['Trust it with bridgedeck project trust.', 'Trust it with bridgedeck project trust.'],
])('“%s” is told to agents as “%s”', (told, expected) => {
  expect(failureInToolWords(told, machineRead)).toBe(expected)
})

it('Options in an answer are arguments, and everything else is left as it is', () => {
  expect(answerInToolWords('… and 3 more ranges: --limit lists them. A--B --other RANGE', snapshotDiff)).toBe(
    '… and 3 more ranges: limit lists them. A--B --other RANGE',
  )
})
