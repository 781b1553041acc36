/** An Ultimate: what its streams cost and how fast a picture is in the window, and what our client adds to a request. */
import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamKind } from '@shared/contract/machine'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { PICTURE_PERIOD } from '../peers/ultimateStreams'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { forgetFrames, readFrames, recordFrames } from '../support/frameRecorder'
import { launchApp, untilLive } from '../support/launchApp'
import { memoryNotes } from '../vice/support'
import { median, percentile, type Row } from './row'

const WARM_UP = 3_000
const STREAM_TIME = 20_000
/** ms */
const TIMER = 1
/** Requests in a turn, and turns of each kind. */
const TURN = 100
const TURNS = 10

export default async function ultimate(): Promise<Row[]> {
  return [...(await debugStream()), ...(await videoStream()), await reads()]
}

const soon = (): AbortSignal => AbortSignal.timeout(10_000)

function machineFor(peer: UltimatePeer): Machine {
  const { rest: port, dma: dmaPort } = peer.ports
  const allowed = (): { budget: number; sideEffects: boolean } => ({ budget: 0.05, sideEffects: false })
  return createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort,
    notes: memoryNotes(),
    allowed,
  })
}

/** Packets that went out and did not come in, without those that the stand-in had no time to send. */
async function lostHere(peer: UltimatePeer, stream: StreamKind, lost: number): Promise<number> {
  return Math.max(0, lost - (await peer.state()).streams[stream].skipped)
}

/** In this process: the driver with its replay and the samples that it makes of it, and nothing else. */
async function debugStream(): Promise<Row[]> {
  const peer = await startUltimate()
  const machine = machineFor(peer)
  try {
    await machine.connect(soon())
    let samples = 0
    machine.onSample(({ accesses }) => void (samples += accesses ? 1 : 0))
    await machine.setSampling({ mode: 'off', rate: 1, spaces: ['cpu', 'ram', 'io', 'colorRam'], picture: false })
    await delay(WARM_UP)
    const idle = await shareOfCore(WARM_UP)
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    await delay(WARM_UP)
    const before = countsOf(machine, 'debug')
    samples = 0
    const share = await shareOfCore(STREAM_TIME)
    const { packets, lost } = countsOf(machine, 'debug')
    const here = await lostHere(peer, 'debug', lost)
    const rate = (packets - before.packets) / (STREAM_TIME / 1_000)
    return [
      {
        name: 'debug stream: packets replayed',
        value: rate,
        unit: '/s',
        target: '2,737 /s',
        met: rate >= 2_700,
        note: `${(samples / (STREAM_TIME / 1_000)).toFixed(1)} samples/s of it`,
      },
      {
        name: 'debug stream: packets lost here',
        value: here,
        unit: '',
        target: 'none',
        met: here === 0,
        note: `${lost - here} the stand-in had no time to send`,
      },
      {
        name: 'debug stream: CPU',
        value: share,
        unit: '% of a core',
        bare: idle,
        target: 'under 35 %',
        met: share < 35,
      },
    ]
  } finally {
    await machine.disconnect()
    await peer.stop()
  }
}

async function shareOfCore(time: number): Promise<number> {
  const before = process.cpuUsage()
  const begun = performance.now()
  await delay(time)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1_000 / (performance.now() - begun)) * 100
}

function countsOf({ status }: Machine, wanted: StreamKind): { packets: number; lost: number } {
  const found = status.streams?.find(({ stream }) => stream === wanted)
  if (!found) throw new Error(`The ${wanted} stream does not run.`)
  return found
}

