import { describe, expect, it } from 'vitest'
import { judge, type AgentTest } from './agentTests'
import { agentTest } from './metashell/agentTest'

const ended = { status: 'success', reason: '', data: 'ready', cost: 0.01 } as const
const anything: AgentTest = { request: '', writesFiles: true, problemOf: () => null }

describe('a test of an agent', () => {
  it('is passed by one that answers and writes its file', () => {
    expect(judge(anything, ended, true)).toEqual({ problems: [], notes: [] })
  })

  it('says that an agent may not write', () => {
    expect(judge(anything, ended, false).problems).toEqual([expect.stringContaining('wrote no file')])
    expect(judge({ ...anything, writesFiles: false }, ended, false).problems).toEqual([])
  })

  it('says why an agent did not get that far, and nothing beside it', () => {
    const failed = { ...ended, status: 'error', reason: 'Not logged in.', cost: null } as const
    expect(judge(anything, failed, false)).toEqual({ problems: ['Not logged in.'], notes: [] })
  })

  it('notes that cost limits cannot stop one that reports no cost', () => {
    expect(judge(anything, { ...ended, cost: null }, true).notes).toEqual([expect.stringContaining('no cost')])
  })
})

describe('what Meta-Shell needs', () => {
  const { problemOf, writesFiles } = agentTest(['executor'])

  it('is a summary, alone or between sentences', () => {
    expect(problemOf('Here:\n{"task_id": "test", "status": "complete", "commits": [], "message": "Fine."}')).toBeNull()
  })

  it.each([
    ['nothing', '', 'no answer'],
    ['words only', 'I am ready.', 'no JSON object'],
    ['an object without its status', '{"task_id": "test"}', 'status has to be'],
    ['another status', '{"status": "blocked", "message": "No network."}', '“blocked”: No network.'],
  ])('is told from %s', (_, answer, problem) => {
    expect(problemOf(answer)).toContain(problem)
  })

  it('is no file where the agent only plans', () => {
    expect([writesFiles, agentTest(['planner']).writesFiles]).toEqual([true, false])
  })
})
