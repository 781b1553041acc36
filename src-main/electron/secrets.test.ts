import { beforeEach, describe, expect, it } from 'vitest'
import type { Input, OwnedBy, Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { BridgeCall } from './router'
import { Secrets } from './secrets'

const machine = 'ultimate:c64u'
const signal = new AbortController().signal
const none = { warn: () => undefined }

type Name = OwnedBy<'bridge'>
let calls: [Name, unknown][]
/** What the bridge keeps. */
let kept: { sealed: Uint8Array; uniqueId: string | null } | null
let rightPassword: string | null
let given: string | undefined

/** The part of a bridge that these calls concern. */
function answer(name: Name, input: unknown): unknown {
  calls.push([name, input])
  switch (name) {
    case 'connections.usePassword':
      given = (input as Input<'connections.usePassword'>).password
      return {}
    case 'machine.connect':
      if (rightPassword !== null && given !== rightPassword)
        throw new AppError('FORBIDDEN', 'It wants another password.')
      return { machine }
    case 'connections.identity':
      return { uniqueId: 'A1' }
    case 'connections.sealedPassword':
      return { kept }
    case 'connections.keepPassword':
      ;({ kept } = input as Input<'connections.keepPassword'>)
      return {}
    case 'connections.remove':
      kept = null
      return {}
    default:
      return {}
  }
}
const bridge: BridgeCall = async (name, input) => Promise.resolve(answer(name, input) as Output<typeof name>)

/** Turns the bytes around, so that what is kept is not what was typed. */
const store = {
  limit: () => Promise.resolve(limit),
  seal: (text: string) => Promise.resolve(new Uint8Array(Buffer.from(text)).reverse()),
  open: (sealed: Uint8Array) => Promise.resolve(Buffer.from(new Uint8Array(sealed).reverse()).toString()),
}
let limit: string | null
let secrets: Secrets
beforeEach(() => {
  calls = []
  kept = null
  given = undefined
  rightPassword = 'right'
  limit = null
  secrets = new Secrets({ bridge, store, log: none })
})
const restart = () => {
  given = undefined
  calls = []
  secrets = new Secrets({ bridge, store, log: none })
}
const connect = () => secrets.bridge('machine.connect', { machine }, signal)

describe('a typed password', () => {
  it('that works is handed over again at each connection of this session, for that device alone', async () => {
    await secrets.authenticate(machine, 'right', false, signal)
    expect(kept).toBeNull()
    calls = []
    given = undefined
    await connect()
    expect(calls).toEqual([
      ['connections.usePassword', { machine, password: 'right', onlyFor: 'A1' }],
      ['machine.connect', { machine }],
    ])
    restart()
    await expect(connect()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('that does not work is neither known nor kept', async () => {
    await expect(secrets.authenticate(machine, 'wrong', true, signal)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(kept).toBeNull()
    given = undefined
    await expect(connect()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is sealed before it is kept, and outlives a restart', async () => {
    await secrets.authenticate(machine, 'right', true, signal)
    expect(Buffer.from(kept?.sealed ?? []).toString()).toBe('thgir')
    expect(kept?.uniqueId).toBe('A1')
    restart()
    await connect()
    expect(calls).toContainEqual(['connections.usePassword', { machine, password: 'right', onlyFor: 'A1' }])
  })

  it('is not saved where the system has no keyring, and that is said before anything is sent', async () => {
    limit = 'No keyring runs.'
    await expect(secrets.authenticate(machine, 'right', true, signal)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(/No keyring/) as string,
    })
    expect(calls).toEqual([])
    await secrets.authenticate(machine, 'right', false, signal)
    expect(kept).toBeNull()
  })

  it('is refused for a machine that takes none', async () => {
    await expect(secrets.authenticate('vice:6502', 'right', false, signal)).rejects.toMatchObject({ code: 'INVALID' })
    expect(calls).toEqual([])
  })
})

describe('a saved password', () => {
  beforeEach(() => secrets.authenticate(machine, 'right', true, signal).then(restart))

  it('is handed over before a self-test too, and before nothing else', async () => {
    await secrets.bridge('connections.selfTest', { machine }, signal)
    expect(calls.map(([name]) => name)).toEqual([
      'connections.sealedPassword',
      'connections.usePassword',
      'connections.selfTest',
    ])
    calls = []
    await secrets.bridge('machine.pause', { machine }, signal)
    await secrets.bridge('machine.list', {}, signal)
    await secrets.bridge('machine.connect', { machine: 'vice:6502' }, signal).catch(() => undefined)
    expect(calls.map(([name]) => name)).toEqual(['machine.pause', 'machine.list', 'machine.connect'])
  })

  it('goes to no other address', async () => {
    kept = null
    await secrets.bridge('machine.connect', { machine: 'ultimate:10.0.0.9' }, signal).catch(() => undefined)
    expect(calls.map(([name]) => name)).not.toContain('connections.usePassword')
  })

  it('that the system cannot open any more is asked for anew', async () => {
    secrets = new Secrets({
      bridge,
      store: {
        ...store,
        open: () => Promise.reject(new Error('another keyring')),
      },
      log: none,
    })
    await expect(connect()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(calls.map(([name]) => name)).not.toContain('connections.usePassword')
  })

  it.each(['forgetPassword', 'forget'] as const)('is gone after %s', async (way) => {
    await secrets[way](machine, signal)
    given = undefined
    await expect(connect()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(kept).toBeNull()
  })
})
