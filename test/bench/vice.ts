/** VICE: what our client adds to a bare socket, and how exactly lock-step paces it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { exit, readMemory, setResource } from '../../src-main/machine/vice/commands'
import {
  attachedMachine,
  bytesOf,
  frameCount,
  frameCounter,
  soon,
  startVice,
  write,
  type RunningVice,
} from '../vice/support'
import { median, percentile, type Row } from './row'

const RAM_BANK = 1
const TURN = 500
const TURNS = 12
const LOCK_STEP_TIME = 30_000
const WARP_TIME = 10_000
const PAL_FRAME_RATE = 985_248 / (63 * 312)

export default async function vice(): Promise<Row[]> {
  const running = await startVice()
  try {
    return [await readLoop(running), ...(await lockStep(running))]
  } finally {
    await running.stop()
  }
}

/**
 * The same loop through the client and on a bare socket in short turns, so that a noisy machine disturbs both alike. The
 * lower quartile is what a loop takes that nothing else disturbed.
 */
async function readLoop({ port }: RunningVice): Promise<Row> {
  await liftSpeedLimit(port)
  const ours: number[] = []
  const bare: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(...(await bareLoop(port)))
    ours.push(...(await clientLoop(port)))
  }
  const ratio = percentile(bare, 0.25) / percentile(ours, 0.25)
  return {
    name: '64 KiB read and resume, undisturbed loops',
    value: 1_000 / percentile(ours, 0.25),
    unit: '/s',
    bare: 1_000 / percentile(bare, 0.25),
    target: 'ratio at least 0.95',
    met: ratio >= 0.95,
    note: `ratio ${ratio.toFixed(3)}; of all loops, medians: ${median(ours).toFixed(2)} ms, bare ${median(bare).toFixed(2)} ms`,
  }
}

/** At its own speed VICE sleeps through most of a loop, and the loop measures how well it wakes. */
async function liftSpeedLimit(port: number): Promise<void> {
  const client = await MonitorClient.connect({ host: '127.0.0.1', port }, soon())
  await client.trap((send) => Promise.all([send(setResource('Speed', 1_000)), send(exit())]), soon())
  client.close()
}

async function clientLoop(port: number): Promise<number[]> {
  const signal = AbortSignal.timeout(60_000)
  const client = await MonitorClient.connect({ host: '127.0.0.1', port }, signal)
  const times = await loopTimes(async () => {
    await client.trap((send) => Promise.all([send(readMemory(RAM_BANK, 0, 0xffff)), send(exit())]), signal)
  })
  client.close()
  return times
}

/** Read $0000-$FFFF of the RAM bank, then go on. */
const bareTrap = Buffer.from('0202080000000200000001' + '000000ffff000100' + '02020000000003000000aa', 'hex')

/** Every trap is answered with as many bytes as the first: they are counted, and nothing is parsed. */
async function bareLoop(port: number): Promise<number[]> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  let received = 0
  let wanted = Infinity
  let arrived: () => void = () => undefined
  socket.on('data', ({ length }) => {
    received += length
    if (received >= wanted) arrived()
  })
  socket.write(bareTrap)
  await delay(500)
  const size = received
  const times = await loopTimes(
    () =>
      new Promise((done) => {
        received = 0
        wanted = size
        arrived = done
        socket.write(bareTrap)
      }),
  )
  socket.destroy()
  await once(socket, 'close')
  return times
}

/** Milliseconds of each loop. */
async function loopTimes(loop: () => Promise<void>): Promise<number[]> {
  for (let warmUp = 0; warmUp < 20; warmUp++) await loop()
  const times: number[] = []
  const started = performance.now()
  let last = started
  while (last - started < TURN) {
    await loop()
    const now = performance.now()
    times.push(now - last)
    last = now
  }
  return times
}

async function lockStep({ port }: RunningVice): Promise<Row[]> {
  const machine = attachedMachine(port)
  await machine.connect(soon())
  try {
    await countFrames(machine)
    const paced = await framesFor(machine, LOCK_STEP_TIME)
    await requireFacet(machine, 'warp').setWarp(true, soon())
    const warped = await framesFor(machine, WARP_TIME)
    await requireFacet(machine, 'warp').setWarp(false, soon())
    const odd = paced.steps.filter((step) => step !== 1).length
    return [
      {
        name: 'lock-step frames, of a real PAL C64',
        value: paced.share,
        unit: '%',
        bare: 100,
        target: '98 to 102 %',
        met: paced.share >= 98 && paced.share <= 102,
        note: paced.note,
      },
      {
        name: 'lock-step samples that are not exactly one frame on',
        value: odd,
        unit: `of ${paced.steps.length}`,
        target: '0',
        met: odd === 0,
      },
      {
        name: 'lock-step time between samples, p95',
        value: percentile(paced.gaps, 0.95),
        unit: 'ms',
        bare: 1_000 / PAL_FRAME_RATE,
      },
      {
        name: 'lock-step frames in warp, of a real PAL C64',
        value: warped.share,
        unit: '%',
        bare: 100,
        target: 'at least 150 %',
        met: warped.share >= 150,
        note: warped.note,
      },
    ]
  } finally {
    await machine.disconnect()
  }
}

/** @param time ms, after two seconds to get going */
async function framesFor(machine: Machine, time: number) {
  const frames: { count: number; at: number }[] = []
  const stop = machine.onSample(
    (sample) => void frames.push({ count: frameCount(bytesOf(sample, 'ram')), at: performance.now() }),
  )
  await machine.setSampling({ mode: 'lockStep', rate: 50, spaces: ['ram', 'io', 'colorRam'], picture: true })
  await delay(2_000)
  frames.length = 0
  await delay(time)
  await machine.setSampling({ mode: 'off', rate: 50, spaces: [], picture: false })
  stop()
  const [first] = frames
  const last = frames.at(-1)
  if (!first || !last) throw new Error('Lock-step delivered no samples.')
  const seconds = (last.at - first.at) / 1_000
  const steps = frames.slice(1).map(({ count }, index) => (count - (frames[index]?.count ?? 0)) & 0xffff)
  const passed = steps.reduce((sum, step) => sum + step, 0)
  return {
    share: (passed / seconds / PAL_FRAME_RATE) * 100,
    steps,
    gaps: frames.slice(1).map(({ at }, index) => at - (frames[index]?.at ?? 0)),
    note: `${passed} frames in ${seconds.toFixed(1)} s`,
  }
}

/** Runs the program that counts frames in $FB/$FC. */
async function countFrames(machine: Machine): Promise<void> {
  const execution = requireFacet(machine, 'pause')
  await execution.pause(soon())
  await write(machine, 0xc000, ...frameCounter)
  await requireFacet(machine, 'setRegisters').write('PC', 0xc000, soon())
  await execution.resume(soon())
}
