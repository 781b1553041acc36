/**
 * What a session, a crew, a Maestro session and a tuning run do with an agent of each kind. A tuning run goes on without its fixer.
 * Started: how often; alive: its processes that outlived the command.
 */
import { describe, expect, it } from 'vitest'
import { askingLoops, runWithOdd, SHORT_TIME_LIMIT_S, type AskingLoop } from '../support/oddAgents'

type Outcome = readonly [code: number, state: string, started: number, said: string, need?: string]
type Row = Readonly<Record<AskingLoop, Outcome>>

const exitTwo = 'It ended with exit code 2'
const timedOut = 'It ended with exit code 124'
const killed = 'Something ended it with SIGKILL'
const tooLong = `Timed out after ${SHORT_TIME_LIMIT_S} s`
const waits = 'odd has reached its usage limit: trying again at'
const lost = 'took 2 open tasks off the list'
const phaseFailed = 'failure: Phase “Reading” failed'
const executorFailed = 'gate: The executor of task 01 failed: '
const proposed = 'Proposed FIX-1 for CTX-1, from an agent'
const choose = 'approval: Choose the fixes to apply'
const failedThrice = (why: string) => `failure: The expert failed 3 times in a row: ${why}.`
const dirty = 'left uncommitted changes in scratch.txt'

// By exit code: 0 done, 1 failed, 5 timed out, 10 needs you, 11 waits for a choice, 22 repeats itself, 99 failed (ncrew), 130 interrupted while it waited.
const table: Readonly<Record<string, Row>> = {
  //                            code  what became of its task   started  said   what needs the person then
  'does well': {
    metashell: [0, 'complete', 2, 'Project complete'],
    ncrew: [0, '2 of 2 checked', 2, 'The crew is done'],
    maestro: [0, 'archived', 1, 'Archived the session'],
    tuning: [11, 'running, fixes: 1', 1, proposed, choose],
  },
  'reads nothing and ends 2': {
    metashell: [1, 'pending', 1, exitTwo, `${executorFailed}${exitTwo}.`],
    ncrew: [99, '0 of 2 checked', 3, exitTwo, failedThrice(exitTwo)],
    maestro: [10, 'failed', 2, exitTwo, phaseFailed],
    tuning: [0, 'completed, fixes: 0', 1, exitTwo],
  },
  'ends 124': {
    metashell: [1, 'pending', 1, timedOut, `${executorFailed}${timedOut}.`],
    ncrew: [99, '0 of 2 checked', 3, timedOut, failedThrice(timedOut)],
    maestro: [10, 'failed', 2, timedOut, phaseFailed],
    tuning: [0, 'completed, fixes: 0', 1, timedOut],
  },
  'ends by a signal after its work': {
    metashell: [1, 'pending', 1, killed, `${executorFailed}${killed}.`],
    ncrew: [0, '2 of 2 checked', 2, killed],
    maestro: [10, 'failed', 2, killed, phaseFailed],
    tuning: [0, 'completed, fixes: 0', 1, killed],
  },
  'forks a grandchild': {
    metashell: [0, 'complete', 4, 'Project complete'],
    ncrew: [0, '2 of 2 checked', 4, 'The crew is done'],
    maestro: [0, 'archived', 2, 'Archived the session'],
    tuning: [11, 'running, fixes: 1', 2, proposed, choose],
  },
  'never ends': {
    metashell: [5, 'pending', 1, tooLong, `gate: Task 01 did not finish: ${tooLong}.`],
    ncrew: [99, '0 of 2 checked', 3, tooLong, failedThrice(tooLong)],
    maestro: [10, 'failed', 2, tooLong, phaseFailed],
    tuning: [0, 'completed, fixes: 0', 1, tooLong],
  },
  'prints usage-limit words': {
    metashell: [130, 'pending', 1, waits],
    ncrew: [130, '0 of 2 checked', 1, waits],
    maestro: [130, 'in_progress', 1, waits],
    tuning: [130, 'running, fixes: 0', 1, waits],
  },
  'lies about its work': {
    metashell: [
      10,
      'pending',
      1,
      'which does not exist',
      `gate: Task 01 needs a look: it reports the commit ${'f'.repeat(40)}, which does not exist.`,
    ],
    ncrew: [
      22,
      '0 of 2 checked',
      3,
      'no task of tasks.md was checked',
      'limit: No progress: 3 turns in a row changed no file, task or commit.',
    ],
    maestro: [10, 'failed', 2, 'Claimed, but not there: phase-1.md', phaseFailed],
    tuning: [0, 'completed, fixes: 0', 3, 'the text that it replaces is not there'],
  },
  'commits without telling': {
    metashell: [0, 'complete', 2, 'Project complete'],
    ncrew: [0, '2 of 2 checked', 2, 'Committed: '],
    maestro: [0, 'archived', 1, 'changed, but not claimed: phase-1.md'],
    tuning: [11, 'running, fixes: 1', 1, 'which was to read only, committed', choose],
  },
  'leaves the tree dirty': {
    metashell: [0, 'complete', 2, dirty],
    ncrew: [0, '2 of 2 checked', 2, dirty],
    maestro: [0, 'archived', 1, dirty],
    tuning: [11, 'running, fixes: 1', 1, dirty, choose],
  },
  'tears the state file': {
    metashell: [
      1,
      'torn',
      1,
      'session.json:9:6: found the end of the file',
      'unreadable: .meta/session.json cannot be read',
    ],
    ncrew: [10, '0 of 2 checked', 1, lost, `failure: The turn ${lost}: Vision, Users.`],
    maestro: [
      1,
      'in_progress',
      1,
      'found a file that ends inside its front matter',
      'unreadable: .gemini/state/active-session.md cannot be read',
    ],
    tuning: [
      1,
      'torn',
      1,
      'state.json must be fixed first',
      'unreadable: .workflow/.scratchpad/skill-tuning-…/state.json cannot be read',
    ],
  },
}
const kinds: Readonly<Record<string, string>> = {
  'does well': 'well',
  'reads nothing and ends 2': 'reads-nothing',
  'ends 124': 'ends-124',
  'ends by a signal after its work': 'signal',
  'forks a grandchild': 'grandchild',
  'never ends': 'never',
  'prints usage-limit words': 'usage-limit',
  'lies about its work': 'liar',
  'commits without telling': 'silent',
  'leaves the tree dirty': 'untidy',
  'tears the state file': 'tears',
}

describe('an agent that', () => {
  it.each(Object.entries(table))(
    '%s',
    async (what, row) => {
      const start = what === 'never ends' ? { timeLimit: SHORT_TIME_LIMIT_S } : {}
      const ends = await Promise.all(
        askingLoops.map(async (loop) => [loop, await runWithOdd(loop, kinds[what] ?? '', start)] as const),
      )
      for (const [loop, { code, state, starts, alive, said, needs }] of ends) {
        const [, , , words, ...need] = row[loop]
        const outcome = [code, state, starts, said.includes(words) ? words : said, ...needs]
        expect([loop, outcome, alive]).toEqual([loop, [...row[loop].slice(0, 4), ...need], 0])
      }
    },
    240_000,
  )
})
