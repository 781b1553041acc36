/**
 * How the commands `metashell run`, `ncrew run` and `maestro run` end, each brought about with a stand-in for an agent: the exit codes of
 * `help exit-codes`. Tuning's are in tuningEnds.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { specialExitCodesOf } from '../../src-main/cli/exitCodes'
import { askingLoops, filesOf, runWithOdd, SHORT_TIME_LIMIT_S, type AskingLoop } from '../support/oddAgents'

/** Of the stand-in, and what else the start has. */
type Way = readonly [code: number, kind: string, start?: Parameters<typeof runWithOdd>[2]]

const crew = filesOf.ncrew()
const gated = {
  '.noodlecrew/manifest.yml':
    'crew:\n  experts:\n    - role: product-owner\n      phase: discovery\n    - role: developer\n      phase: delivery\nphases: [discovery, delivery]\nvalidation:\n  human_gates: [discovery]\n',
  'tasks.md': `${crew['tasks.md']}\n## Delivery Phase ⏳ PENDING\n- [ ] Manual\n`,
}
const withoutExperts = { '.noodlecrew/manifest.yml': 'crew:\n  experts: []\nphases: [discovery]\n' }
const checked = { 'tasks.md': (crew['tasks.md'] ?? '').replaceAll('[ ]', '[x]').replace('⏳ PENDING', '✅ COMPLETE') }
const twoPhases = { '.meta/context.md': '# Project: Tapes\n\n## Phases\n\n1. Reading\n2. Writing\n' }
/** With an agent each, so that they may be one batch. */
const fourPhases = {
  '.gemini/state/active-session.md': newSession({
    task: 'Tapes',
    design: null,
    plan: null,
    time: '2026-03-02T10:00:00.000Z',
    taken: [],
    phases: readPhaseLines('A: coder\nB: tester\nC: debugger\nD: refactor').map((phase) => ({
      ...phase,
      files: [`${phase.name}.md`],
    })),
  }).text,
}

const oneByOne = { MAESTRO_EXECUTION_MODE: 'parallel', MAESTRO_MAX_CONCURRENT: '1' }
const cent = { agentLimits: { runCost: 0.01 } }
const moment = { agentLimits: { runHours: 1e-9 } }
const auto = { words: ['--auto'] }
const oneTurn = { words: ['--max-turns', '1'] }
const interrupted = { isInterrupted: true }
const tooLong = { timeLimit: SHORT_TIME_LIMIT_S }

/** For the person: each has its need in the Inbox. */
const waits = [10, 11, 20, 21, 22]

const table: Readonly<Record<string, Readonly<Partial<Record<AskingLoop, Way>>>>> = {
  'is done': {
    metashell: [0, 'well'],
    ncrew: [0, 'well'],
    maestro: [0, 'well'],
  },
  'needs an answer': {
    metashell: [10, 'asks'],
    ncrew: [10, 'asks'],
    maestro: [10, 'reads-nothing'],
  },
  'comes to a gate': {
    metashell: [11, 'well', { files: twoPhases }],
    ncrew: [11, 'well', { files: gated }],
    maestro: [11, 'well', { environment: { MAESTRO_AUTO_ARCHIVE: 'false' } }],
  },
  'passes its gates with --auto': {
    metashell: [0, 'well', { files: twoPhases, ...auto }],
    ncrew: [0, 'well', { files: gated, ...auto }],
    maestro: [0, 'well', { environment: { MAESTRO_EXECUTION_MODE: 'ask' }, ...auto }],
  },
  'loses tasks, also with --auto': { ncrew: [10, 'tears', auto] },
  fails: {
    metashell: [1, 'reads-nothing'],
    ncrew: [99, 'reads-nothing'],
    maestro: [1, 'tears'],
  },
  'reaches its limit of time': {
    metashell: [20, 'well', moment],
    ncrew: [20, 'well', moment],
    maestro: [20, 'well', { ...moment, files: fourPhases }],
  },
  'reaches its limit of cost': {
    metashell: [21, 'well', cent],
    ncrew: [21, 'well', cent],
    maestro: [21, 'well', { ...cent, files: fourPhases }],
  },
  'repeats itself': {
    metashell: [22, 'doubts'],
    ncrew: [22, 'liar'],
    maestro: [22, 'reads-nothing', { files: fourPhases, environment: oneByOne }],
  },
  'has taken the turns that were asked for': {
    metashell: [100, 'well', oneTurn],
    ncrew: [100, 'well', { words: ['--single'] }],
    maestro: [100, 'well', { ...oneTurn, files: fourPhases }],
  },
  'has an agent that timed out': { metashell: [5, 'never', tooLong] },
  'has no expert for a phase': { ncrew: [3, 'well', { files: withoutExperts }] },
  'has all tasks checked, and is not declared complete': { ncrew: [2, 'liar', { files: checked }] },
  'is interrupted': {
    metashell: [130, 'never', interrupted],
    ncrew: [130, 'never', interrupted],
    maestro: [130, 'never', interrupted],
  },
}

describe('a run that', () => {
  it.each(Object.entries(table))(
    '%s ends with its exit code, and leaves no process',
    async (_end, row) => {
      const loops = askingLoops.filter((loop) => row[loop] !== undefined)
      const ends = await Promise.all(
        loops.map(async (loop) => {
          const [expected, kind = '', start] = row[loop] ?? []
          const { code, alive, said, needs } = await runWithOdd(loop, kind, start)
          const lacksNeed = waits.includes(code ?? 0) && needs.length === 0
          return { loop, code, alive, lacksNeed, said: code === expected ? '' : said }
        }),
      )
      expect(ends).toEqual(loops.map((loop) => ({ loop, code: row[loop]?.[0], alive: 0, lacksNeed: false, said: '' })))
    },
    240_000,
  )

  it('has a row here for each exit code of the help', () => {
    for (const loop of askingLoops.filter((one) => one !== 'tuning')) {
      const tested = Object.values(table).flatMap((row) => row[loop]?.[0] ?? [])
      const ofRuns = specialExitCodesOf(loop).filter(({ commands }) => / run\b/.test(commands))
      expect(ofRuns.filter(({ code }) => !tested.includes(code))).toEqual([])
    }
  })
})