/** In the real window, from the stand-in's last packet of a frame to the frame store. */
async function videoStream(): Promise<Row[]> {
  const peer = await startUltimate({ frameTimes: true })
  const machine = `ultimate:127.0.0.1:${peer.ports.rest}`
  const { page, close } = await launchApp({ args: ['--machine', machine] })
  try {
    await untilLive(page, machine)
    await recordFrames(page)
    await untilLive(page, machine)
    const started = await page.evaluate(
      (name) => window.bridgedeck.machine.setStream({ machine: name, stream: 'video', on: true }),
      machine,
    )
    if (!started.ok) throw new Error(started.error.message)
    await delay(WARM_UP)
    await forgetFrames(page)
    const first = peer.logOf('frame').length
    // This process has nothing to do meanwhile: how late its timers are is what the machine lets anybody wait.
    const idle = monitorEventLoopDelay({ resolution: TIMER })
    idle.enable()
    const begun = performance.now()
    await delay(STREAM_TIME)
    const seconds = (performance.now() - begun) / 1_000
    idle.disable()
    const late = (share: number): number => Math.max(0, idle.percentile(share) / 1e6 - TIMER)
    const { pictures, drawn, superseded, dropped } = await readFrames(page)
    const states = await page.evaluate(() => window.bridgedeck.machine.list({}))
    const counts = states.ok ? states.data.machines.find((state) => state.machine === machine)?.streams[0] : undefined
    if (!counts) throw new Error('The video stream does not run.')
    const here = await lostHere(peer, 'video', counts.lost)
    // Sent just before the first picture, and after the last.
    const fromBridge = pictures.map(({ at, time }) => at - time)
    const latencies = latenciesOf(pictures, peer.logOf('frame').slice(Math.max(0, first - PICTURE_PERIOD)))
    const p95 = percentile(latencies, 0.95)
    const rate = pictures.length / seconds
    return [
      {
        name: 'video stream: pictures in the window',
        value: rate,
        unit: '/s',
        target: '50.1 /s',
        met: rate >= 49,
        note: `${drawn} frames drawn, ${superseded} superseded before their paint, ${dropped} dropped by the bridge`,
      },
      {
        name: 'video stream: packets lost here',
        value: here,
        unit: '',
        target: 'none',
        met: here === 0,
        note: `of ${counts.packets}; ${counts.lost - here} the stand-in had no time to send`,
      },
      {
        name: 'video stream: last packet to frame store, p50',
        value: median(latencies),
        unit: 'ms',
        bare: late(50),
        note: `bare is how late an idle process’s timers are; ${median(fromBridge).toFixed(2)} ms of it from the bridge to the window`,
      },
      {
        name: 'video stream: last packet to frame store, p95',
        value: p95,
        unit: 'ms',
        bare: late(95),
        target: 'at most 5 ms',
        met: p95 <= 5,
        note: `${percentile(fromBridge, 0.95).toFixed(2)} ms from the bridge to the window`,
      },
    ]
  } finally {
    await close()
    await peer.stop()
  }
}

/** Each picture's first byte says which of a period's frames it is; the newest of those sent before it came is the one. */
function latenciesOf(
  pictures: readonly { at: number; firstByte: number }[],
  sent: readonly { number: number; at: number }[],
): number[] {
  return pictures.flatMap(({ at, firstByte }) => {
    const frame = sent.findLast((each) => each.at <= at && each.number % PICTURE_PERIOD === (firstByte & 15))
    return frame ? [at - frame.at] : []
  })
}

/** The same request through the driver and bare, in short turns, so that a noisy machine disturbs both alike. */
async function reads(): Promise<Row> {
  const peer = await startUltimate()
  const machine = machineFor(peer)
  try {
    await machine.connect(soon())
    const ours: number[] = []
    const bare: number[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      for (let count = 0; count < TURN; count++) bare.push(await timed(() => bareRead(peer.ports.rest)))
      for (let count = 0; count < TURN; count++) {
        ours.push(await timed(() => machine.readMemory({ space: 'cpu', address: 0x0400, length: 0x400 }, soon())))
      }
    }
    const added = median(ours) - median(bare)
    return {
      name: 'read of 1 KiB, median',
      value: median(ours),
      unit: 'ms',
      bare: median(bare),
      target: 'at most 1 ms more',
      met: added <= 1,
      note: `${added.toFixed(2)} ms added; p95 ${percentile(ours, 0.95).toFixed(2)} ms, bare ${percentile(bare, 0.95).toFixed(2)} ms`,
    }
  } finally {
    await machine.disconnect()
    await peer.stop()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** As little as Node can do for one request. */
function bareRead(port: number): Promise<void> {
  return new Promise((done, reject) => {
    request(
      {
        host: '127.0.0.1',
        port,
        agent: false,
        path: '/v1/machine:readmem?address=0400&length=1024',
        headers: { Connection: 'close' },
      },
      (response) => {
        response.resume()
        response.on('end', done)
      },
    )
      .on('error', reject)
      .end()
  })
}
