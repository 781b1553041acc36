import { describe, expect, it } from 'vitest'
import type { SelfTestStep } from '@shared/contract/connections'
import { AppError } from '@shared/contract/errors'
import type { Capability, StreamKind } from '@shared/contract/machine'
import { ScriptedMachine } from '../../test/support/scriptedMachine'
import type { MachineStatus } from '../machine/machine'
import type { StreamControl } from '../machine/facets'
import { selfTest, type SelfTestOptions } from './selfTest'

const noStreams = {
  videoStream: 'No network socket.',
  audioStream: 'No network socket.',
  debugStream: 'No network socket.',
}

/** A machine whose streams deliver `packets` each once they run. */
class Device extends ScriptedMachine {
  override unsupported: Partial<Record<Capability, string>> = noStreams
  packets: Partial<Record<StreamKind, number>> = {}
  readonly switched: string[] = []
  override readMemory = () => Promise.resolve(new Uint8Array(256))
  readonly streams: StreamControl = {
    set: (stream, on) => {
      this.switched.push(`${stream} ${on ? 'on' : 'off'}`)
      const others = (this.status.streams ?? []).filter((other) => other.stream !== stream)
      this.status = {
        ...this.status,
        streams: on ? [...others, { stream, packets: this.packets[stream] ?? 0, lost: 0 }] : others,
      }
      return Promise.resolve()
    },
    onAudio: () => () => undefined,
  }
  say(status: Partial<MachineStatus>) {
    this.status = { ...this.status, ...status }
  }
}

async function test(device: Device, options: Partial<SelfTestOptions> = {}) {
  const reports: SelfTestStep[][] = []
  const steps = await selfTest({
    machine: device,
    connect: (signal) => device.connect(signal),
    asksForPassword: () => Promise.resolve(true),
    report: (found) => reports.push(found),
    signal: new AbortController().signal,
    streamDeadlineMs: 60,
    ...options,
  })
  return { steps, reports, outcomes: steps.map(({ title, outcome }) => `${title}: ${outcome}`) }
}
const find = (steps: SelfTestStep[], title: string) => steps.find((step) => step.title === title)?.text

describe('a self-test', () => {
  it('goes from the outside in, tells each step as it begins and ends, and what the machine has not in its own words', async () => {
    const device = new Device('ultimate:c64u')
    device.say({ title: 'Ultimate 64', version: 'firmware 3.12a' })
    const { steps, reports, outcomes } = await test(device)
    expect(outcomes).toEqual([
      'Reach the machine: ok',
      'Password: ok',
      'Read memory: ok',
      'Video stream: skipped',
      'Audio stream: skipped',
      'Debug stream: skipped',
    ])
    expect(find(steps, 'Reach the machine')).toMatch(/^Connected in [\d.]+ ms: Ultimate 64, firmware 3\.12a\.$/)
    expect(find(steps, 'Read memory')).toMatch(/^256 bytes in [\d.]+ ms/)
    expect(find(steps, 'Video stream')).toBe('No network socket.')
    expect(reports[0]).toEqual([{ title: 'Reach the machine', outcome: 'running', text: '' }])
    expect(reports).toHaveLength(12)
    expect(reports.at(-1)).toEqual(steps)
  })

  it('ends at a machine that is not reached, with why and what to do', async () => {
    const device = new Device('ultimate:c64u')
    const connect = () => Promise.reject(new AppError('UNREACHABLE', 'Nobody answers.', { hint: 'Is it switched on?' }))
    expect((await test(device, { connect })).steps).toEqual([
      { title: 'Reach the machine', outcome: 'failed', text: 'Nobody answers. Is it switched on?' },
    ])
  })

  it('tells a wrong password from a machine that is not there', async () => {
    const connect = () => Promise.reject(new AppError('FORBIDDEN', 'It wants another password.'))
    const { outcomes, steps } = await test(new Device('ultimate:c64u'), { connect })
    expect(outcomes).toEqual(['Reach the machine: ok', 'Password: failed'])
    expect(find(steps, 'Password')).toBe('It wants another password.')
    // A serial port that may not be opened is no question of a password.
    expect((await test(new Device('stub:/dev/ttyUSB0'), { connect })).outcomes).toEqual(['Reach the machine: failed'])
  })

  it.each([
    [true, /is correct/],
    [false, /No password is set/],
    [null, /is unknown/],
  ])('claims of the password what is known: asked for %s', async (asked, text) => {
    const { steps } = await test(new Device('ultimate:c64u'), { asksForPassword: () => Promise.resolve(asked) })
    expect(find(steps, 'Password')).toMatch(text)
  })

  it('starts each stream for its first packet and stops it again', async () => {
    const device = new Device('ultimate:c64u')
    device.unsupported = {}
    device.packets = { video: 3, audio: 1 }
    const { outcomes, steps } = await test(device)
    expect(outcomes.slice(3)).toEqual(['Video stream: ok', 'Audio stream: ok', 'Debug stream: failed'])
    expect(find(steps, 'Debug stream')).toMatch(/No packet within.*wired/)
    expect(device.switched).toEqual(['video on', 'video off', 'audio on', 'audio off', 'debug on', 'debug off'])
  })

  it('leaves alone the streams that run, and those that would end them', async () => {
    const device = new Device('ultimate:c64u')
    device.unsupported = {}
    device.say({ connection: 'live', streams: [{ stream: 'video', packets: 100, lost: 2 }] })
    device.packets = { audio: 1 }
    const { outcomes, steps } = await test(device)
    expect(outcomes.slice(3)).toEqual(['Video stream: ok', 'Audio stream: ok', 'Debug stream: skipped'])
    expect(find(steps, 'Video stream')).toMatch(/100 packets received, 2 lost/)
    expect(device.switched).toEqual(['audio on', 'audio off'])
  })

  it('goes on after a read that fails, and does not connect what is connected', async () => {
    const device = new Device('vice:6502')
    device.say({ connection: 'live' })
    device.readMemory = () => Promise.reject(new AppError('TIMEOUT', 'It did not answer in time.'))
    const { outcomes } = await test(device)
    expect(device.attempts).toBe(0)
    expect(outcomes).toEqual([
      'Reach the machine: ok',
      'Read memory: failed',
      'Video stream: skipped',
      'Audio stream: skipped',
      'Debug stream: skipped',
    ])
  })

  it('stopped in the middle ends its stream and leaves the rest untried', async () => {
    const device = new Device('ultimate:c64u')
    device.unsupported = {}
    const stop = new AbortController()
    const { outcomes } = await test(device, {
      signal: stop.signal,
      streamDeadlineMs: 60_000,
      report: (steps) => {
        if (steps.at(-1)?.title === 'Video stream') setImmediate(() => stop.abort())
      },
    })
    expect(outcomes.slice(3)).toEqual(['Video stream: skipped', 'Audio stream: skipped', 'Debug stream: skipped'])
    expect(device.switched).toEqual(['video on', 'video off'])
  })
})
