import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SteeringState } from '@shared/contract/steering'
import { AgentCallStore } from '../storage/agentCalls'
import { openDatabase, type Database } from '../storage/database'
import { NoteStore } from '../storage/notes'
import { openSteeredLine, type SteeredLine } from './handlers'
import { Steering } from './steering'

const signal = new AbortController().signal

let folder: string
let database: Database
let steering: Steering
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-steering-'))
  database = openDatabase(join(folder, 'data.sqlite'))
  steering = new Steering({
    machines: {
      live: () => {
        throw new Error('no machine is needed here')
      },
      isKnown: (machine) => machine === 'builtin',
      isRunning: () => true,
    },
    frozen: { release: () => undefined },
    takesBack: () => false,
    notes: new NoteStore(database),
    calls: new AgentCallStore(database),
    canAsk: true,
    onChanged: () => undefined,
    onCalled: () => undefined,
    mark: () => undefined,
  })
})
afterEach(() => {
  steering.close()
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

function joined(name = 'claude'): SteeredLine {
  const line = openSteeredLine(steering)
  void line.handlers['agentLine.join']({ name, granted: [], folders: [], waits: false }, signal)
  return line
}

const begin = async (line: SteeredLine, call: number) =>
  line.handlers['agentLine.begin']({ call, title: 'see screen', rights: ['look'], text: '' }, signal)

const shown = (): SteeringState['agents'] => steering.state.agents

describe('agents that steer', () => {
  it('are told apart by number and colour where they have one name', () => {
    for (let agent = 0; agent < 3; agent++) joined()
    expect(shown().map(({ name, colour }) => [name, colour])).toEqual([
      ['claude', 0],
      ['claude 2', 1],
      ['claude 3', 2],
    ])
  })

  it('have a name no longer than a name may be, also with a number', () => {
    for (let agent = 0; agent < 11; agent++) joined('x'.repeat(60))
    expect(new Set(shown().map(({ name }) => name)).size).toBe(11)
    expect(Math.max(...shown().map(({ name }) => name.length))).toBe(60)
  })

  it('are no more than 64', () => {
    for (let agent = 0; agent < 64; agent++) joined()
    expect(() => joined()).toThrow('64 agents are connected already.')
  })

  it('have their calls in the journal, and those that run when they leave end there', async () => {
    const line = joined()
    await begin(line, 1)
    expect(shown()).toMatchObject([{ doing: 'see screen', calls: 1 }])
    line.close()
    expect(shown()).toEqual([])
    expect(steering.calls({ before: null, name: 'claude' }).calls).toMatchObject([
      { name: 'claude', title: 'see screen', outcome: 'failed', message: 'The agent left.', agent: null },
    ])
  })

  it('have each word in the journal for what became of a call that was not carried out', async () => {
    vi.useFakeTimers()
    try {
      const line = joined()
      const change = (call: number, until = signal) =>
        line.handlers['agentLine.begin']({ call, title: 'memory write', rights: ['change'], text: '' }, until)
      const left = new AbortController()
      const all = [
        expect(change(1)).rejects.toMatchObject({ code: 'BUSY' }),
        expect(change(2, left.signal)).rejects.toMatchObject({ code: 'CANCELLED' }),
      ]
      left.abort()
      await vi.advanceTimersByTimeAsync(120_000)
      await Promise.all(all)
      const refused = expect(change(3)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      steering.answer({ question: steering.state.questions[0]?.question ?? 0, consent: 'refuse' })
      await refused
    } finally {
      vi.useRealTimers()
    }
    expect(steering.calls({ before: null, name: 'claude' }).calls.map(({ outcome }) => outcome)).toEqual([
      'refused',
      'cancelled',
      'unanswered',
    ])
  })

  it('run a few calls at the same time, each under its own number', async () => {
    const line = joined()
    await begin(line, 1)
    await expect(begin(line, 1)).rejects.toThrow('already running')
    for (let call = 2; call <= 32; call++) await begin(line, call)
    await expect(begin(line, 33)).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('let keys go also while they are paused', async () => {
    const line = joined()
    await begin(line, 1)
    steering.pause(shown()[0]?.agent ?? 0)
    await line.before({ command: 'machine.setKeys', input: { machine: 'builtin', keys: [] }, agentCall: 1 }, signal)
    await line.before(
      { command: 'machine.setJoystick', input: { machine: 'builtin', port: 1, inputs: [] }, agentCall: 1 },
      signal,
    )
  })

  it('join once a line, and must have joined to call', async () => {
    const line = joined()
    expect(() =>
      line.handlers['agentLine.join']({ name: 'other', granted: [], folders: [], waits: false }, signal),
    ).toThrow('already')
    await expect(begin(openSteeredLine(steering), 1)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it.each(['steering.answer', 'steering.grant', 'steering.pause', 'steering.undo'] as const)(
    'and command lines may not call %s, which is for the person in the window',
    (command) => {
      expect(() => openSteeredLine(steering).before({ command, input: {}, agentCall: undefined }, signal)).toThrow(
        'Only the person',
      )
      expect(() => joined().before({ command, input: {}, agentCall: undefined }, signal)).toThrow('Only the person')
    },
  )
})
