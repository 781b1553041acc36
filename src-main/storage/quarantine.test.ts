import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Quarantined } from '@shared/contract/quarantine'
import { openDatabase, type Database } from './database'
import { Quarantine } from './quarantine'

const CRASH = 'was killed by SIGSEGV'
const KILL = 'was killed by SIGKILL'

let folder: string
let database: Database
let changes: Quarantined[][]
let started: Quarantine[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-quarantine-'))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  changes = []
  started = []
})
afterEach(() => {
  // Before the clock is real again: each watches for a minute what it opened.
  for (const quarantine of started) quarantine.close()
  vi.useRealTimers()
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(lastEnd?: string, records = true): Quarantine {
  const quarantine = new Quarantine(database, { records, lastEnd, onChange: (items) => changes.push(items) })
  started.push(quarantine)
  return quarantine
}

/** All that this process opened is as if another one had, which has ended. */
const endProcess = () => database.prepare('UPDATE openings SET pid = 4194303 WHERE pid IS NOT NULL').run()

/** Bridges that each do this, and end so. */
function crashTwice(open: (quarantine: Quarantine) => void, how = CRASH): Quarantine {
  for (let end = 0; end < 2; end++) {
    open(start(end === 0 ? undefined : how))
    endProcess()
  }
  return start(how)
}

describe('what a bridge opened when it ended unexpectedly', () => {
  it('twice in a row stays closed, and says which and why', () => {
    const quarantine = crashTwice((bridge) => bridge.opening('project', '/projects/one'))
    expect(quarantine.all).toEqual([{ kind: 'project', name: '/projects/one', reason: CRASH }])
    expect(() => quarantine.opening('project', '/projects/one')).toThrow(/project \/projects\/one .*twice.*SIGSEGV/)
    quarantine.opening('project', '/projects/two')
  })

  it('once may be opened again', () => {
    start().opening('project', '/projects/one')
    endProcess()
    const quarantine = start(CRASH)
    expect(quarantine.all).toEqual([])
    quarantine.opening('project', '/projects/one')
  })

  it('counts from new once it was open for a minute', () => {
    vi.useFakeTimers()
    start().opening('project', '/projects/one')
    endProcess()
    start(CRASH).opening('project', '/projects/one')
    vi.advanceTimersByTime(60_000)
    endProcess()
    expect(start(CRASH).all).toEqual([])
  })

  it('is not blamed where it was closed before, or the bridge ended as it should', () => {
    const quarantine = crashTwice((bridge) => {
      bridge.opening('project', '/projects/closed')
      bridge.closed('project', '/projects/closed')
      bridge.opening('project', '/projects/ended')
      bridge.close()
    })
    expect(quarantine.all).toEqual([])
  })

  it('is told by the error that ended it, where the bridge could still say so', () => {
    const quarantine = crashTwice((bridge) => {
      bridge.opening('machine', 'vice:6502')
      bridge.noteEnd(new Error('no such frame'))
    }, 'ended with code 1')
    expect(quarantine.all).toMatchObject([{ reason: expect.stringContaining('no such frame') as string }])
  })
})

describe('a machine that was live', () => {
  const openBoth = (bridge: Quarantine) => {
    bridge.opening('project', '/projects/one')
    bridge.opening('machine', 'builtin')
    bridge.settled('machine', 'builtin')
  }

  it('is not blamed for what else was opened', () => {
    expect(crashTwice(openBoth).all.map(({ name }) => name)).toEqual(['/projects/one'])
  })

  it.each([
    [CRASH, ['builtin']],
    ['did not answer for 2 s', ['builtin']],
    [KILL, []],
    ['ended (killed, code 9)', []],
  ])('of a bridge that %s leaves closed %j', (how, closed) => {
    const quarantine = crashTwice((bridge) => {
      bridge.opening('machine', 'builtin')
      bridge.settled('machine', 'builtin')
    }, how)
    expect(quarantine.all.map(({ name }) => name)).toEqual(closed)
  })
})

describe('what was left closed', () => {
  it('is opened anyway, and left closed again by one more end', () => {
    const quarantine = crashTwice((bridge) => bridge.opening('recording', '0001_record'))
    quarantine.release('recording', '0001_record')
    expect(changes).toEqual([[]])
    quarantine.opening('recording', '0001_record')
    endProcess()
    expect(start(KILL).all).toHaveLength(1)
  })

  it('can be released only if it is', () => {
    expect(() => start().release('machine', 'vice')).toThrow(/not left closed/)
  })

  it('is left closed by a call of the command line too, which counts nothing itself', () => {
    crashTwice((bridge) => bridge.opening('project', '/projects/one'))
    const call = start(undefined, false)
    expect(() => call.opening('project', '/projects/one')).toThrow()
    call.opening('project', '/projects/two')
    endProcess()
    expect(start(CRASH).all).toHaveLength(1)
  })
})
